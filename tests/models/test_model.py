"""Every model verifies, embeds and completes, wherever its weights are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from one_device import second_device
from treesmu.data import Vocab
from treesmu.expr import Expr, Verdict, parse
from treesmu.models import Model, build
from treesmu.registry import BUILT_IN

EQUATIONS = ["sin(x)^2 + cos(x)^2 = 1", "x + 0.25 = log(y, 2)", "x = theta"]
QUESTION = "sin(x)^2 + _ = 1"


def small(name: str) -> Model:
    settings = {} if name == "majority" else {"hidden": 10}
    return build(name, Vocab.default(), settings, "distance", unit=True).eval()


def results(model: Model) -> dict[str, Any]:
    """Return what a model computes for some equations, expressions and a question."""
    found = {"verify": model.verify(EQUATIONS), "logits": model.logits(EQUATIONS)}
    if model.name != "majority":
        found["embed"] = model.embed(["x + 1", "0.25"])
    completions = model.complete(QUESTION, top=3, height=2 if model.name == "tree-smu" else 0)
    return found | {"fillers": [str(filler) for filler, _, _ in completions], "scores": [score for _, score, _ in completions]}


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_completion_is_a_filler_its_probability_and_the_verdict(name: str) -> None:
    model = small(name)
    found = model.complete(QUESTION, top=3, candidates=[parse(e) for e in ("cos(x)^2", "1 - sin(x)^2", "x", "0.25")])
    assert len(found) == 3
    for filler, score, verdict in found:
        assert isinstance(filler, Expr)
        assert isinstance(verdict, Verdict)
        assert verdict.label == ("correct" if str(filler) in ("cos(x)^2", "1 - sin(x)^2") else "incorrect")
        assert score == pytest.approx(float(model.verify([QUESTION.replace("_", f"({filler})")])[0]), abs=1e-5)


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_tensor_is_made_on_another_device_than_that_of_the_weights(name: str) -> None:
    model = small(name)
    expected = results(model)
    with second_device(has_float64=False) as device:
        found = results(model.to(device))
    assert found.pop("fillers") == expected.pop("fillers")
    for key, values in found.items():
        assert isinstance(values, np.ndarray | list)
        np.testing.assert_allclose(values, expected[key], rtol=1e-5, atol=1e-6, err_msg=key)
