"""Hashes of values at points: rows of values that are equal up to rounding, and defined at the same points, have one hash.

Much faster than comparing rows with each other, and coarser than the numeric check: two equal values whose ten digits happen
to be rounded to different sides have different hashes, about once in a hundred thousand rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..ops import Array
from ..tree import Expr
from .sample_points import SamplePoints
from .values import Values, ValueTable

DIGITS = 2.0**34  # ten decimal digits; with seven, coth(10) would equal 1
_POINTS = SamplePoints(seed=20201119, count=24)


def value_hashes(values: Array) -> Array:
    """Return a hash of each row of values, (rows,) uint64, after rounding; NaN is a value like any other."""
    mixed = np.zeros(len(values), np.uint64)  # one point at a time: a corpus may have millions of rows
    for column in values.T:
        is_defined = ~np.isnan(column)
        mantissa, exponent = np.frexp(np.where(is_defined, column, 0))
        # Scaled back to a number, so that 0.9999... and 1.0000... become equal; + 0.0 turns -0 into 0.
        rounded = np.ldexp(np.rint(mantissa * DIGITS) / DIGITS, exponent) + 0.0
        bits = np.where(is_defined, rounded, np.nan).view(np.uint64)
        mixed = (mixed ^ bits) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed


def hash_expressions(expressions: Sequence[Expr]) -> Array:
    """Return a hash of the value of each expression at fixed points, (expressions,) uint64: the same in every process."""
    return value_hashes(without_rounding_errors(ValueTable(_POINTS).values(expressions)))


def without_rounding_errors(values: Values) -> Array:
    """Return the values with 0 where only a rounding error is left, as in sin(pi). (expressions, points)"""
    error = np.abs(values.plain - values.disturbed)
    return np.where(np.isnan(error), np.nan, np.where(np.abs(values.plain) <= 8 * error, 0.0, values.plain))
