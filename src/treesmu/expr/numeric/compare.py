"""What float64 sees of equations at points: equal, different, undefined, or unsure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..ops import Array
from ..tree import Expr
from .values import SamplePoints, ValueTable

UNDEFINED, EQUAL, DIFFERENT, UNSURE = range(4)  # what is seen at one point
MOST = 18  # points of one kind, and none of the other, that settle it


@dataclass(frozen=True)
class Comparison:
    """Some equations at some points."""

    points: SamplePoints
    status: Array  # (equations, points) of UNDEFINED, EQUAL, DIFFERENT, UNSURE
    left: Array  # (equations, points)
    right: Array

    def count(self, status: int) -> Array:
        return np.asarray((self.status == status).sum(axis=1))

    def settled(self) -> tuple[Array, Array]:
        """Which equations are plainly equal wherever they were looked at, and which plainly different. (equations,)"""
        equal, different, unsure = (self.count(s) for s in (EQUAL, DIFFERENT, UNSURE))
        plain = unsure <= 2 * (equal + different)
        return plain & (equal >= MOST) & (different == 0), plain & (different >= MOST) & (equal == 0)

    def point(self, e: Expr, at: int) -> dict[str, float]:
        """The values of the variables of an equation at one of the points."""
        return {v.token: float(self.points.of(v.token)[at]) for v in e.variables()}


def compare_sides(equations: Sequence[Expr], evaluator: ValueTable) -> Comparison:
    values = evaluator.values([side for e in equations for side in e.children])
    left, right = values.plain[0::2], values.plain[1::2]
    errors = np.minimum(np.abs(values.disturbed - values.plain), 1e300)
    constant = [side for i, e in enumerate(equations) if e.is_constant for side in (2 * i, 2 * i + 1)]
    errors[constant] = errors[constant].max(axis=1, keepdims=True)  # one point, disturbed in many ways
    vanishes = np.abs(values.plain) <= 8 * errors
    scale = np.maximum(np.abs(left), np.abs(right))
    error = errors[0::2] + errors[1::2] + scale * 2.0**-50
    tolerance = np.array([tolerance_of(e) for e in equations])[:, None]
    with np.errstate(all="ignore"):
        excess = np.abs(left - right) - tolerance
        trusted = error <= 1e-6 * scale + 1e-3 * tolerance
        trusted |= vanishes[0::2] & vanishes[1::2] & (error < 1e-10)  # both are 0, and what is seen of them is error
        equal = trusted & (excess <= np.where(tolerance > 0, -8, 8) * error)
        different = excess > 1000 * error
    status = np.where(equal, EQUAL, np.where(different, DIFFERENT, UNSURE))
    status[values.numb[0::2] | values.numb[1::2]] = UNSURE
    status[np.isnan(error)] = UNDEFINED
    return Comparison(evaluator.table.points, status, left, right)


def hold_at_complex_points(equations: Sequence[Expr], off_the_line: ValueTable) -> Array:
    """Whether equations hold at complex points, as far as their sides have values there. (equations,)"""
    plain = off_the_line.values([side for e in equations for side in e.children]).plain
    left, right = plain[0::2], plain[1::2]
    tolerance = np.array([tolerance_of(e) for e in equations])[:, None]
    close = np.abs(left - right) <= 1e-6 * np.maximum(np.abs(left), np.abs(right)) + 1e-12 + tolerance
    undefined = np.isnan(left) | np.isnan(right)
    return np.asarray((close | undefined).all(axis=1) & close.any(axis=1))


def tolerance_of(e: Expr) -> float:
    """A decimal that stands alone on one side is meant to the digits shown: sin(2.5) = 0.6."""
    if not e.is_constant:
        return 0.0
    left, right = e.children
    if left.is_decimal == right.is_decimal:
        return 0.0
    decimal = left if left.is_decimal else right
    return 0.5 * 10.0 ** -len(decimal.token.partition(".")[2])
