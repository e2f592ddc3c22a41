"""The table of functions: their names, their notations, their values and their domains.

A function is one line of :data:`FUNCTIONS`; the parser, the printers, the values and the vocabulary all use this table.
Values are principal values. Where textbooks differ, the convention is ``acot(x) = atan(1/x)`` (an odd function that
jumps at 0), and likewise ``acsc``, ``asec``, ``acsch``, ``asech`` and ``acoth``: the inverse of the reciprocal at ``1/x``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """A function: its names, its notation, its values and its domain."""

    name: str  # the token in prefix form, and the name in the authors' files
    arity: int
    latex: str
    compute: Callable[..., Array]  # vectorised; real arguments outside the domain give NaN
    domain: Callable[..., Array]  # of real arguments: where the value is real and finite
    edges: tuple[int, ...]  # where the real domain of the first argument ends, or has a hole
    family: str  # near misses exchange functions of one family
    mpmath: str = ""  # its name in mpmath, where that differs
    aliases: tuple[str, ...] = ()  # other names that people type
    settles: Callable[[float], float] | None = None  # digits -> the size of the argument above which they are those of a limit
    has_branches: bool = field(init=False)  # identities may hold on one part of the real line and fail on another

    def __post_init__(self) -> None:
        object.__setattr__(self, "has_branches", self.name in ("Pow", "log") or self.family.startswith("inverse"))
        if self.family == "hyperbolic":  # tanh approaches 1, and sinh approaches cosh, like exp(-2x)
            object.__setattr__(self, "settles", lambda digits: 1.15 * digits)

    def __repr__(self) -> str:
        return f"Op({self.name})"

    def __reduce__(self) -> tuple[Callable[[str], Op], tuple[str]]:
        return op, (self.name,)  # an Op is compared by identity, so unpickling must return the same object


def _everywhere(x: Array, *others: Array) -> Array:
    return np.asarray(~np.isnan(sum(others, x)))


def _nonzero(values: Array) -> Array:
    """Replace 0 by NaN: exp, sech and csch have no zeros, so a 0 is an underflow and the value is unknown."""
    return np.where(values == 0, np.nan, values)


def _power(base: Array, exponent: Array) -> Array:
    if not np.iscomplexobj(base):
        # An exponent such as sin(x)^2 + cos(x)^2 is 1 up to rounding; a negative base needs exactly 1.
        whole = np.rint(exponent)
        exponent = np.where((base < 0) & (np.abs(exponent - whole) <= 1e-9), whole, exponent)
    values = np.power(base, exponent)
    unknown = np.isnan(base) | np.isnan(exponent)  # numpy says nan^0 = 1 and 1^nan = 1
    unknown |= (values == 0) & (base != 0)
    return np.where(unknown, np.nan, values)


def _power_is_real(base: Array, exponent: Array) -> Array:
    real = (base > 0) | ((base == 0) & (exponent >= 0)) | ((base < 0) & (exponent == np.rint(exponent)))
    return np.asarray(real)


def _log(value: Array, base: Array) -> Array:
    if not np.iscomplexobj(value):
        base = np.where(base > 0, base, np.nan)  # log(0) = -inf would make the quotient a finite 0
    return np.asarray(np.log(value) / np.log(base))


def _reciprocal(x: Array) -> Array:
    return np.where(x == 0, np.nan, 1 / x)  # acot has no value at its jump; atan(inf) would give it one


def _product(a: Array, b: Array) -> Array:
    values = a * b
    vanished = (values == 0) & (a != 0) & (b != 0)
    return np.where(vanished, np.nan, values) if vanished.any() else values


# fmt: off
FUNCTIONS: tuple[Op, ...] = (
    #  name    arity LaTeX                     values (real and complex)             real domain                     edges     family
    Op("Add",   2, "+",                        np.add,                               _everywhere,                    (),       "arithmetic", "fadd"),
    Op("Mul",   2, "\\cdot",                   _product,                             _everywhere,                    (),       "arithmetic", "fmul"),
    Op("Pow",   2, "^",                        _power,                               _power_is_real,                 (0,),     "arithmetic", "power"),
    Op("log",   2, "\\log",                    _log,                                 lambda x, b: (x > 0) & (b > 0) & (b != 1), (0,),     "exponential"),
    Op("exp",   1, "\\exp",                    lambda x: _nonzero(np.exp(x)),        _everywhere,                    (),       "exponential"),
    Op("sin",   1, "\\sin",                    np.sin,                               _everywhere,                    (),       "trigonometric"),
    Op("cos",   1, "\\cos",                    np.cos,                               _everywhere,                    (),       "trigonometric"),
    Op("csc",   1, "\\csc",                    lambda x: 1 / np.sin(x),              lambda x: np.sin(x) != 0,       (0,),     "trigonometric"),
    Op("sec",   1, "\\sec",                    lambda x: 1 / np.cos(x),              lambda x: np.cos(x) != 0,       (),       "trigonometric"),
    Op("tan",   1, "\\tan",                    np.tan,                               lambda x: np.cos(x) != 0,       (),       "trigonometric"),
    Op("cot",   1, "\\cot",                    lambda x: 1 / np.tan(x),              lambda x: np.sin(x) != 0,       (0,),     "trigonometric"),
    Op("asin",  1, "\\arcsin",                 np.arcsin,                            lambda x: np.abs(x) <= 1,       (-1, 1),  "inverse", "", ("arcsin",)),
    Op("acos",  1, "\\arccos",                 np.arccos,                            lambda x: np.abs(x) <= 1,       (-1, 1),  "inverse", "", ("arccos",)),
    Op("acsc",  1, "\\operatorname{arccsc}",   lambda x: np.arcsin(1 / x),           lambda x: np.abs(x) >= 1,       (-1, 1),  "inverse", "", ("arccsc",)),
    Op("asec",  1, "\\operatorname{arcsec}",   lambda x: np.arccos(1 / x),           lambda x: np.abs(x) >= 1,       (-1, 1),  "inverse", "", ("arcsec",)),
    Op("atan",  1, "\\arctan",                 np.arctan,                            _everywhere,                    (),       "inverse", "", ("arctan",)),
    Op("acot",  1, "\\operatorname{arccot}",   lambda x: np.arctan(_reciprocal(x)),  lambda x: x != 0,               (0,),     "inverse", "", ("arccot",)),
    Op("sinh",  1, "\\sinh",                   np.sinh,                              _everywhere,                    (),       "hyperbolic"),
    Op("cosh",  1, "\\cosh",                   np.cosh,                              _everywhere,                    (),       "hyperbolic"),
    Op("csch",  1, "\\operatorname{csch}",     lambda x: _nonzero(1 / np.sinh(x)),   lambda x: x != 0,               (0,),     "hyperbolic"),
    Op("sech",  1, "\\operatorname{sech}",     lambda x: _nonzero(1 / np.cosh(x)),   _everywhere,                    (),       "hyperbolic"),
    Op("tanh",  1, "\\tanh",                   np.tanh,                              _everywhere,                    (),       "hyperbolic"),
    Op("coth",  1, "\\coth",                   lambda x: 1 / np.tanh(x),             lambda x: x != 0,               (0,),     "hyperbolic"),
    Op("asinh", 1, "\\operatorname{arsinh}",   np.arcsinh,                           _everywhere,                    (),       "inverse hyperbolic", "", ("arsinh", "arcsinh")),
    Op("acosh", 1, "\\operatorname{arcosh}",   np.arccosh,                           lambda x: x >= 1,               (1,),     "inverse hyperbolic", "", ("arcosh", "arccosh")),
    Op("acsch", 1, "\\operatorname{arcsch}",   lambda x: np.arcsinh(1 / x),          lambda x: x != 0,               (0,),     "inverse hyperbolic", "", ("arcsch", "arccsch")),
    Op("asech", 1, "\\operatorname{arsech}",   lambda x: np.arccosh(1 / x),          lambda x: (x > 0) & (x <= 1),   (0, 1),   "inverse hyperbolic", "", ("arsech", "arcsech")),
    Op("atanh", 1, "\\operatorname{artanh}",   np.arctanh,                           lambda x: np.abs(x) < 1,        (-1, 1),  "inverse hyperbolic", "", ("artanh", "arctanh")),
    Op("acoth", 1, "\\operatorname{arcoth}",   lambda x: np.arctanh(1 / x),          lambda x: np.abs(x) > 1,        (-1, 1),  "inverse hyperbolic", "", ("arcoth", "arccoth")),
)
# fmt: on

EQUALITY = Op("Equality", 2, "=", np.equal, _everywhere, (), "equality")  # the root of an equation; it has no weights

_BY_NAME = {f.name: f for f in (*FUNCTIONS, EQUALITY)}


def op(name: str) -> Op:
    """Return the function with this name; raise a ValueError that lists the known names if there is none."""
    try:
        return _BY_NAME[name]
    except KeyError:
        raise ValueError(f"unknown function {name!r}; known: {', '.join(f.name for f in FUNCTIONS)}") from None


ADD, MUL, POW, LOG = (op(name) for name in ("Add", "Mul", "Pow", "log"))
