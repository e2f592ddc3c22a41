"""A calibration scales and shifts logits by the depth of the equation, and is stored as plain JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treesmu.data import DataError, Dataset, Vocab
from treesmu.expr import parse
from treesmu.models import Model, build
from treesmu.models.completion.completions import complete
from treesmu.models.fitted.calibration import Calibration, interpolation
from treesmu.registry import BUILT_IN
from treesmu.tasks.verify import evaluate_verification, probabilities

CALIBRATION = Calibration((1.0, 3.0, 11.0), (0.5, 2.0, 8.0), (1.0, 0.0, -2.0))
EQUATIONS = ["x = x", "x + 1 = 1 + x", "sin(x)^2 = 1 - cos(2*x)", "sin(cos(exp(x + 1))) = 0.5"]
SMALL: dict[str, dict[str, Any]] = {"majority": {}, "transformer": {"hidden": 4, "heads": 2}}
SMALL["tree-transformer"] = SMALL["transformer"]


def test_between_knots_the_shift_and_the_log_temperature_are_linear_and_beyond_them_constant() -> None:
    calibrated = CALIBRATION.logits([4.0] * 6, [0, 1, 2, 3, 7, 40])
    assert calibrated == pytest.approx([(4 - 1) / 0.5, (4 - 1) / 0.5, (4 - 0.5) / 1.0, 4 / 2, (4 + 1) / 4, (4 + 2) / 8])
    assert CALIBRATION.probabilities([4.0], [3]) == pytest.approx([1 / (1 + np.exp(-2.0))])
    one = Calibration((5.0,), (2.0,), (1.0,))
    assert one.logits([3.0, 3.0], [1, 9]).tolist() == [1.0, 1.0]


def test_every_depth_is_a_mean_of_its_knots() -> None:
    weights = interpolation([1, 2, 3, 5], (1.0, 3.0, 11.0))
    assert weights.tolist() == [[1, 0, 0], [0.5, 0.5, 0], [0, 1, 0], [0, 0.75, 0.25]]


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=8), st.integers(0, 30))
def test_at_one_depth_a_higher_logit_is_never_less_probable(logits: list[float], depth: int) -> None:
    ordered = sorted(logits)
    assert (np.diff(CALIBRATION.probabilities(ordered, [depth] * len(ordered))) >= 0).all()


def test_an_infinite_logit_is_certain() -> None:
    assert CALIBRATION.probabilities([np.inf, -np.inf], [3, 3]).tolist() == [1, 0]


def test_plain_json_and_back() -> None:
    assert Calibration.from_dict(json.loads(json.dumps(CALIBRATION.to_dict()))) == CALIBRATION


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"depths": "1"}, "must be lists of numbers"),
        ({"depths": []}, "must be lists of numbers"),
        ({"shift": [0, 0, None]}, "must be lists of numbers"),
        ({"shift": [0, 0, True]}, "must be lists of numbers"),
        ({"shift": [0, 0, float("nan")]}, "must be lists of numbers"),
        ({"shift": [0, 0, 10**400]}, "must be lists of numbers"),
        ({"shift": [0, 0]}, "must have the same length"),
        ({"depths": [1, 3, 3]}, "its depths must ascend"),
        ({"temperature": [1, 1, 0]}, "its temperature must be above 0"),
    ],
)
def test_damaged_content_is_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=f"^the calibration: .*{said}; fit it again with treesmu calibrate$"):
        Calibration.from_dict(CALIBRATION.to_dict() | change)


@pytest.mark.parametrize("data", [None, [], "x", {}])
def test_content_of_another_kind_is_named(data: Any) -> None:
    with pytest.raises(DataError, match="must be lists of numbers"):
        Calibration.from_dict(data)


# -- in a model ----------------------------------------------------------------------------------------------------------


@pytest.fixture(params=BUILT_IN)
def model(request: pytest.FixtureRequest) -> Model:
    return build(request.param, Vocab.default(), SMALL.get(request.param, {"hidden": 4})).double()


def test_every_kind_of_model_is_calibrated_by_the_depth_of_each_equation(model: Model) -> None:
    logits, plain = model.logits(EQUATIONS), model.verify(EQUATIONS)
    model.calibration = CALIBRATION
    depths = [parse(text).depth for text in EQUATIONS]
    assert depths == [1, 2, 5, 5]
    wanted = CALIBRATION.probabilities(logits, depths)
    assert model.verify(EQUATIONS) == pytest.approx(wanted)
    assert model.logits(EQUATIONS).tolist() == logits.tolist()
    data = Dataset.of([parse(text) for text in EQUATIONS], [1, 1, 0, 0])
    assert evaluate_verification(model, data)[1] == pytest.approx(wanted)
    assert evaluate_verification(model, data, calibrated=False)[1] == pytest.approx(plain)
    assert probabilities(model, model.batches(model.plan(data.prefix))) == pytest.approx(plain)


def test_probabilities_have_the_type_of_the_weights() -> None:
    model = build("tree-rnn", Vocab.default(), {"hidden": 4})
    model.calibration = CALIBRATION
    assert model.verify(EQUATIONS).dtype == np.float32


@pytest.mark.parametrize("name", ["tree-lstm", "lstm"])
def test_completions_are_ranked_by_logits_and_their_probabilities_are_those_of_verify(name: str) -> None:
    model, question = build(name, Vocab.default(), {"hidden": 4}).double(), parse("x + _ = 2*x")
    before = complete(model, question, top=4)
    model.calibration = Calibration((1.0, 4.0), (0.5, 2.0), (3.0, -3.0))  # higher logits for deeper fillers
    found = complete(model, question, top=4)
    assert [c.filler for c in found] == [c.filler for c in before]
    assert [c.logit for c in found] == [c.logit for c in before]
    assert [c.probability for c in found] == pytest.approx(model.verify([c.filled for c in found]))
    assert [p for _, p, _ in model.complete(question, top=4)] == [c.probability for c in found]
    assert [c.calibrated for c in before] == [None] * len(before)
