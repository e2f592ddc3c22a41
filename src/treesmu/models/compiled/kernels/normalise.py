"""Normalise the states of some nodes in place, and their gradients on the way down: models/normalise.py, compiled."""

from __future__ import annotations

import numpy as np

from ...normalise import EPSILON, TINY
from ..native import Array, kernel

NONE, UNIT, LAYER = range(3)  # the normalisations, in the order of models.normalise.Norm


@kernel
def normalise(norm: int, h: Array, scale: Array) -> None:
    """Normalise states (rows, n) in place, and write what they were divided by to scale (rows,)."""
    n = h.shape[1]
    one, zero = h.dtype.type(1), h.dtype.type(0)
    for r in range(len(h) if norm != NONE else 0):
        row = h[r]
        if norm == LAYER:
            total = zero
            for c in range(n):
                total += row[c]
            mean = total / h.dtype.type(n)
            for c in range(n):
                row[c] -= mean
        squares = zero
        for c in range(n):
            squares += row[c] * row[c]
        if norm == LAYER:
            scale[r] = np.sqrt(squares / h.dtype.type(n) + h.dtype.type(EPSILON))
        else:
            scale[r] = max(np.sqrt(squares), h.dtype.type(TINY))
        by = one / scale[r]
        for c in range(n):
            row[c] *= by


@kernel
def normalise_down(norm: int, dh: Array, h: Array, scale: Array) -> None:
    """Turn the gradient of normalised states (rows, n), in place, into that of the states before."""
    n = h.shape[1]
    one, zero = h.dtype.type(1), h.dtype.type(0)
    for r in range(len(h) if norm != NONE else 0):
        grad, row = dh[r], h[r]
        along, total = zero, zero
        for c in range(n):
            along += row[c] * grad[c]
            total += grad[c]
        mean = zero
        if norm == LAYER:
            along /= h.dtype.type(n)
            mean = total / h.dtype.type(n)
        by = one / scale[r]
        for c in range(n):
            grad[c] = (grad[c] - mean - row[c] * along) * by
