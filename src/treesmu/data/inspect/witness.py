"""Two witnesses of an equation at a point, neither of which shares code with the numeric verdict: mpmath and SymPy.

mpmath computes every node with 50 digits and with 150. If the second copy is nothing but the rounding of the first, the node
is 0; if the copies disagree otherwise, it has lost all its digits and nothing is said. A side has a value where each of its
parts is real and finite.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from typing import Any, Literal

from treesmu.expr import Expr, distinct

Answer = Literal["equal", "different", ""]  # "": no answer, as where a side has no value
Point = Mapping[str, Fraction]

DIGITS, MORE, MOST = 50, 150, 1000
_FAR = {  # arguments of more than this are not worth their digits
    **dict.fromkeys(("exp", "sinh", "cosh", "csch", "sech", "tanh", "coth"), 2000),
    **dict.fromkeys(("sin", "cos", "csc", "sec", "tan", "cot"), 1e30),
}


class _UndefinedError(ArithmeticError):
    """Not real or not finite."""


class _UnsureError(ArithmeticError):
    """Too far out to compute, or without a true digit."""


# -- mpmath ------------------------------------------------------------------------------------------------------------


def ask_mpmath(e: Expr, point: Point) -> Answer:
    """Whether the sides of an equation are equal or clearly different at a point."""
    found = values(e.children, point, (DIGITS, MORE))
    if found is None:
        return ""
    few, many = (abs(left - right) for left, right in found)
    if _are_equal(e, found[0], DIGITS) or _are_equal(e, found[1], MORE):
        return "equal"
    clear = many > 1e-25 * max(map(abs, found[1])) and many > 1e-35 and abs(few - many) <= 1e-6 * many
    return "different" if clear else ""


def stays_equal(e: Expr, point: Point) -> bool:
    """Whether the sides are equal to a thousand digits: tanh(500) and 1 are equal to 434 of them."""
    found = values(e.children, point, (MOST,))
    return found is not None and _are_equal(e, found[0], MOST)


def undefined_part(e: Expr) -> Expr | None:
    """The smallest constant in an equation that has no value, such as acos(10) or 0^(-1)."""
    try:
        for part in e.subexpressions()[:-1]:
            if part.is_constant:
                _compute((part,), {}, (DIGITS, MORE))
    except _UndefinedError:
        return part
    except _UnsureError:
        return None
    return None


def _are_equal(e: Expr, sides: Sequence[Any], digits: int) -> bool:
    """Equal up to rounding, with ten digits to spare, or to the digits shown."""
    left, right = sides
    rounding = max(abs(left), abs(right)) * _context(digits).mpf(10) ** (10 - digits)
    return bool(abs(left - right) <= rounding) or _are_equal_as_shown(e, left, right)


def _are_equal_as_shown(e: Expr, left: Any, right: Any) -> bool:
    """Equal to the digits of a decimal that stands for the value of a constant: sin(2.5) = 0.6."""
    shown = [side.token.partition(".")[2] for side in e.children if side.is_decimal]
    return e.is_constant and len(shown) == 1 and bool(2 * abs(left - right) * 10 ** len(shown[0]) <= 1)


def values(roots: Sequence[Expr], point: Point, digits: tuple[int, ...]) -> list[list[Any]] | None:
    """The values of expressions with so many digits (one list for each of ``digits``), or None where one has none."""
    try:
        return _compute(roots, point, digits)
    except (_UndefinedError, _UnsureError):
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
    """The two copies of a node, if they are of one value."""
    if abs(many) <= 1e-60 * abs(few):
        return [few * 0, many * 0]  # nothing but rounding, as sin(pi)
    if abs(many) >= 1e60 * abs(few) > 0:
        raise _UndefinedError  # a pole, as csc(pi): the more digits pi has, the larger
    if abs(few - many) > 1e-10 * abs(many):
        raise _UnsureError
    return [few, many]


def _value(context: Any, part: Expr, arguments: list[Any], point: Point) -> Any:
    if not arguments:
        return _leaf(context, part, point)
    if abs(arguments[0]) > _FAR.get(part.token, context.inf):
        raise _UnsureError
    try:
        value = _apply(context, part.token, *arguments)
    except (ZeroDivisionError, ValueError):
        raise _UndefinedError from None
    if not isinstance(value, context.mpf) or not context.isfinite(value):
        raise _UndefinedError
    return value


def _apply(context: Any, name: str, first: Any, second: Any = None) -> Any:
    match name:
        case "Add":
            total = first + second
            rounding = max(abs(first), abs(second)) * context.mpf(10) ** (5 - context.dps)
            if (
                abs(total) <= rounding and rounding > 1e-20
            ):  # nothing of it is left, and it need not be 0: cosh(u)^2 - sinh(u)^2
                raise _UnsureError
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
        raise _UndefinedError
    return +getattr(context, part.token)


def _power(context: Any, base: Any, exponent: Any) -> Any:
    whole = context.nint(exponent)
    if abs(exponent - whole) <= abs(exponent) * context.mpf(10) ** (10 - context.dps):
        exponent = int(whole)  # a negative base needs it exactly, and sin(x)^2 + cos(x)^2 is 1 up to rounding only
    elif base < 0:
        raise _UndefinedError
    if base and abs(exponent * context.log(abs(base))) > _FAR["exp"]:
        raise _UnsureError
    return base**exponent


@cache
def _context(digits: int) -> Any:
    import mpmath

    context = mpmath.mp.clone()
    context.dps = digits
    return context


# -- SymPy -------------------------------------------------------------------------------------------------------------


def ask_sympy(e: Expr, point: Point, seconds: float) -> Answer:
    """The same of SymPy's evalf, which keeps account of lost digits in its own way; no answer if it takes longer."""
    sympy = _sympy()  # before the limit: an import that is cut off leaves a broken module behind
    try:
        with _at_most(seconds):
            (left, left_bits), (right, right_bits) = _evalf(sympy, e, point)
    except (_TimeUp, ArithmeticError, AttributeError, NotImplementedError, RecursionError, TypeError, ValueError):
        return ""
    difference, scale = abs(left - right), max(abs(left), abs(right))
    if difference <= 1e-30 * scale + 1e-36 or _are_equal_as_shown(e, left, right):
        return "equal"
    clear = difference > 1e-20 * scale + 1e-30 and min(left_bits, right_bits) > 100
    return "different" if clear else ""


