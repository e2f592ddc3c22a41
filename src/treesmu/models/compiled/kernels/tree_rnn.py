"""The step of Tree-RNN, compiled: some nodes at a time. See cells/tree_rnn.py for the formulas."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..native import Array, kernel
from .arithmetic import copy, sigmoid, tanh
from .products import layer_down, layer_gradients, layer_up
from .rows import DownRows, UpRows, declare, linear_gradients, step_down, step_up
from .stack import drop, drop_down


class RNN(NamedTuple):
    """The settings of a TreeRNN as integers."""

    n: int
    layers: int
    is_logistic: int


def sizes(cell: RNN) -> tuple[int, int, int]:
    """Return how many numbers per node are kept for the way down and on it, and how many a step needs for itself.

    With two layers: the first one after dropout; the gradient of the second one's pre-activations. The second layer before
    dropout is kept behind the first one.
    """
    return (2 * cell.n, cell.n, 0) if cell.layers == 2 else (0, 0, 0)


@kernel
def _activate(cell: Any, row: Array) -> None:
    if cell.is_logistic:
        sigmoid(row)
    else:
        tanh(row)


@kernel
def _activate_down(cell: Any, activated: Array, grad: Array) -> None:
    """Turn the gradient of what was activated into that of the pre-activation, in place."""
    one = grad.dtype.type(1)
    for c in range(len(grad)):
        slope = activated[c] * (one - activated[c]) if cell.is_logistic else one - activated[c] * activated[c]
        grad[c] *= slope


@declare(RNN, step_up)
def _up(cell: Any, at: UpRows) -> None:
    n, rows = cell.n, len(at.z)
    if cell.layers == 1:
        for r in range(rows):
            _activate(cell, at.z[r])
            drop(at.masks, r, 0, at.z[r], at.h[r])
        return
    for r in range(rows):
        _activate(cell, at.z[r])
        drop(at.masks, r, 0, at.z[r], at.kept[r, :n])
    layer_up(at.net, at.net.linears, at.function, at.kept, at.h)
    for r in range(rows):
        second = at.kept[r, n:]
        copy(at.h[r], second)
        _activate(cell, second)
        drop(at.masks, r, 1, second, at.h[r])


@declare(RNN, step_down)
def _down(cell: Any, at: DownRows) -> None:
    n, up = cell.n, at.up
    rows = len(up.z)
    if cell.layers == 2:
        for r in range(rows):
            dsecond = at.dkept[r]
            copy(at.dh[r], dsecond)
            drop_down(up.masks, r, 1, dsecond)
            _activate_down(cell, up.kept[r, n:], dsecond)
        layer_down(up.net, up.net.linears, up.function, at.dkept, at.dz)
    for r in range(rows):
        if cell.layers == 1:
            copy(at.dh[r], at.dz[r])
        drop_down(up.masks, r, 0, at.dz[r])
        _activate_down(cell, up.z[r], at.dz[r])


@declare(RNN, linear_gradients)
def _linear_gradients(cell: Any, net: Any, function: int, kept: Array, dkept: Array, thread: int, threads: int) -> None:
    if cell.layers == 2:
        layer_gradients(net, net.linears, function, kept, dkept, thread, threads)
