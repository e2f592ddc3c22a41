"""A decimal that gives the value of a constant is compared to its own digits only."""

from __future__ import annotations

import pytest

from treesmu.data.inspect.witness import is_equal_as_shown
from treesmu.expr import parse


@pytest.mark.parametrize(
    ("text", "left", "right", "is_equal"),
    [
        ("sin(2.5) = 0.6", 0.598, 0.6, True),
        ("0.6 = 0.61", 0.6, 0.61, False),  # two decimals: neither is the value of the other side
        ("sin(2) = 0.9", 0.909, 0.9, True),
        ("sin(2) = 0.91", 0.909, 0.91, True),
        ("sin(2) = 0.92", 0.909, 0.92, False),
        ("sin(x) = 0.9", 0.909, 0.9, False),  # not a constant
        ("sin(2) = 1", 0.909, 1, False),  # not a decimal
    ],
)
def test_a_decimal_is_as_exact_as_its_digits(text: str, left: float, right: float, is_equal: bool) -> None:
    assert is_equal_as_shown(parse(text), left, right) == is_equal