@cache
def _sympy() -> Any:
    """Return the module, imported whole. One evaluation of every kind loads what SymPy imports only when it is used."""
    import sympy

    x = sympy.Rational(1, 3)
    for function in (sympy.sin, sympy.sec, sympy.acos, sympy.atanh, sympy.log, sympy.exp):
        sympy.Add(sympy.Pow(function(x, evaluate=False), x, evaluate=False), sympy.pi, evaluate=False).evalf(40).as_real_imag()
    return sympy


def _evalf(sympy: Any, e: Expr, point: Point) -> list[tuple[Any, int]]:
    """The sides and their true bits. The tree is built node by node and unevaluated, with numbers for the variables."""
    done: dict[Expr, Any] = {}
    for part in distinct(e.children):
        arguments = [done[c] for c in part.children]
        if part.op is None:
            exact = part.number if part.number is not None else point.get(part.token)
            constants = {"pi": sympy.pi, "e": sympy.E}
            done[part] = constants[part.token] if exact is None else sympy.Rational(exact.numerator, exact.denominator)
        elif part.token == "Pow" and arguments[0] == 0:
            raise _UnsureError  # 0^(1 - 1) is 1, but with rounding in the exponent SymPy finds 0
        elif part.token == "log":
            top, bottom = (sympy.log(a, evaluate=False) for a in arguments)
            done[part] = sympy.Mul(top, sympy.Pow(bottom, -1, evaluate=False), evaluate=False)
        else:
            done[part] = getattr(sympy, part.token)(*arguments, evaluate=False)
    found = []
    for side in e.children:
        real, imaginary = done[side].evalf(40).as_real_imag()
        again, _ = done[side].evalf(90).as_real_imag()
        if not (real.is_Float or real == 0) or abs(imaginary) > 1e-15 * abs(real):
            raise _UndefinedError
        if abs(real - again) > 1e-15 * abs(real) + 1e-30:  # what it takes for 0 in ((-1)^3 + 1)^x is the rest of a rounding
            raise _UnsureError
        found.append((real, real._prec if real.is_Float else DIGITS * 4))
    return found


class _TimeUp(BaseException):  # not an Exception, which SymPy would catch
    """SymPy took too long."""


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise _TimeUp in the block after so many seconds of this process's computing time, however busy the machine is.

    Only the main thread of a process can use it, because only that thread receives signals.
    """

    def stop(*_: object) -> None:
        raise _TimeUp

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 0.2)  # repeated, in case a `finally` or a destructor swallows one
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
