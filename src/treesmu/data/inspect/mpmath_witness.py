"""The first witness of an audit: mpmath, with code that shares nothing with the numeric check.

Every node is computed with 50 digits and with 150. If the second value shows that the first is only a rounding error, the node
is 0; if the two values disagree otherwise, all digits are lost and there is no verdict. A side has a value only where each of
its parts is real and finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from treesmu.expr import Expr, distinct

from .witness import DIGITS, Point, PointVerdict, UndefinedValueError, UnsureError, is_equal_as_shown

MORE_DIGITS, MOST_DIGITS = 150, 1000
_LARGEST_ARGUMENT = {  # larger ones would need too many digits
    **dict.fromkeys(("exp", "sinh", "cosh", "csch", "sech", "tanh", "coth"), 2000),
    **dict.fromkeys(("sin", "cos", "csc", "sec", "tan", "cot"), 1e30),
}


def ask_mpmath(e: Expr, point: Point) -> PointVerdict:
    """Return whether the sides of an equation are equal or clearly different at a point; "" if neither is certain."""
    found = compute_values(e.children, point, (DIGITS, MORE_DIGITS))
    if found is None:
        return ""
    few, many = (abs(left - right) for left, right in found)
    if _are_equal(e, found[0], DIGITS) or _are_equal(e, found[1], MORE_DIGITS):
        return "equal"
    clear = many > 1e-25 * max(map(abs, found[1])) and many > 1e-35 and abs(few - many) <= 1e-6 * many
    return "different" if clear else ""


def stays_equal(e: Expr, point: Point) -> bool:
    """Return whether the sides are equal to a thousand digits; tanh(500) and 1 agree in 434 digits only."""
    found = compute_values(e.children, point, (MOST_DIGITS,))
    return found is not None and _are_equal(e, found[0], MOST_DIGITS)


def undefined_part(e: Expr) -> Expr | None:
    """Return the smallest constant part of an equation that has no value, such as acos(10) or 0^(-1); None if all have one."""
    try:
        for part in e.subexpressions()[:-1]:
            if part.is_constant:
                _compute((part,), {}, (DIGITS, MORE_DIGITS))
    except UndefinedValueError:
        return part
    except UnsureError:
        return None
    return None


def _are_equal(e: Expr, sides: Sequence[Any], digits: int) -> bool:
    """Return whether the sides are equal except for the last ten digits, or to the digits of a decimal."""
    left, right = sides
    rounding = max(abs(left), abs(right)) * _context(digits).mpf(10) ** (10 - digits)
    return bool(abs(left - right) <= rounding) or is_equal_as_shown(e, left, right)


def compute_values(roots: Sequence[Expr], point: Point, digits: tuple[int, ...]) -> list[list[Any]] | None:
    """Return the values of expressions, one list for each number of digits; None if one of them has no value."""
    try:
        return _compute(roots, point, digits)
    except (UndefinedValueError, UnsureError):
        return None


def _compute(roots: Sequence[Expr], point: Point, digits: tuple[int, ...]) -> list[list[Any]]:
    contexts = [_context(n) for n in digits]
    done: dict[Expr, list[Any]] = {}
    for part in distinct(roots):
        arguments = [done[c] for c in part.children]
        copies = [_value(c, part, [a[k] for a in arguments], point) for k, c in enumerate(contexts)]
        done[part] = _agreed(*copies) if len(copies) == 2 else copies
    return [[done[root][k] for root in roots] for k in range(len(digits))]


def _agreed(few: Any, many: Any) -> list[Any]:
    """Return the two values of a node if they agree."""
    if abs(many) <= 1e-60 * abs(few):
        return [few * 0, many * 0]  # a rounding error, as in sin(pi)
    if abs(many) >= 1e60 * abs(few) > 0:
        raise UndefinedValueError  # a pole, as in csc(pi): the value grows with the digits of pi
    if abs(few - many) > 1e-10 * abs(many):
        raise UnsureError
    return [few, many]


def _value(context: Any, part: Expr, arguments: list[Any], point: Point) -> Any:
    if not arguments:
        return _leaf(context, part, point)
    if abs(arguments[0]) > _LARGEST_ARGUMENT.get(part.token, context.inf):
        raise UnsureError
    try:
        value = _apply(context, part.token, *arguments)
    except (ZeroDivisionError, ValueError):
        raise UndefinedValueError from None
    if not isinstance(value, context.mpf) or not context.isfinite(value):
        raise UndefinedValueError
    return value


def _apply(context: Any, name: str, first: Any, second: Any = None) -> Any:
    match name:
        case "Add":
            total = first + second
            rounding = max(abs(first), abs(second)) * context.mpf(10) ** (5 - context.dps)
            if abs(total) <= rounding and rounding > 1e-20:
                raise UnsureError  # all digits are lost, and the value need not be 0: cosh(u)^2 - sinh(u)^2
            return total
        case "Mul":
            return first * second
        case "Pow":
            return _power(context, first, second)
        case "log":
            return context.ln(first) / context.ln(second) if first > 0 and second > 0 else None
        case "acot":
            return context.atan(1 / first)  # mpmath gives acot(0) a value
        case _:
            return getattr(context, name)(first)


def _leaf(context: Any, part: Expr, point: Point) -> Any:
    exact = part.number if part.number is not None else point.get(part.token)
    if exact is not None:
        return context.mpf(exact.numerator) / exact.denominator
    if part.token not in ("pi", "e"):
        raise UndefinedValueError
    return +getattr(context, part.token)


def _power(context: Any, base: Any, exponent: Any) -> Any:
    whole = context.nint(exponent)
    if abs(exponent - whole) <= abs(exponent) * context.mpf(10) ** (10 - context.dps):
        exponent = int(whole)  # exactly, for a negative base: sin(x)^2 + cos(x)^2 is 1 only up to rounding
    elif base < 0:
        raise UndefinedValueError
    if base and abs(exponent * context.log(abs(base))) > _LARGEST_ARGUMENT["exp"]:
        raise UnsureError
    return base**exponent


@cache
def _context(digits: int) -> Any:
    import mpmath

    context = mpmath.mp.clone()
    context.dps = digits
    return context
