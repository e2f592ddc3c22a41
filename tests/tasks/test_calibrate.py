"""A fitted calibration undoes a miscalibration that is known, and keeps its head where there is little to learn from."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from corpora import ROWS, equations
from treesmu.data import DataError, Dataset, Vocab
from treesmu.expr import parse
from treesmu.models import Model, build
from treesmu.models.fitted.calibration import Calibration, sigmoid
from treesmu.models.majority import fit
from treesmu.tasks.calibrate import calibrate, fit_calibration
from treesmu.tasks.measures import by_depth

ROWS_DRAWN = 60_000


@pytest.fixture
def model() -> Model:
    torch.manual_seed(1)
    return build("tree-lstm", Vocab.default(), {"hidden": 5})


def drawn(calibration: Calibration, rows: int = ROWS_DRAWN) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return logits, labels and depths 1-19; a label is 1 with the probability that the calibration gives to its logit."""
    rng = np.random.default_rng(0)
    depth = rng.integers(1, 20, rows)
    logits = rng.normal(0.0, 4.0, rows)
    return logits, rng.random(rows) < calibration.probabilities(logits, depth), depth


def test_a_miscalibration_that_was_put_in_is_found() -> None:
    """Too cautious and too generous for shallow equations, too confident and too strict for deep ones."""
    wanted = Calibration((1.0, 10.0, 19.0), (0.5, 1.2, 3.0), (1.5, 0.0, -2.0))
    logits, label, depth = drawn(wanted)
    found = fit_calibration(logits, label, depth)
    assert found.depths == (1, 10, 19)
    assert found.temperature == pytest.approx(wanted.temperature, rel=0.08)
    assert found.shift == pytest.approx(wanted.shift, abs=0.15)
    fresh, is_correct, depths = (column[::-1] for column in drawn(wanted, ROWS_DRAWN + 1))  # other draws of the same kind
    raw, calibrated = (by_depth(p, is_correct, depths) for p in (sigmoid(fresh.copy()), found.probabilities(fresh, depths)))
    assert max(row["calibration_error"] or 0 for row in calibrated.values()) < 0.03
    assert max(row["calibration_error"] or 0 for row in raw.values()) > 0.15
    assert np.mean([row["accuracy"] for row in calibrated.values()]) > np.mean([row["accuracy"] for row in raw.values()])


def test_what_is_calibrated_stays_as_it_is() -> None:
    found = fit_calibration(*drawn(Calibration((1.0,), (1.0,), (0.0,))))
    assert found.temperature == pytest.approx((1, 1, 1), rel=0.05)
    assert found.shift == pytest.approx((0, 0, 0), abs=0.1)


def test_there_are_as_many_knots_as_the_depths_allow() -> None:
    logits, label, depth = drawn(Calibration((1.0,), (2.0,), (0.0,)), 2000)
    assert fit_calibration(logits, label, np.full(2000, 4)).depths == (4,)
    assert fit_calibration(logits, label, 4 + depth % 2).depths == (4, 4.5, 5)


def test_a_model_without_mistakes_and_one_that_always_says_the_same_have_finite_calibrations() -> None:
    depth, label = np.arange(40) % 5 + 1, np.arange(40) % 2 == 1
    certain = fit_calibration(np.where(label, 9.0, -9.0), label, depth)
    assert all(0 < t < np.inf for t in certain.temperature)
    assert (certain.probabilities(np.where(label, 9.0, -9.0), depth)[label] > 0.99).all()
    constant = fit_calibration(np.full(40, 30.0), label, depth)
    assert constant.probabilities(np.full(40, 30.0), depth) == pytest.approx(0.5, abs=0.1)
    reversed_ = fit_calibration(np.where(label, -1.0, 1.0), label, depth)
    assert min(reversed_.temperature) > 0  # a higher logit never becomes less probable


def test_the_same_equations_give_the_same_calibration(model: Model) -> None:
    data = Dataset.of(equations(), [label for _, label, _ in ROWS])
    first, again = calibrate(model, data), calibrate(model, data)
    assert first == again
    assert model.calibration is None


def test_the_measures_are_those_of_the_half_that_was_not_fitted(model: Model) -> None:
    data = Dataset.of([parse("x = x"), parse("x = 1")] * 20 + [parse("sin(x) = x"), parse("x = sin(x)")], [1, 0] * 21)
    found = calibrate(model, data)
    assert (found.equations, found.raw["overall"]["equations"], found.calibrated["overall"]["equations"]) == (42, 42, 42)
    assert list(found.calibrated["by_depth"]) == ["1", "2"]
    assert found.calibrated["by_depth"]["1"]["log_loss"] < found.raw["by_depth"]["1"]["log_loss"]
    before = model.verify(["x = x"])
    model.calibration = found.calibration
    assert model.verify(["x = x"]) != before


def test_rows_without_a_label_are_not_used(model: Model) -> None:
    data = Dataset.of(equations(), [label for _, label, _ in ROWS])
    more = Dataset.of([*equations(), parse("x = 12")], [*(label for _, label, _ in ROWS), -1])
    assert calibrate(model, more) == calibrate(model, data)


@pytest.mark.parametrize(("label", "said"), [(1, "all equations are correct"), (0, "all equations are incorrect"), (-1, "no ")])
def test_correct_and_incorrect_equations_are_needed(model: Model, label: int, said: str) -> None:
    data = Dataset.of(equations(), [label] * len(ROWS))
    with pytest.raises(DataError, match=f"^memory: {said}.*; a calibration needs correct and incorrect ones$"):
        calibrate(model, data)


def test_a_model_that_is_infinitely_sure_is_refused() -> None:
    model = build("majority", Vocab.default())
    fit(model, [1, 1])
    with pytest.raises(DataError, match="the model is infinitely sure of 8 of 8 equations, which no calibration changes"):
        calibrate(model, Dataset.of(equations(), [label for _, label, _ in ROWS]))


def test_a_model_whose_values_are_not_finite_is_refused(model: Model) -> None:
    for weight in model.parameters():
        weight.data.fill_(torch.nan)
    with pytest.raises(DataError, match="the model's values are not finite for 8 of 8 equations"):
        calibrate(model, Dataset.of(equations(), [label for _, label, _ in ROWS]))
