"""One equation at one point with mpmath: slow, and as precise as it takes. The judge where float64 is unsure.

As in :mod:`~treesmu.expr.numeric.values`, everything is computed twice, the second time with each step disturbed in its
last digits; how far the copies drift apart says how many digits of the result are true. Where too few are, more are tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import numpy as np

from ..ops import ADD, POW, Op
from ..tree import Expr

DIGITS = (50, 150, 400)  # tried in turn
_SPARE = 5  # the disturbance is this many digits above rounding
_TOO_LARGE = 1e5  # exp, powers and hyperbolic functions of more than this are not worth their digits

Pair = tuple[Any, Any]  # a value, and the same disturbed


class _UndefinedError(ArithmeticError):
    """No real value there (or none that is worth computing)."""


@cache
def _context(digits: int) -> Any:
    import mpmath

    context = mpmath.mp.clone()
    context.dps = digits
    return context


def sides(equation: Expr, point: Mapping[str, float]) -> tuple[float, float] | None:
    """The values of both sides at a point, as far as a float can hold them; None where one has no real value."""
    try:
        left, right = _Run(DIGITS[0], point).values(equation)
    except (_UndefinedError, ArithmeticError, ValueError):
        return None
    return float(left[0]), float(right[0])


def compare(equation: Expr, point: Mapping[str, float], tolerance: float = 0.0) -> str:
    """Whether the sides are 'equal' or 'different' at a point, 'undefined' there, or 'unsure' even at high precision."""
    for digits in DIGITS:
        run = _Run(digits, point)
        try:
            left, right = run.values(equation)
        except (_UndefinedError, ArithmeticError, ValueError):
            return "undefined"
        scale = max(abs(left[0]), abs(right[0]))
        error = abs(left[0] - left[1]) + abs(right[0] - right[1]) + scale * run.noise
        excess = abs(left[0] - right[0]) - tolerance
        if excess > 1000 * error:
            return "different"
        if run.is_numb:
            continue
        if excess <= 8 * error and (error <= 1e-8 * scale or (digits == DIGITS[-1] and scale < 1e-30)):
            return "equal"  # the latter: both are 0 to hundreds of digits
    return "unsure"


class _Run:
    """The values of sub-expressions at one point, with so many digits."""

    def __init__(self, digits: int, point: Mapping[str, float]) -> None:
        self.context = _context(digits)
        self.point = point
        self.random = Random(digits)
        self.noise = self.context.mpf(10) ** (_SPARE - digits)
        self.kept = digits - 10  # digits that a step must not lose
        self.is_numb = (
            False  # some part no longer feels its argument, as tanh(1000): more digits are needed to tell what equals it
        )
        self.done: dict[Expr, Pair] = {}
        self.exact: set[Expr] = set()

    def values(self, equation: Expr) -> tuple[Pair, Pair]:
        for side in equation.children:
            for e in side.subexpressions():
                if e not in self.done:
                    self.done[e] = self.value(e)
        return self.done[equation.left], self.done[equation.right]

    def value(self, e: Expr) -> Pair:
        if e.op is None:
            plain = disturbed = self.leaf_value(e)
        else:
            arguments = [self.snapped(e.op, i, self.done[c]) for i, c in enumerate(e.children)]
            self.is_numb = self.is_numb or self.loses(e.op, arguments)
            plain, disturbed = (self.apply(e.op, [a[copy] for a in arguments]) for copy in (0, 1))
        if self.is_exact(e, plain):
            self.exact.add(e)
        elif not e.is_variable:
            disturbed *= 1 + self.noise * self.random.choice((-1, 1)) * self.random.uniform(0.5, 1.0)
        if abs(plain) > 1e6 and abs(plain - disturbed) > 0.01 * abs(plain):
            raise _UndefinedError  # a pole: nothing but the reciprocal of rounding
        return plain, disturbed

    def leaf_value(self, e: Expr) -> Any:
        if e.number is not None:
            return self.context.mpf(e.number.numerator) / e.number.denominator
        if e.token in self.point:
            return self.context.mpf(repr(self.point[e.token]))  # the decimal that a person sees, not its nearest float64
        if e.token not in ("pi", "e"):
            raise _UndefinedError
        return +getattr(self.context, e.token)

    def snapped(self, function: Op, position: int, pair: Pair) -> Pair:
        """An argument that is at the edge of the domain up to rounding is at the edge."""
        error = abs(pair[0] - pair[1])
        if error > self.context.mpf(10) ** (-self.kept // 2):
            return pair
        if position == 0:
            for edge in function.edges:
                if abs(pair[0] - edge) <= 8 * error:
                    return (self.context.mpf(edge),) * 2
        elif function is POW:  # a negative base needs a whole exponent to be exactly whole
            nearest = self.context.nint(pair[0])
            if abs(pair[0] - nearest) <= 8 * error:
                return nearest, nearest
        return pair

    def loses(self, function: Op, arguments: list[Pair]) -> bool:
        """As in evaluate: whether digits are lost for good. What is 0 up to its error is 0, and nothing is lost with it."""
        sizes = [0 if abs(a[0]) <= 8 * abs(a[0] - a[1]) else abs(a[0]) for a in arguments]
        if function is ADD:
            small, large = sorted(sizes)
            return bool(0 < small < large * self.context.mpf(10) ** -self.kept)
        if function.family == "arithmetic":
            return False
        half = self.context.mpf(10) ** (self.kept // 2)
        far = 1.15 * self.kept if function.saturates else half
        return bool((sizes[0] > far and function.name != "exp") or 0 < sizes[0] < 1 / half)

    def apply(self, function: Op, arguments: list[Any]) -> Any:
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

    def is_exact(self, e: Expr, value: Any) -> bool:
        """Free of rounding: arithmetic of short numbers, cos(0) and the like; acosh(2 - 1) would not survive a disturbance."""
        if e.op is None:
            return e.number is not None and e.number.denominator & (e.number.denominator - 1) == 0
        if not all(c in self.exact for c in e.children):
            return False
        shifted = value * 2**20
        return bool(
            shifted == self.context.nint(shifted) and (e.op.family == "arithmetic" or abs(self.done[e.children[0]][0]) <= 1)
        )
