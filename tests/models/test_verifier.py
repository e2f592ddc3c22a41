"""A model verifies and embeds equations and expressions, as text or Expr, and names what it cannot read."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from treesmu import parse
from treesmu.data import DataError, Vocab
from treesmu.models import Model, build
from treesmu.models.fitted.calibration import Calibration


@pytest.fixture
def model() -> Model:
    return build("tree-lstm", Vocab.default(), {"hidden": 4})


def test_a_single_equation_is_a_list_of_one(model: Model) -> None:
    assert model.verify("x = x") == model.verify([parse("x = x")]) == model.verify(parse("x = x"))


def test_probabilities_are_those_of_the_logits(model: Model) -> None:
    equations = ["sin(x) = x", "x + 1 = 0.5", "x = x"]
    np.testing.assert_allclose(model.verify(equations), 1 / (1 + np.exp(-model.logits(equations))), rtol=1e-6)


def test_what_is_not_an_equation_is_refused(model: Model) -> None:
    with pytest.raises(DataError, match="these are not equations"):
        model.verify(["sin(x)"])
    with pytest.raises(TypeError, match="an expression must be text or an Expr, not NoneType"):
        model.verify([None])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="expected a list of expressions, each text or an Expr, not NoneType"):
        model.verify(None)  # type: ignore[arg-type]


def test_no_equations_have_no_answers(model: Model) -> None:
    calibrated = build("tree-lstm", Vocab.default(), {"hidden": 4})
    calibrated.calibration = Calibration((1.0,), (2.0,), (0.0,))
    for asked in (model, calibrated, build("lstm", Vocab.default(), {"hidden": 4})):
        assert [asked.verify([]).shape, asked.logits([]).shape, asked.embed([]).shape] == [(0,), (0,), (0, 4)]
        assert asked.verify([]).dtype == asked.verify(["x = x"]).dtype


def test_states_of_expressions_and_of_both_sides_of_equations(model: Model) -> None:
    sides = model.embed(["sin(x)", "1"])
    assert sides.shape == (2, 4)
    np.testing.assert_array_equal(model.embed(["sin(x) = 1"]), sides[None])


def test_a_failure_restores_gradients_and_training_mode(model: Model) -> None:
    model.train()
    with pytest.raises(DataError) as caught:
        model.verify(["sin(x)"])
    assert caught.value is not None
    assert torch.is_grad_enabled()
    assert model.training


def test_bfloat16_comes_back_as_float32(model: Model) -> None:
    assert model.to(torch.bfloat16).verify(["x = x"]).dtype == np.float32


# -- names that the vocabulary does not know ---------------------------------------------------------------------------


def test_variables_are_exchangeable_names(model: Model) -> None:
    np.testing.assert_array_equal(
        model.verify(["sin(theta) = phi", "theta + x = 1"]), model.verify(["sin(x) = y", "y + x = 1"])
    )
    np.testing.assert_array_equal(model.embed(["theta", "x + theta"]), model.embed(["y", "x + y"]))


def test_names_that_are_known_are_kept(model: Model) -> None:
    left, right = model.embed(["x", "y"])
    assert not np.array_equal(left, right)
    np.testing.assert_array_equal(model.embed(["theta + y"]), model.embed(["x + y"]))


def test_what_the_vocabulary_lacks_is_refused_and_can_be_asked_beforehand(model: Model) -> None:
    many = "+".join("abcdfghjklm")
    equations = ["theta = x", "x = 7/13", f"{many} = 0"]
    assert model.unreadable(equations) == {
        1: "7/13 is not in the vocabulary",
        2: "there are 11 different variables, and the vocabulary has 10",
    }
    with pytest.raises(DataError, match=r"^row 0: unknown leaf or function '7/13'"):
        model.verify(equations[1])
    with pytest.raises(DataError, match=r"^row 1: there are 11 different variables, and the vocabulary has 10$"):
        model.verify([equations[0], equations[2]])
