"""The step of Tree-SMU, compiled: some nodes at a time, each while its row is in the cache. Formulas: cells/smu.py."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..native import Array, kernel, row_kernel
from . import queue, stack
from .arithmetic import add, copy, exp_of, sigmoid, tanh, tanh_of
from .rows import DownRows, UpRows, declare, linear_gradients, step_down, step_up
from .stack import combine, combine_down, drop_down, dropped


class SMU(NamedTuple):
    """The settings of a TreeSMU as integers."""

    n: int
    p: int
    top: int
    no_op: int
    pop: int
    softmax: int
    queue: int


def sizes(cell: SMU) -> tuple[int, int, int]:
    """Return how many numbers per node are kept for the way down and on it, and how many a step needs for itself.

    On the way up nothing is kept but z and the memories: to compute the actions again is faster than to read them from main
    memory. On the way down: the gradient of the combined memory. For itself: the combined memory, the gradient of the new one
    with a row of zeros below it, and eleven rows.
    """
    rows = cell.p * (2 if cell.queue else 1)
    return 0, rows * cell.n, (2 * rows + 12) * cell.n


@kernel
def _columns(cell: Any, z: Array, a: int, otherwise: Array) -> Array:
    """Return the columns of push, no-op or pop (a = 0, 1, 2) in a row of z, or another row if the cell does not have it."""
    n = cell.n
    if (a == 1 and not cell.no_op) or (a == 2 and not cell.pop):
        return otherwise
    first = 2 + (a if cell.no_op else a // 2)
    return z[first * n : (first + 1) * n]


@row_kernel
def _share(
    softmax: int, has_no_op: Any, has_pop: Any, s0: Array, s1: Array, s2: Array, push: Array, no_op: Array, pop: Array
) -> None:
    """Write push, no-op and pop, normalised to sum to 1, from the squashed gates. has_no_op, has_pop: 1 or 0."""
    one, tiny = push.dtype.type(1), push.dtype.type(np.finfo(push.dtype).tiny)
    if softmax:
        for c in range(len(push)):
            e0, e1, e2 = exp_of(s0[c]), has_no_op * exp_of(s1[c]), has_pop * exp_of(s2[c])
            by = one / (e0 + e1 + e2)
            push[c], no_op[c], pop[c] = e0 * by, e1 * by, e2 * by
    else:
        for c in range(len(push)):
            e0, e1, e2 = s0[c], has_no_op * s1[c], has_pop * s2[c]
            by = one / max(e0 + e1 + e2, tiny)
            push[c], no_op[c], pop[c] = e0 * by, e1 * by, e2 * by


@kernel
def _actions_up(cell: Any, z: Array, actions: Array) -> None:
    """Write push, no-op and pop (3·n,) from the squashed gates in a row of z."""
    n, one = cell.n, z.dtype.type
    s0 = _columns(cell, z, 0, z)
    s1, s2 = _columns(cell, z, 1, s0), _columns(cell, z, 2, s0)
    push, no_op, pop = actions[:n], actions[n : 2 * n], actions[2 * n : 3 * n]
    _share(cell.softmax, one(cell.no_op), one(cell.pop), s0, s1, s2, push, no_op, pop)


@row_kernel
def _share_down(
    softmax: int,
    has_no_op: Any,
    has_pop: Any,
    s0: Array,
    s1: Array,
    s2: Array,
    push: Array,
    no_op: Array,
    pop: Array,
    dpush: Array,
    dno_op: Array,
    dpop: Array,
    dz0: Array,
    dz1: Array,
    dz2: Array,
) -> None:
    """Write the gradients of the pre-activations of the actions, from those of the normalised actions."""
    one, tiny = push.dtype.type(1), push.dtype.type(np.finfo(push.dtype).tiny)
    for c in range(len(push)):
        along = dpush[c] * push[c] + dno_op[c] * no_op[c] + dpop[c] * pop[c]
        by0, by1, by2 = push[c], no_op[c], pop[c]
        if not softmax:
            by0 = by1 = by2 = one / max(s0[c] + has_no_op * s1[c] + has_pop * s2[c], tiny)
        dz0[c] = (dpush[c] - along) * by0 * s0[c] * (one - s0[c])
        dz1[c] = (dno_op[c] - along) * by1 * s1[c] * (one - s1[c])
        dz2[c] = (dpop[c] - along) * by2 * s2[c] * (one - s2[c])


@kernel
def _actions_down(cell: Any, z: Array, actions: Array, dactions: Array, dz: Array, waste: Array) -> None:
    """Write the gradients of the pre-activations of the actions to dz. waste: (2·n,) for those of actions that are absent."""
    n, one = cell.n, z.dtype.type
    s0 = _columns(cell, z, 0, z)
    s1, s2 = _columns(cell, z, 1, s0), _columns(cell, z, 2, s0)
    push, no_op, pop = actions[:n], actions[n : 2 * n], actions[2 * n : 3 * n]
    dpush, dno_op, dpop = dactions[:n], dactions[n : 2 * n], dactions[2 * n : 3 * n]
    dz0 = _columns(cell, dz, 0, dz)
    dz1, dz2 = _columns(cell, dz, 1, waste[:n]), _columns(cell, dz, 2, waste[n:])
    _share_down(cell.softmax, one(cell.no_op), one(cell.pop), s0, s1, s2, push, no_op, pop, dpush, dno_op, dpop, dz0, dz1, dz2)


@declare(SMU, step_up)
def _up(cell: Any, at: UpRows) -> None:
    n, size, width = cell.n, at.memory.shape[1], at.net.width
    combined, work = at.scratch[:size], at.scratch[size:]
    actions = work[: 3 * n]
    for r in range(len(at.z)):
        z, memory = at.z[r], at.memory[r]
        tanh(z[:n])
        sigmoid(z[n:])
        _actions_up(cell, z, actions)
        combine(z[width:], at.memories, at.children[r], n, combined)
        pushed = dropped(at.masks, r, 0, z[:n], work[3 * n : 4 * n])
        if cell.queue:
            queue.move(cell.p, n, pushed, combined, actions, memory)
        else:
            stack.move(cell.p, n, pushed, combined, actions, memory)
        seen = _seen(cell, z[width - cell.top : width], memory, work[4 * n : 5 * n])
        _read(z[n : 2 * n], seen, at.h[r])


@row_kernel
def _read(o: Array, seen: Array, h: Array) -> None:
    """Write h = o tanh(seen)."""
    for c in range(len(h)):
        h[c] = o[c] * tanh_of(seen[c])


@kernel
def _seen(cell: Any, g: Array, memory: Array, seen: Array) -> Array:
    """Return what the state reads: the top row or, written to seen, the weighted sum of the top k rows, Σ_j g_j S[j]."""
    n = cell.n
    if cell.top == 1:
        return memory[:n]
    for c in range(n):
        seen[c] = g[0] * memory[c]
    for j in range(1, cell.top):
        row, weight = memory[j * n : (j + 1) * n], g[j]
        for c in range(n):
            seen[c] += weight * row[c]
    return seen


@row_kernel
def _read_down(dh: Array, o: Array, seen: Array, do: Array, dseen: Array) -> None:
    """Write the gradients of the output gate's pre-activation and of what the state reads."""
    one = o.dtype.type(1)
    for c in range(len(dh)):
        t = tanh_of(seen[c])
        do[c] = dh[c] * t * o[c] * (one - o[c])
        dseen[c] = dh[c] * o[c] * (one - t * t)


