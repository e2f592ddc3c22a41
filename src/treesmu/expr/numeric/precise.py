"""Compare the sides of an equation at a point with mpmath: slow, but precise enough to decide where float64 is unsure.

As in :mod:`~treesmu.expr.numeric.rounding`, everything is computed twice, the second time with each result disturbed in its
last digits; the difference of the two results shows how many digits are correct. If too few are, more digits are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import numpy as np

from ..ops import ADD, POW, Array, Op
from ..tree import Expr
from .compare import DIFFERENT, EQUAL, UNDEFINED, UNSURE, Comparison, tolerance_of

DIGITS = (50, 150, 400)  # tried in turn
_SPARE = 5  # the disturbance is this many digits above rounding
_TOO_LARGE = 1e5  # exp, powers and hyperbolic functions of larger arguments are not computed

Pair = tuple[Any, Any]  # a value (mpmath has no types), and the same disturbed


class _UndefinedError(ArithmeticError):
    """Raised where there is no real value, or none that can be computed in reasonable time."""


@cache
def _context(digits: int) -> Any:
    import mpmath  # slow to load, and rarely needed

    context = mpmath.mp.clone()
    context.dps = digits
    return context


def sides_at(equation: Expr, point: Mapping[str, float]) -> tuple[float, float] | None:
    """Return the values of both sides at a point, rounded to float64; None where one has no real value."""
    try:
        left, right = _PreciseValues(DIGITS[0], point).sides(equation)
    except (_UndefinedError, ArithmeticError, ValueError):
        return None
    return float(left[0]), float(right[0])


def compare_at(
    equation: Expr, point: Mapping[str, float], tolerance: float = 0.0, numbers_of_digits: tuple[int, ...] = DIGITS
) -> str:
    """Return whether the sides are 'equal' or 'different' at a point, 'undefined', or 'unsure' with any number of digits."""
    for digits in numbers_of_digits:
        values = _PreciseValues(digits, point)
        try:
            left, right = values.sides(equation)
        except (_UndefinedError, ArithmeticError, ValueError):
            return "undefined"
        scale = max(abs(left[0]), abs(right[0]))
        error = abs(left[0] - left[1]) + abs(right[0] - right[1]) + scale * values.noise
        excess = abs(left[0] - right[0]) - tolerance
        if excess > 1000 * error:
            return "different"
        if values.has_lost_digits:
            continue
        if excess <= 8 * error and (error <= 1e-8 * scale or (digits == DIGITS[-1] and scale < 1e-30)):
            return "equal"  # the latter: both are 0 to hundreds of digits
    return "unsure"


def compare_at_some(equation: Expr, comparison: Comparison, k: int, enough: int) -> tuple[dict[str, int], int | None]:
    """Return at how many points there is each outcome, and the index of a point at which the sides differ, if one was found.

    comparison, k: what float64 found, and the equation's row in it. Some points of each of its outcomes are compared, most of
    them where it is unsure; those where it finds no value only until there are ``enough`` others.
    """
    status = comparison.status[k]
    counts = {"equal": 0, "different": 0, "undefined": 0, "unsure": 0}
    difference = None
    unsure = 16 if equation.has_branches else 6  # with branches an equation may hold on one part of the line only
    for kind, most in ((DIFFERENT, 2), (EQUAL, 3), (UNSURE, unsure), (UNDEFINED, 6)):
        for index in _spread(status == kind, 1 if equation.is_constant else most):
            if (kind == UNDEFINED and counts["equal"] + counts["different"] >= enough) or counts["unsure"] == 3:
                break
            outcome = compare_at(equation, comparison.point(equation, index), tolerance_of(equation))
            counts[outcome] += 1
            difference = index if difference is None and outcome == "different" else difference
    return counts, difference


def _spread(chosen: Array, most: int) -> list[int]:
    """Return some of the chosen points, spread over all ranges."""
    places = np.flatnonzero(chosen)
    return [int(p) for p in places[:: max(1, len(places) // most)][:most]]


class _PreciseValues:
    """The values of sub-expressions at one point, computed with a number of digits."""

    def __init__(self, digits: int, point: Mapping[str, float]) -> None:
        self.context = _context(digits)
        self.point = point
        self.rng = Random(digits)
        self.noise = self.context.mpf(10) ** (_SPARE - digits)
        self.kept = digits - 10  # digits that one function must not lose
        self.has_lost_digits = False  # some part no longer depends on its argument, as tanh(1000): more digits are needed
        self.done: dict[Expr, Pair] = {}
        self.exact: set[Expr] = set()

    def sides(self, equation: Expr) -> tuple[Pair, Pair]:
        for side in equation.children:
            for e in side.subexpressions():
                if e not in self.done:
                    self.done[e] = self._compute(e)
        return self.done[equation.left], self.done[equation.right]

    def _compute(self, e: Expr) -> Pair:
        if e.op is None:
            plain = disturbed = self._leaf_value(e)
        else:
            arguments = [self._snap_to_edge(e.op, i, self.done[c]) for i, c in enumerate(e.children)]
            self.has_lost_digits = self.has_lost_digits or self._loses_digits(e.op, arguments)
            plain, disturbed = (self._apply(e.op, [a[copy] for a in arguments]) for copy in (0, 1))
        if self._is_exact(e, plain):
            self.exact.add(e)
        elif not e.is_variable:
            disturbed *= 1 + self.noise * self.rng.choice((-1, 1)) * self.rng.uniform(0.5, 1.0)
        if abs(plain) > 1e6 and abs(plain - disturbed) > 0.01 * abs(plain):
            raise _UndefinedError  # a pole: nothing but the reciprocal of a rounding error
        return plain, disturbed

    def _leaf_value(self, e: Expr) -> Any:
        if e.number is not None:
            return self.context.mpf(e.number.numerator) / e.number.denominator
        if e.token in self.point:
            return self.context.mpf(repr(self.point[e.token]))  # the decimal that a person sees, not its nearest float64
        if e.token not in ("pi", "e"):
            raise _UndefinedError
        return +getattr(self.context, e.token)

    def _snap_to_edge(self, function: Op, position: int, pair: Pair) -> Pair:
        """Return the argument, set exactly to the edge of the domain if it differs from it only by rounding."""
        error = abs(pair[0] - pair[1])
        if error > self.context.mpf(10) ** (-self.kept // 2):
            return pair
        if position == 0:
            for edge in function.edges:
                if abs(pair[0] - edge) <= 8 * error:
                    return (self.context.mpf(edge),) * 2
        elif function is POW:  # a negative base needs an exponent that is exactly an integer
            nearest = self.context.nint(pair[0])
            if abs(pair[0] - nearest) <= 8 * error:
                return nearest, nearest
        return pair

    def _loses_digits(self, function: Op, arguments: list[Pair]) -> bool:
        """Return whether the value no longer depends on an argument (``loses_digits`` in rounding.py does this in float64).

        A value that is 0 up to its error counts as 0.
        """
        sizes = [0 if abs(a[0]) <= 8 * abs(a[0] - a[1]) else abs(a[0]) for a in arguments]
        if function is ADD:
            small, large = sorted(sizes)
            return bool(0 < small < large * self.context.mpf(10) ** -self.kept)
        if function.family == "arithmetic":
            return False
        half = self.context.mpf(10) ** (self.kept // 2)
        far = function.settles(self.kept) if function.settles else half
        return bool((sizes[0] > far and function.name != "exp") or 0 < sizes[0] < 1 / half)

    def _apply(self, function: Op, arguments: list[Any]) -> Any:
        with np.errstate(all="ignore"):
            if not function.domain(*(np.float64(a) for a in arguments)):
                raise _UndefinedError
        size = abs(arguments[-1])
        if (function.family == "hyperbolic" or function.name in ("exp", "Pow")) and size > _TOO_LARGE:
            raise _UndefinedError
        if function.family == "trigonometric" and size > 1e100:
            raise _UndefinedError
        value = getattr(self.context, function.mpmath or function.name)(*arguments)
        if not isinstance(value, self.context.mpf) or not self.context.isfinite(value):
            raise _UndefinedError
        return value

    def _is_exact(self, e: Expr, value: Any) -> bool:
        """Return whether a value is free of rounding: arithmetic of short numbers, cos(0) and the like.

        Exact values are not disturbed: acosh(2 - 1) would be undefined for an argument just below 1.
        """
        if e.op is None:
            return e.number is not None and e.number.denominator & (e.number.denominator - 1) == 0
        if not all(c in self.exact for c in e.children):
            return False
        shifted = value * 2**20
        is_short = shifted == self.context.nint(shifted)
        return bool(is_short and (e.op.family == "arithmetic" or abs(self.done[e.children[0]][0]) <= 1))
