"""Readouts compute what their formulas say, and refuse kinds of answers that they cannot give."""

from __future__ import annotations

import pytest
import torch

from treesmu.data import DataError
from treesmu.models.trees.answer_kind import AnswerKind
from treesmu.models.trees.readout import make_readout

PAIR = AnswerKind("compare", ("no", "yes"))


def test_one_logit_of_two_states_is_that_of_two_classes() -> None:
    states = torch.randn(5, 2, 4)
    for name in ("dot", "distance"):
        readout = make_readout(name, PAIR, 4, "none")
        logits = readout(states)
        expected = readout.head(states[:, 0], states[:, 1])  # type: ignore[operator]
        torch.testing.assert_close(logits.softmax(1)[:, 1], expected.sigmoid())


def test_two_states_are_compared_by_difference_and_product() -> None:
    readout = make_readout("network", AnswerKind("compare", tuple("abc")), 4, "none")
    left, right = torch.randn(2, 3, 4)
    features = torch.cat([left, right, (left - right).abs(), left * right], 1)
    expected = readout.second(readout.first(features).relu())  # type: ignore[operator]
    torch.testing.assert_close(readout(torch.stack([left, right], 1)), expected)
    assert make_readout("linear", AnswerKind("compare", tuple("abc")), 4, "none")(torch.stack([left, right], 1)).shape == (3, 3)


@pytest.mark.parametrize("name", ["linear", "network"])
def test_a_state_has_an_output_for_each_class(name: str) -> None:
    assert make_readout(name, AnswerKind("classify", tuple("abc")), 4, "none")(torch.randn(5, 4)).shape == (5, 3)
    assert make_readout(name, AnswerKind("regress"), 4, "none")(torch.randn(5, 4)).shape == (5, 1)


@pytest.mark.parametrize(
    ("name", "answer_kind", "message"),
    [
        ("dot", AnswerKind("compare", tuple("abc")), "the task compare with 3 classes needs linear or network"),
        ("distance", AnswerKind("classify", ("a", "b")), "the task classify needs linear or network"),
        ("hydra", PAIR, "unknown readout 'hydra'; known: linear, network, dot, distance"),
    ],
)
def test_readouts_that_do_not_fit_are_refused(name: str, answer_kind: AnswerKind, message: str) -> None:
    with pytest.raises(DataError, match=message):
        make_readout(name, answer_kind, 4, "none")
