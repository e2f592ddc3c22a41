"""Estimate rounding errors of float64: noise, values that are exact, and functions that lose the digits of an argument.

Float64 does not say how far it can be trusted, so :mod:`~treesmu.expr.numeric.values` computes every point twice: once
plainly, and once with each result disturbed by a random relative amount about a hundred times larger than rounding. The
difference of the two results is an estimate of the error that rounding may have caused, for any combination of functions
(stochastic arithmetic).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import e as euler
from math import pi

import numpy as np

from ..node import Node
from ..ops import ADD, MUL, POW, Array, Op

NOISE = 2.0**-46  # the largest relative disturbance; float64 rounds at 2**-53
SEEN_DIGITS = 12 / 1.15  # of a value in float64; tanh has its limit's from 12 on
_CONSTANTS = {"pi": pi, "e": euler}


@lru_cache(maxsize=8)
def noise_factors(seed: int, count: int, rows: int = 1024) -> Array:
    """Return factors close to 1 to disturb results with, never so close that they would be rounded away; row 0 is 1."""
    rng = np.random.default_rng([seed, count, rows])
    factors = 1 + NOISE * np.copysign(rng.uniform(0.5, 1.0, (rows, count)), rng.uniform(-1, 1, (rows, count)))
    factors[0] = 1
    return np.asarray(factors)


def constant_value(e: Node) -> float:
    """Return the value of a number or constant, NaN for a leaf that has none in float64."""
    try:
        return float(e.number) if e.number is not None else _CONSTANTS.get(e.token, np.nan)
    except OverflowError:
        return np.nan


def is_exact(e: Node) -> bool:
    """Return whether float64 represents a leaf exactly."""
    value = constant_value(e)
    return bool(np.isfinite(value)) and Fraction(value) == e.number


def are_exact(function: Op, argument: Array, values: Array) -> Array:
    """Return where exact arguments give exact values: few binary digits, from arithmetic or from cos(0), ln(1) and the like."""
    shifted = values * 2.0**20
    short = (np.abs(values) < 2.0**30) & (shifted == np.rint(shifted))
    return np.asarray(short if function.family == "arithmetic" else short & (np.abs(argument) <= 1))


def snap_to_edges(function: Op, plain: Array, disturbed: Array) -> None:
    """Set arguments that differ from an edge of the domain only by rounding to it, in place: sqrt(sin(pi)), ln(x - x)."""
    if function.edges:
        error = np.abs(plain - disturbed)
        for edge in function.edges:
            there = (np.abs(plain - edge) <= 8 * error) & (error < 1e-9)
            plain[there] = disturbed[there] = edge


def loses_digits(function: Op, arguments: list[Array], disturbed: list[Array]) -> Array | bool:
    """Return where the value in float64 no longer depends on an argument: tanh(30) is 1, x + exp(-50) is x.

    A value that is 0 up to its error counts as 0, not as small: in x + sin(pi) nothing is lost.
    """
    first = np.abs(arguments[0])
    if function is MUL:
        return False
    if function is ADD:
        second = np.abs(arguments[1])
        lost = np.minimum(first, second) < 1e-11 * np.maximum(first, second)
        small: list[Array] = [first <= second, second < first]  # for each argument, where it is the one that may be lost
    elif function is POW:
        lost = (np.abs(arguments[1] * np.log(first)) < 1e-6) & (first != 1)
        small = [np.asarray(False), np.asarray(True)]
    else:
        far = function.settles(SEEN_DIGITS) if function.settles else np.inf if function.name == "exp" else 1e5
        lost = (first > far) | (first < 1e-6)
        small = [first < 1e-6]
    if lost.any():
        for value, other, is_small in zip(arguments, disturbed, small, strict=False):
            lost &= ~(is_small & (np.abs(value) <= 8 * np.abs(value - other)))
    return np.asarray(lost)
