"""The step of the stack-augmented Tree-RNN, compiled: some nodes at a time. See cells/stack_rnn.py for the formulas."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..native import Array, kernel
from . import stack
from .arithmetic import copy, exp_of, sigmoid, tanh
from .products import map_down, map_gradients, map_up
from .rows import DownRows, UpRows, declare, linear_gradients, step_down, step_up
from .stack import combine, combine_down, drop_down, dropped

P, A, D = range(3)  # the further linear maps, in the order of StackTreeRNN.linears


class StackRNN(NamedTuple):
    """The settings of a StackTreeRNN as integers."""

    n: int
    p: int
    top: int
    no_op: int


def sizes(cell: StackRNN) -> tuple[int, int, int]:
    """Return how many numbers per node are kept for the way down and on it, and how many a step needs for itself.

    Kept: the combined stack, the state, the pushed value before dropout, and the actions. On the way down: the gradients of the
    combined stack, of the pre-activations of state and value, and of the actions' scores.
    """
    size = (cell.p + 2) * cell.n + 3
    return size, size, (cell.p + 8) * cell.n


@kernel
def _map(at: UpRows, number: int) -> Array:
    """Return the table of one of the further linear maps."""
    return at.net.linears.maps[at.net.linears.starts[at.function] + number]


@kernel
def _actions(cell: Any, scores: Array, actions: Array, n: int) -> None:
    """Replace the scores (2 or 3,) by their softmax; write every action n times, (3·n,), 0 for one that is absent."""
    highest, total, zero = scores[0], actions.dtype.type(0), actions.dtype.type(0)
    for a in range(2 + cell.no_op):
        highest = max(highest, scores[a])
    for a in range(2 + cell.no_op):
        scores[a] = exp_of(scores[a] - highest)
        total += scores[a]
    for a in range(2 + cell.no_op):
        scores[a] /= total
    _spread(cell, scores, actions, n)
    if not cell.no_op:
        for c in range(n, 2 * n):
            actions[c] = zero


@kernel
def _spread(cell: Any, scores: Array, actions: Array, n: int) -> None:
    for a in range(2 + cell.no_op):
        row = a if cell.no_op else 2 * a
        for c in range(row * n, (row + 1) * n):
            actions[c] = scores[a]


@declare(StackRNN, step_up)
def _up(cell: Any, at: UpRows) -> None:
    n, size, rows = cell.n, cell.p * cell.n, len(at.z)
    kept, blas = at.kept, at.net.blas
    for r in range(rows):
        sigmoid(at.z[r, n:])
        combine(at.z[r, n:], at.memories, at.children[r], n, kept[r, :size])
    map_up(blas, _map(at, P), kept, 0, at.h, 0)
    for r in range(rows):
        h, pre = at.h[r], at.z[r, :n]
        for c in range(n):
            h[c] += pre[c]
        tanh(h)
        copy(h, kept[r, size : size + n])
    map_up(blas, _map(at, D), at.h, 0, kept, size + n)
    map_up(blas, _map(at, A), at.h, 0, kept, size + 2 * n)
    pushed, actions = at.scratch[:n], at.scratch[n : 4 * n]
    for r in range(rows):
        value = kept[r, size + n : size + 2 * n]
        sigmoid(value)
        _actions(cell, kept[r, size + 2 * n :], actions, n)
        value = dropped(at.masks, r, 0, value, pushed)
        stack.move(cell.p, n, value, kept[r, :size], actions, at.memory[r])


@declare(StackRNN, step_down)
def _down(cell: Any, at: DownRows) -> None:
    up, n, size = at.up, cell.n, cell.p * cell.n
    one, rows, blas = up.z.dtype.type(1), len(up.z), up.net.blas
    pushed, actions, dactions = up.scratch[:n], up.scratch[n : 4 * n], up.scratch[4 * n : 7 * n]
    dmemory = up.scratch[7 * n : 7 * n + size + n]  # and a row of zeros below it
    dmemory[size:] = up.z.dtype.type(0)
    state, value, scores = size, size + n, size + 2 * n  # where these begin in rows of kept and dkept
    actions[n : 2 * n] = up.z.dtype.type(0)
    for r in range(rows):
        kept, dkept = up.kept[r], at.dkept[r]
        u, du = kept[value : value + n], dkept[value : value + n]
        after_dropout = dropped(up.masks, r, 0, u, pushed)
        _spread(cell, kept[scores:], actions, n)
        copy(at.dmemory[r], dmemory[:size])
        stack.move_down(cell.p, n, after_dropout, kept[:size], actions, dmemory, dkept[:size], dactions, du)
        drop_down(up.masks, r, 0, du)
        for c in range(n):
            du[c] *= u[c] * (one - u[c])
        _actions_down(cell, kept[scores:], dactions, dkept[scores:], n)
    map_down(blas, _map(up, A), at.dkept, scores, at.dh, 0, True)
    map_down(blas, _map(up, D), at.dkept, value, at.dh, 0, True)
    for r in range(rows):
        h, dstate, dh = up.kept[r, state : state + n], at.dkept[r, state : state + n], at.dh[r]
        for c in range(n):
            dstate[c] = dh[c] * (one - h[c] * h[c])
        copy(dstate, at.dz[r, :n])
    map_down(blas, _map(up, P), at.dkept, state, at.dkept, 0, True)
    for r in range(rows):
        combine_down(up.z[r, n:], up.memories, up.children[r], n, at.dkept[r, :size], at.dz[r, n:])


@kernel
def _actions_down(cell: Any, scores: Array, dactions: Array, dscores: Array, n: int) -> None:
    """Write the gradients of the scores from those of the actions: a (da - Σ a da), with da summed over its n entries."""
    along = dactions.dtype.type(0)
    for a in range(2 + cell.no_op):
        row, total = a if cell.no_op else 2 * a, dactions.dtype.type(0)
        for c in range(row * n, (row + 1) * n):
            total += dactions[c]
        dscores[a] = total
        along += scores[a] * total
    for a in range(2 + cell.no_op):
        dscores[a] = scores[a] * (dscores[a] - along)


@declare(StackRNN, linear_gradients)
def _linear_gradients(cell: Any, net: Any, function: int, kept: Array, dkept: Array, thread: int, threads: int) -> None:
    n, size, first = cell.n, cell.p * cell.n, net.linears.starts[function]
    maps = net.linears.maps[first : first + 3]
    map_gradients(net, maps[P], kept, 0, dkept, size, False, thread, threads)
    map_gradients(net, maps[A], kept, size, dkept, size + 2 * n, False, thread, threads)
    map_gradients(net, maps[D], kept, size, dkept, size + n, False, thread, threads)
