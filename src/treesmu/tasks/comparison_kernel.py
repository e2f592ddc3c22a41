"""The heads and their loss, compiled: models/head.py and the cross-entropy, with gradients, one pair of states at a time."""

from __future__ import annotations

import math
from typing import Any

from treesmu.models.compiled.native import Array, DirectCalls, entry, kernel, row_kernel, unowned
from treesmu.models.head import DistanceHead, DotHead

HEADS = {DotHead: 0, DistanceHead: 1}
DOT = HEADS[DotHead]


@row_kernel
def _dot(left: Array, right: Array) -> Any:
    total = left.dtype.type(0)
    for c in range(len(left)):
        total += left[c] * right[c]
    return total


@row_kernel
def _squared_distance(left: Array, right: Array) -> Any:
    total = left.dtype.type(0)
    for c in range(len(left)):
        total += (left[c] - right[c]) * (left[c] - right[c])
    return total


@kernel
def _add_products(by: float, left: Array, right: Array, dleft: Array, dright: Array) -> None:
    """Add the gradients of by (l · r)."""
    for c in range(len(left)):
        dleft[c] += by * right[c]
        dright[c] += by * left[c]


@kernel
def _add_differences(by: float, left: Array, right: Array, dleft: Array, dright: Array) -> None:
    """Add the gradients of by |l - r|² / 2."""
    for c in range(len(left)):
        change = by * (left[c] - right[c])
        dleft[c] += change
        dright[c] -= change


@entry
def compare(
    head: int,
    states: Array,
    pairs: Array,
    label: Array,
    weight: float,
    bias: Array,
    raw_scale: Array,
    dstates: Array,
    dbias: Array,
    draw_scale: Array,
) -> float:
    """Return weight times the cross-entropy of the head, summed over pairs (m, 2) of states; add its gradients to all others.

    label: (m,). DotHead has no scale: raw_scale is then without meaning.
    """
    states, dstates, number = unowned(states), unowned(dstates), states.dtype.type
    raw = float(raw_scale[0])
    scale = max(raw, 0.0) + math.log1p(math.exp(-abs(raw)))  # softplus
    loss, dscale = 0.0, 0.0
    for m in range(len(pairs)):
        first, second = pairs[m, 0], pairs[m, 1]
        left, right = states[first], states[second]
        compared = float(_dot(left, right)) if head == DOT else float(_squared_distance(left, right))
        logit = bias[0] + (compared if head == DOT else -scale * compared)
        small = math.exp(-abs(logit))
        loss += max(logit, 0.0) - logit * label[m] + math.log1p(small)
        grad = weight * ((1.0 if logit >= 0 else small) / (1.0 + small) - label[m])
        dbias[0] += grad
        if head == DOT:
            _add_products(number(grad), left, right, dstates[first], dstates[second])
        else:
            dscale -= grad * compared
            _add_differences(number(-2 * scale * grad), left, right, dstates[first], dstates[second])
    draw_scale[0] += dscale / (1.0 + math.exp(-raw))
    return weight * loss


COMPARE = DirectCalls(compare)
