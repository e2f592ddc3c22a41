"""Leaves: which tokens are leaves, and of which kind."""

from __future__ import annotations

import pytest

from treesmu.expr.leaves import MAX_DIGITS
from treesmu.expr.tree import leaf

NOT_LEAVES = [
    "",
    " x",
    "xy",
    "sin",
    "Add",
    "2/4",
    "3/1",
    "1/0",
    "1/-2",
    "-0",
    "01",
    "1.",
    ".5",
    "+1",
    "--1",
    "x_",
    "x_1y",
    "x_a-b",
    "x_" + "y" * 17,
    "x_01",
]


@pytest.mark.parametrize("token", [*NOT_LEAVES, "pi_1", "__", "1e5", "Infinity", "9" * (MAX_DIGITS + 1), "x_" + "9" * 5000])
def test_tokens_that_are_not_leaves_are_refused(token: str):
    with pytest.raises(ValueError, match=r"not a leaf: .*a variable, an integer, a fraction in lowest terms") as caught:
        leaf(token)
    assert len(str(caught.value)) < 200
