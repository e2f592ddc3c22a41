"""One equation at one point with mpmath: slow, and as precise as it takes. The judge where float64 is unsure.

As in :mod:`~treesmu.expr.evaluate`, everything is computed twice, the second time with each step disturbed in its last digits;
how far the copies drift apart says how many digits of the result are true. Where too few are, more digits are tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import numpy as np

from .tree import Expr

DIGITS = (50, 150, 400)  # tried in turn
_SPARE = 5  # the disturbance is this many digits above rounding
_TOO_LARGE = 1e5  # exp, powers and hyperbolic functions of more than this are not worth their digits


class _UndefinedError(ArithmeticError):
    """No real value there (or none that is worth computing)."""


@cache
def _context(digits: int) -> Any:
    import mpmath

    context = mpmath.mp.clone()
    context.dps = digits
    return context


def values(
    roots: tuple[Expr, ...], point: Mapping[str, float], digits: int = DIGITS[0], noise: Random | None = None
) -> list[Any] | None:
    """The values of some expressions at a point, or None where one of them has no real value."""
    context = _context(digits)
    size = context.mpf(10) ** (_SPARE - digits)
    done: dict[Expr, Any] = {}
    exact: dict[Expr, Any] = {}
    try:
        for root in roots:
            for e in root.subexpressions():
                if e in done:
                    continue
                value = _value(context, e, done, point)
                if _is_exact(context, e, value, exact):
                    exact[e] = value
                elif noise and not e.is_variable:
                    value *= 1 + size * noise.choice((-1, 1)) * noise.uniform(0.5, 1.0)
                done[e] = value
    except (_UndefinedError, ZeroDivisionError, OverflowError, ValueError):
        return None
    return [done[root] for root in roots]


def compare(equation: Expr, point: Mapping[str, float], tolerance: float = 0.0) -> str:
    """Whether the sides are 'equal' or 'different' at a point, 'undefined' there, or 'unsure' even at high precision."""
    scale = error = 0.0
    for digits in DIGITS:
        plain = values(equation.children, point, digits)
        disturbed = values(equation.children, point, digits, Random(digits))
        if plain is None or disturbed is None:
            return "undefined"
        scale = max(abs(v) for v in plain)
        error = sum(abs(a - b) for a, b in zip(plain, disturbed, strict=True)) + scale * _context(digits).mpf(10) ** (
            _SPARE - digits
        )
        excess = abs(plain[0] - plain[1]) - tolerance
        if excess > 1000 * error:
            return "different"
        if error <= 1e-8 * scale and excess <= 8 * error:
            return "equal"
    return "equal" if scale < 1e-30 else "unsure"  # both sides are 0 to hundreds of digits, or there is only noise


def _value(context: Any, e: Expr, done: Mapping[Expr, Any], point: Mapping[str, float]) -> Any:
    if e.op is None:
        return _leaf_value(context, e, point)
    arguments = [done[c] for c in e.children]
    if not e.op.domain(*(np.float64(a) for a in arguments)):
        raise _UndefinedError
    if e.op.name == "Pow" and arguments[0] < 0:
        arguments[1] = _whole(context, arguments[1])
    if (e.op.family == "hyperbolic" or e.op.name in ("exp", "Pow")) and abs(arguments[-1]) > _TOO_LARGE:
        raise _UndefinedError
    value = getattr(context, e.op.mpmath or e.op.name)(*arguments)
    if not isinstance(value, context.mpf) or not context.isfinite(value):
        raise _UndefinedError
    return value


def _leaf_value(context: Any, e: Expr, point: Mapping[str, float]) -> Any:
    if e.number is not None:
        return context.mpf(e.number.numerator) / e.number.denominator
    if e.token in point:
        return context.mpf(repr(point[e.token]))  # the decimal that a person sees, not its nearest float64
    if e.token not in ("pi", "e"):
        raise _UndefinedError
    return +getattr(context, e.token)


def _is_exact(context: Any, e: Expr, value: Any, exact: Mapping[Expr, Any]) -> bool:
    """Free of rounding: arithmetic of short numbers, and cos(0) and the like; acosh(2 - 1) would not survive a disturbance."""
    if e.op is None:
        return e.number is not None and e.number.denominator & (e.number.denominator - 1) == 0
    if not all(c in exact for c in e.children):
        return False
    shifted = value * 2**20
    return shifted == context.nint(shifted) and (e.op.family == "arithmetic" or abs(exact[e.children[0]]) <= 1)


def _whole(context: Any, exponent: Any) -> Any:
    """An exponent that is an integer up to rounding is one: a negative base needs it to be exact."""
    nearest = context.nint(exponent)
    return nearest if abs(exponent - nearest) < context.mpf(10) ** (-context.dps // 2) else exponent
