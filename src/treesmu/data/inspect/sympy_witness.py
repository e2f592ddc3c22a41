"""The second witness of an audit: SymPy's evalf, within a limit of computing time."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from treesmu.expr import Expr, distinct

from .witness import DIGITS, Point, PointVerdict, UndefinedValueError, UnsureError, is_equal_as_shown


def ask_sympy(e: Expr, point: Point, seconds: float) -> PointVerdict:
    """Return the verdict of SymPy's evalf, which keeps track of lost digits in its own way; "" if it takes too long.

    seconds: the limit of computing time. Only the main thread of a process can call this.
    """
    sympy = _sympy()  # before the limit: an interrupted import leaves a broken module behind
    try:
        with _at_most(seconds):
            (left, left_bits), (right, right_bits) = _evalf(sympy, e, point)
    except (_TimeUp, ArithmeticError, AttributeError, NotImplementedError, RecursionError, TypeError, ValueError):
        return ""
    difference, scale = abs(left - right), max(abs(left), abs(right))
    if difference <= 1e-30 * scale + 1e-36 or is_equal_as_shown(e, left, right):
        return "equal"
    clear = difference > 1e-20 * scale + 1e-30 and min(left_bits, right_bits) > 100
    return "different" if clear else ""


@cache
def _sympy() -> Any:
    """Return the module, imported completely: one computation of every kind loads what SymPy imports on first use."""
    import sympy

    x = sympy.Rational(1, 3)
    for function in (sympy.sin, sympy.sec, sympy.acos, sympy.atanh, sympy.log, sympy.exp):
        sympy.Add(sympy.Pow(function(x, evaluate=False), x, evaluate=False), sympy.pi, evaluate=False).evalf(40).as_real_imag()
    return sympy


def _evalf(sympy: Any, e: Expr, point: Point) -> list[tuple[Any, int]]:
    """Return the values of the sides and their correct bits. The tree is built unevaluated, with numbers for variables."""
    done: dict[Expr, Any] = {}
    for part in distinct(e.children):
        arguments = [done[c] for c in part.children]
        if part.op is None:
            exact = part.number if part.number is not None else point.get(part.token)
            constants = {"pi": sympy.pi, "e": sympy.E}
            done[part] = constants[part.token] if exact is None else sympy.Rational(exact.numerator, exact.denominator)
        elif part.token == "Pow" and arguments[0] == 0:
            raise UnsureError  # 0^(1 - 1) is 1, but with a rounding error in the exponent SymPy computes 0
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
            raise UndefinedValueError
        if abs(real - again) > 1e-15 * abs(real) + 1e-30:  # as in ((-1)^3 + 1)^x, where a rounding error stands for 0
            raise UnsureError
        found.append((real, real._prec if real.is_Float else DIGITS * 4))
    return found


class _TimeUp(BaseException):  # not an Exception, because SymPy would catch it
    """SymPy has used up its computing time."""


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise _TimeUp in the block after this many seconds of this process's computing time, however busy the machine is.

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
