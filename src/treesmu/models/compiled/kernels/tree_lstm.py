"""The step of Tree-LSTM, compiled: some nodes at a time, each while its row is in the cache. See cells/tree_lstm.py."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..native import Array, row_kernel
from .arithmetic import sigmoid, tanh, tanh_of
from .rows import DownRows, UpRows, declare, linear_gradients, step_down, step_up
from .stack import combine, combine_down, drop_down, dropped


class LSTM(NamedTuple):
    """The settings of a TreeLSTM as integers."""

    n: int


def sizes(cell: LSTM) -> tuple[int, int, int]:
    """Return how many numbers per node are kept for the way down (tanh c) and on it (dc), and how many a step needs."""
    return cell.n, cell.n, cell.n


@row_kernel
def _c_and_h(u: Array, i: Array, o: Array, c: Array, tanh_c: Array, h: Array) -> None:
    """Add i u to c, which is Σ f_k c_k, and write h = o tanh(c)."""
    for k in range(len(h)):
        c[k] += i[k] * u[k]
        t = tanh_of(c[k])
        tanh_c[k] = t
        h[k] = o[k] * t


@row_kernel
def _c_and_h_down(
    u: Array,
    pushed: Array,
    i: Array,
    o: Array,
    tanh_c: Array,
    dh: Array,
    dmemory: Array,
    dc: Array,
    du: Array,
    di: Array,
    do: Array,
) -> None:
    """Write the gradient of c and those of the pre-activations of u, i and o. pushed: u after dropout."""
    one = u.dtype.type(1)
    for k in range(len(dh)):
        t = tanh_c[k]
        grad = dmemory[k] + dh[k] * o[k] * (one - t * t)
        dc[k] = grad
        do[k] = dh[k] * t * o[k] * (one - o[k])
        di[k] = grad * pushed[k] * i[k] * (one - i[k])
        du[k] = grad * i[k] * (one - u[k] * u[k])


@declare(LSTM, step_up)
def _up(cell: Any, at: UpRows) -> None:
    n = cell.n
    for r in range(len(at.z)):
        z, memory = at.z[r], at.memory[r]
        tanh(z[:n])
        sigmoid(z[n:])
        combine(z[3 * n :], at.memories, at.children[r], n, memory)
        pushed = dropped(at.masks, r, 0, z[:n], at.scratch)
        _c_and_h(pushed, z[n : 2 * n], z[2 * n : 3 * n], memory, at.kept[r], at.h[r])


@declare(LSTM, step_down)
def _down(cell: Any, at: DownRows) -> None:
    n, up = cell.n, at.up
    for r in range(len(up.z)):
        z, dz, dc = up.z[r], at.dz[r], at.dkept[r]
        u, i, o, du = z[:n], z[n : 2 * n], z[2 * n : 3 * n], dz[:n]
        pushed = dropped(up.masks, r, 0, u, up.scratch)
        di, do = dz[n : 2 * n], dz[2 * n : 3 * n]
        _c_and_h_down(u, pushed, i, o, up.kept[r], at.dh[r], at.dmemory[r], dc, du, di, do)
        drop_down(up.masks, r, 0, du)
        combine_down(z[3 * n :], up.memories, up.children[r], n, dc, dz[3 * n :])


@declare(LSTM, linear_gradients)
def _linear_gradients(cell: Any, net: Any, function: int, kept: Array, dkept: Array, thread: int, threads: int) -> None:
    pass  # there are no further linear maps
