"""Curve: the values of both sides of an equation with one variable, for a plot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ops import Array
from ..tree import Expr
from .sample_points import SamplePoints
from .values import ValueTable

POINTS = 401  # of a curve
_FINER = 8  # parts into which the distance of two points is divided, to find jumps
_RANGES = ((-6.0, 6.0), (0.0, 6.0), (-6.0, 0.0), (1.0, 7.0), (-1.0, 1.0), (0.0, 1.0), (0.0, 40.0), (-40.0, 40.0))
_LARGER = 4  # how many heights of the smaller side are shown above and below it
_ENOUGH = 0.45  # share of points at which both sides are defined: so sqrt(x) is shown with its edge at 0


@dataclass(frozen=True)
class Curve:
    """Values at evenly spaced points; NaN where a side is undefined and where its line must break, at a pole or a jump."""

    variable: str
    x: Array  # (POINTS,)
    left: Array
    right: Array
    low: float  # the range of values that is worth drawing
    high: float


@dataclass(frozen=True)
class _EvenPoints(SamplePoints):
    """Evenly spaced points of one range."""

    def of(self, name: str) -> Array:  # type: ignore[override]  # noqa: ARG002 (one variable; a cache would only keep it)
        (low, high), *_ = self.ranges
        return np.linspace(low, high, self.count)


def curve_of(equation: Expr) -> Curve | None:
    """Return the curves of both sides; None unless there is exactly one variable and a side has values.

    The range is the first one in which both sides are defined at many points, else the one with the most such points.
    """
    variables = equation.variables()
    if len(variables) != 1 or equation.has_blank:
        return None
    best, best_share = None, 0.0
    for points in _RANGES:
        x, sides = _fine_values(equation, points)
        is_defined = ~np.isnan(sides)
        share = float(is_defined.all(0).mean()) or 1e-3 * float(is_defined.any(0).mean())
        if share > best_share:
            best, best_share = (x, sides), share
        if share > _ENOUGH:
            break
    return None if best is None else _curve(variables[0].token, *best)


def _fine_values(equation: Expr, ends: tuple[float, float]) -> tuple[Array, Array]:
    """Return fine points, (fine,), and the values of both sides there, (2, fine)."""
    points = _EvenPoints(0, (POINTS - 1) * _FINER + 1, (ends,))
    return points.of(""), ValueTable(points).values(equation.children).plain


def _curve(variable: str, x: Array, sides: Array) -> Curve:
    low, high = _range_to_draw(sides)
    left, right = (_broken_at_jumps(side, high - low) for side in sides)
    return Curve(variable, x[::_FINER], left, right, low, high)


def _range_to_draw(sides: Array) -> tuple[float, float]:
    """Return a range that shows both sides; if one is far larger, a few times that of the other, which would look flat."""
    ranges = sorted((_typical_range(side[~np.isnan(side)]) for side in sides if not np.isnan(side).all()), key=_height)
    smaller, larger = ranges[0], ranges[-1]
    room = _LARGER * _height(smaller)
    low = min(smaller[0], max(larger[0], smaller[0] - room))
    high = max(smaller[1], min(larger[1], smaller[1] + room))
    margin = 0.1 * (high - low)
    return low - margin, high + margin


def _typical_range(values: Array) -> tuple[float, float]:
    """Return the range of almost all values; whole if that is not much larger, so that only poles are cut."""
    low, high = (float(v) for v in np.percentile(values, (5, 95)))
    smallest, largest = float(values.min()), float(values.max())
    if largest - smallest <= 3 * (high - low):
        low, high = smallest, largest
    if high - low <= 1e-9 * max(abs(low), abs(high)):  # constant up to rounding
        low, high = low - 0.5 * max(1.0, abs(low)), high + 0.5 * max(1.0, abs(high))
    return low, high


def _height(ends: tuple[float, float]) -> float:
    return ends[1] - ends[0]


def _broken_at_jumps(fine: Array, height: float) -> Array:
    """Return the values of a side at the points, NaN beside each jump: there, one small part takes the whole way.

    fine: values at the fine points. height: of the range to draw; smaller jumps than a twentieth of it cannot be seen.
    """
    values = fine[::_FINER].copy()
    with np.errstate(all="ignore"):
        way, steps = np.abs(np.diff(values)), np.abs(np.diff(fine)).reshape(-1, _FINER)
        is_jump = (steps.max(1) > 0.8 * way) & (steps.max(1) > 0.05 * height)  # false for NaN, where the line breaks anyway
    for i in np.flatnonzero(is_jump).tolist():
        values[i if abs(values[i]) > abs(values[i + 1]) else i + 1] = np.nan
    return values
