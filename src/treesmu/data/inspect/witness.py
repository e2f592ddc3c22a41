"""Common parts of the two witnesses of an audit: types, errors, and the comparison with a rounded decimal."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from treesmu.expr import Expr

PointVerdict = Literal["equal", "different", ""]  # of an equation at one point; "": unknown, as where a side has no value
Point = Mapping[str, Fraction]

DIGITS = 50  # decimal digits of a value


class UndefinedValueError(ArithmeticError):
    """Raised for a value that is not real or not finite."""


class UnsureError(ArithmeticError):
    """Raised for a value that is too large to compute, or has lost all its digits."""


def is_equal_as_shown(e: Expr, left: Any, right: Any) -> bool:
    """Return whether a decimal gives the value of a constant to all its digits, as in sin(2.5) = 0.6."""
    shown = [side.token.partition(".")[2] for side in e.children if side.is_decimal]
    return e.is_constant and len(shown) == 1 and bool(2 * abs(left - right) * 10 ** len(shown[0]) <= 1)
