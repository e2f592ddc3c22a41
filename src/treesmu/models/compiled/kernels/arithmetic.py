"""Functions of rows of numbers, in loops that the compiler vectorises: logistic function, tanh, exp and gelu.

The C library's float32 functions cannot be vectorised, and would take most of the time of a pass. Those here agree with them to
a few units in the last place (tests/models/compiled/kernels/test_arithmetic.py). In float64 the C library's are used.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from ..native import Array, kernel, power_of_two, row_kernel

F = np.float32
LOG2_E, LN2_HIGH, LN2_LOW = F(1.44269504), F(0.693359375), F(-2.12194440e-4)  # ln 2 in two parts, the first exact in float32
LOWEST, HIGHEST = F(-87.0), F(88.0)  # beyond them exp leaves the range of float32
# exp(r) = 1 + r + r² (E0 + E1 r + ... + E5 r⁵) for |r| <= ln(2) / 2
E0, E1, E2, E3, E4, E5 = F(5.0000001e-1), F(1.6666665e-1), F(4.1665796e-2), F(8.3334519e-3), F(1.3981999e-3), F(1.9875691e-4)
# tanh(x) = x P(x²) / Q(x²) for |x| <= 7.905, beyond which it is 1 in float32: the fit of the Eigen library
P0, P1, P2, P3 = F(4.89352455891786e-03), F(6.37261928875436e-04), F(1.48572235717979e-05), F(5.12229709037114e-08)
P4, P5, P6 = F(-8.60467152213735e-11), F(2.00018790482477e-13), F(-2.76076847742355e-16)
Q0, Q1, Q2, Q3 = F(4.89352518554385e-03), F(2.26843463243900e-03), F(1.18534705686654e-04), F(1.19825839466702e-06)
TANH_END = F(7.90531110763549805)
ONE, HALF = F(1), F(0.5)
GELU_SCALE, GELU_CUBE = math.sqrt(2 / math.pi), 0.044715


@kernel
def _exp32(x: Any) -> Any:
    x = min(max(x, LOWEST), HIGHEST)
    k = np.floor(x * LOG2_E + HALF)
    r = x - k * LN2_HIGH - k * LN2_LOW
    y = ((((E5 * r + E4) * r + E3) * r + E2) * r + E1) * r + E0
    return (y * r * r + r + ONE) * power_of_two(k)


@kernel
def _tanh32(x: Any) -> Any:
    x = min(max(x, -TANH_END), TANH_END)
    s = x * x
    p = (((((P6 * s + P5) * s + P4) * s + P3) * s + P2) * s + P1) * s + P0
    q = ((Q3 * s + Q2) * s + Q1) * s + Q0
    return x * p / q


def exp_of(x: Any) -> Any:
    """Return e to the power of x."""
    return math.exp(x)


def tanh_of(x: Any) -> Any:
    """Return tanh(x)."""
    return math.tanh(x)


@overload(exp_of, strict=False)  # type: ignore[untyped-decorator]
def _exp_of(x: Any) -> Any:
    return (lambda x: _exp32(x)) if x == types.float32 else (lambda x: math.exp(x))


@overload(tanh_of, strict=False)  # type: ignore[untyped-decorator]
def _tanh_of(x: Any) -> Any:
    return (lambda x: _tanh32(x)) if x == types.float32 else (lambda x: math.tanh(x))


@row_kernel
def copy(row: Array, out: Array) -> None:
    """Write every number to out."""
    for c in range(len(row)):
        out[c] = row[c]


@row_kernel
def add(row: Array, out: Array) -> None:
    """Add every number to those of out."""
    for c in range(len(row)):
        out[c] += row[c]


@kernel
def tanh(row: Array) -> None:
    """Replace every number by its tanh."""
    for c in range(len(row)):
        row[c] = tanh_of(row[c])


@kernel
def sigmoid(row: Array) -> None:
    """Replace every number by the logistic function of it."""
    one = row.dtype.type(1)
    for c in range(len(row)):
        row[c] = one / (one + exp_of(-row[c]))


@row_kernel
def gelu_to(row: Array, out: Array) -> None:
    """Write x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))) of every number to out."""
    one, half = row.dtype.type(1), row.dtype.type(0.5)
    scale, cube = row.dtype.type(GELU_SCALE), row.dtype.type(GELU_CUBE)
    for c in range(len(row)):
        x = row[c]
        out[c] = half * x * (one + tanh_of(scale * (x + cube * x * x * x)))


@row_kernel
def gelu_down(grad: Array, row: Array) -> None:
    """Replace the gradient of gelu by that of its argument, the row."""
    one, half, three = row.dtype.type(1), row.dtype.type(0.5), row.dtype.type(3)
    scale, cube = row.dtype.type(GELU_SCALE), row.dtype.type(GELU_CUBE)
    for c in range(len(row)):
        x = row[c]
        t = tanh_of(scale * (x + cube * x * x * x))
        slope = scale * (one + three * cube * x * x)
        grad[c] *= half * (one + t) + half * x * (one - t * t) * slope
