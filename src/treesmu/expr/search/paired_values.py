"""Values of a function for very many arguments at one point, with rounding errors, as :mod:`..numeric.values` has them.

There, each sub-expression is an object and has a row; here, millions of values are numbers only. An array is (2, n): the
values, and the same disturbed. The difference of the two shows how far a value can be trusted.
"""

from __future__ import annotations

import numpy as np

from ..numeric.rounding import NOISE, snap_to_edges
from ..ops import Array, Op

_POLE = 1e6  # a value above this that is also uncertain is the reciprocal of a rounding error


def apply(function: Op, *arguments: Array, noise: float = NOISE) -> Array:
    """Return the values of a function, (2, ...), NaN where it is undefined; arguments are (2, ...) and are broadcast."""
    first, *others = arguments
    if function.edges:
        first = first.copy()
        snap_to_edges(function, first[0], first[1])
    values = function.compute(first, *others)
    values += values * 0  # infinities become NaN: 1/inf must not come back as a finite 0
    values[1] *= 1 + noise
    size = np.abs(values[0])
    if (size > _POLE).any():
        values[0][(size > _POLE) & (np.abs(values[0] - values[1]) > 0.01 * size)] = np.nan
    return np.asarray(values)