@kernel
def _seen_down(cell: Any, g: Array, memory: Array, dseen: Array, dmemory: Array, dz: Array) -> None:
    """Add to the gradient of the top k rows, and write that of their weights' pre-activations. g, dz: (k,)."""
    n, one = cell.n, dseen.dtype.type(1)
    for j in range(cell.top):
        row, to, weight, dot = memory[j * n : (j + 1) * n], dmemory[j * n : (j + 1) * n], g[j], dseen.dtype.type(0)
        for c in range(n):
            dot += dseen[c] * row[c]
        for c in range(n):
            to[c] += weight * dseen[c]
        dz[j] = dot * weight * (one - weight)


@row_kernel
def _tanh_down(u: Array, grad: Array) -> None:
    """Turn the gradient of u = tanh(...) into that of its pre-activation, in place."""
    one = u.dtype.type(1)
    for c in range(len(u)):
        grad[c] *= one - u[c] * u[c]


@declare(SMU, step_down)
def _down(cell: Any, at: DownRows) -> None:
    up = at.up
    n, size, width = cell.n, up.memory.shape[1], up.net.width
    combined, dmemory, work = up.scratch[:size], up.scratch[size : 2 * size + n], up.scratch[2 * size + n :]
    dseen, dactions, actions = work[:n], work[n : 4 * n], work[4 * n : 7 * n]
    for c in range(size, size + n):
        dmemory[c] = dmemory.dtype.type(0)
    for r in range(len(up.z)):
        z, memory, dz, dcombined = up.z[r], up.memory[r], at.dz[r], at.dkept[r]
        g, dg = z[width - cell.top : width], dz[width - cell.top : width]
        _actions_up(cell, z, actions)
        combine(z[width:], up.memories, up.children[r], n, combined)
        pushed = dropped(up.masks, r, 0, z[:n], work[7 * n : 8 * n])
        seen = _seen(cell, g, memory, work[8 * n : 9 * n])
        _read_down(at.dh[r], z[n : 2 * n], seen, dz[n : 2 * n], dseen)
        copy(at.dmemory[r], dmemory[:size])
        if cell.top == 1:
            add(dseen, dmemory[:n])
        else:
            _seen_down(cell, g, memory, dseen, dmemory, dg)
        du = dz[:n]
        if cell.queue:
            queue.move_down(cell.p, n, pushed, combined, actions, dmemory, dcombined, dactions, du)
        else:
            stack.move_down(cell.p, n, pushed, combined, actions, dmemory, dcombined, dactions, du)
        drop_down(up.masks, r, 0, du)
        _tanh_down(z[:n], du)
        _actions_down(cell, z, actions, dactions, dz, work[9 * n : 11 * n])
        combine_down(z[width:], up.memories, up.children[r], n, dcombined, dz[width:])


@declare(SMU, linear_gradients)
def _linear_gradients(cell: Any, net: Any, function: int, kept: Array, dkept: Array, thread: int, threads: int) -> None:
    pass  # there are no further linear maps
