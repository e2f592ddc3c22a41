"""Compare the sides of equations in float64 at sample points: equal, different, undefined or unsure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..ops import Array
from ..tree import Expr
from .sample_points import JoinedPoints, SamplePoints
from .values import ValueTable

UNDEFINED, EQUAL, DIFFERENT, UNSURE = range(4)  # the outcome of the comparison at one point
SHARP = 1e-12  # relative error up to which equal values show that the sides are equal, not only nearly so
MIN_POINTS = 18  # this many equal points and no different one settle an equation, and so do this many different and no equal


@dataclass(frozen=True)
class Comparison:
    """The values of the sides of equations at points, and how they compare."""

    points: SamplePoints | JoinedPoints
    status: Array  # (equations, points) of UNDEFINED, EQUAL, DIFFERENT, UNSURE
    left: Array  # (equations, points)
    right: Array
    is_sharp: Array  # (equations, points) whether the sides are equal to nearly all digits of float64

    def count(self, status: int) -> Array:
        """Return at how many points each equation has a status. (equations,)"""
        return np.asarray((self.status == status).sum(axis=1))

    def is_clear_at_few(self, k: int) -> bool:
        """Return whether float64 tells at too few points whether the sides of an equation are equal to settle it."""
        return int(np.isin(self.status[k], (EQUAL, DIFFERENT)).sum()) < MIN_POINTS

    def joined(self, k: int, other: Comparison) -> Comparison:
        """Return the comparison of one equation, row k of this one and the only row of the other, at the points of both."""
        rows = (self, k), (other, 0)
        arrays = [[getattr(part, name)[row] for part, row in rows] for name in ("status", "left", "right", "is_sharp")]
        return Comparison(JoinedPoints((self.points, other.points)), *(np.concatenate(one)[None] for one in arrays))

    def settled(self) -> tuple[Array, Array]:
        """Return which equations are equal wherever both sides are defined, and which are different there. (equations,)"""
        equal, different, unsure = (self.count(s) for s in (EQUAL, DIFFERENT, UNSURE))
        is_clear = unsure <= 2 * (equal + different)
        return is_clear & (equal >= MIN_POINTS) & (different == 0), is_clear & (different >= MIN_POINTS) & (equal == 0)

    def point(self, e: Expr, index: int) -> dict[str, float]:
        """Return the values of the variables of an equation at one of the points."""
        return {v.token: float(self.points.of(v.token)[index]) for v in e.variables()}


def compare_sides(equations: Sequence[Expr], table: ValueTable) -> Comparison:
    """Compare the sides of equations at the points of a table of values."""
    values = table.values([side for e in equations for side in e.children])
    left, right = values.plain[0::2], values.plain[1::2]
    errors = np.minimum(np.abs(values.disturbed - values.plain), 1e300)
    constant = [side for i, e in enumerate(equations) if e.is_constant for side in (2 * i, 2 * i + 1)]
    errors[constant] = errors[constant].max(axis=1, keepdims=True)  # all points are the same, disturbed in different ways
    tolerance = np.array([tolerance_of(e) for e in equations])[:, None]
    status = compare_values(left, right, errors[0::2], errors[1::2], tolerance)
    lost = values.has_lost_digits[0::2] | values.has_lost_digits[1::2]
    status[lost & (status != UNDEFINED)] = UNSURE
    scale = np.maximum(np.abs(left), np.abs(right))
    is_sharp = (status == EQUAL) & (errors[0::2] + errors[1::2] <= SHARP * scale)
    return Comparison(table.points, status, left, right, is_sharp)


def compare_values(left: Array, right: Array, left_error: Array, right_error: Array, tolerance: Array | float = 0.0) -> Array:
    """Return the outcome of comparing values whose rounding errors are known: UNDEFINED, EQUAL, DIFFERENT or UNSURE.

    All arrays have one shape or can be broadcast to it. tolerance: how far values may differ that count as equal.
    """
    scale = np.maximum(np.abs(left), np.abs(right))
    error = left_error + right_error + scale * 2.0**-50
    with np.errstate(all="ignore"):
        excess = np.abs(left - right) - tolerance
        is_trusted = error <= 1e-6 * scale + 1e-3 * np.asarray(tolerance)
        both_vanish = (np.abs(left) <= 8 * left_error) & (np.abs(right) <= 8 * right_error)
        is_trusted |= both_vanish & (error < 1e-10)  # both sides are 0 up to rounding
        equal = is_trusted & (excess <= np.where(np.asarray(tolerance) > 0, -8, 8) * error)
        different = excess > 1000 * error
    status = np.where(equal, EQUAL, np.where(different, DIFFERENT, UNSURE))
    status[np.isnan(error)] = UNDEFINED
    return status


def hold_at_complex_points(equations: Sequence[Expr], complex_table: ValueTable) -> Array:
    """Return which equations hold at complex points, wherever both sides have values there. (equations,)"""
    plain = complex_table.values([side for e in equations for side in e.children]).plain
    left, right = plain[0::2], plain[1::2]
    tolerance = np.array([tolerance_of(e) for e in equations])[:, None]
    is_close = np.abs(left - right) <= 1e-6 * np.maximum(np.abs(left), np.abs(right)) + 1e-12 + tolerance
    is_undefined = np.isnan(left) | np.isnan(right)
    return np.asarray((is_close | is_undefined).all(axis=1) & is_close.any(axis=1))


def tolerance_of(e: Expr) -> float:
    """Return half a unit of the last digit if one side is a single decimal, which is meant to the digits shown, else 0.

    So sin(2.5) = 0.6 is correct.
    """
    if not e.is_constant:
        return 0.0
    left, right = e.children
    if left.is_decimal == right.is_decimal:
        return 0.0
    decimal = left if left.is_decimal else right
    return 0.5 * 10.0 ** -len(decimal.token.partition(".")[2])
