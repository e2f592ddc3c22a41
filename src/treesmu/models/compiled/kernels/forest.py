"""A whole forest up and down again, compiled: the functions that Python calls, once per pass and thread.

Each level is divided into one part per thread, by rows, and each part into chunks of one function, whose numbers stay in the
cache from the products to the end of the step. Threads wait for each other after every level. What a thread writes does not
depend on the others: a node gets its gradients by collecting them from its parents, not by the parents adding to it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..forest_plan import (
    ARITY,
    CHILD,
    COUNT,
    HIDDEN_SIZE,
    HIDDEN_START,
    I_SIZE,
    I_START,
    ORDER,
    PARENT_FUNCTION,
    PARENT_PLACE,
    ROW,
    ROWS,
    Z_SIZE,
    Z_START,
)
from ..native import Array, entry, kernel, wait_for_others
from .arithmetic import add
from .buffers import DownBuffers, UpBuffers, unowned_down, unowned_plan, unowned_up
from .normalise import normalise, normalise_down
from .products import gather, hidden_down, hidden_up, input_gradients, layer_down, layer_gradients, layer_up, no_gradients
from .rows import DownRows, UpRows, linear_gradients, step_down, step_up
from .stack import add_times

CHUNK = 128  # rows; of z they are some hundred kilobytes
SMALL = 16  # rows of a level that one thread computes alone


class Chunk(NamedTuple):
    """Some consecutive nodes of one function, and where their numbers begin in the flat buffers."""

    function: int
    row: int
    rows: int
    order: int  # of the first node, in the order of the buffers
    place: int  # of the first node among those of the function


@kernel
def _share(plan: Any, level: int, thread: int, threads: int) -> Any:
    """Return the rows of a level that a thread computes, from the first to the one after the last."""
    first, last = plan.groups[plan.levels[level]], plan.groups[plan.levels[level + 1] - 1]
    start, stop = first[ROW], last[ROW] + last[ROWS]
    if stop - start < SMALL * threads:
        return (start, stop) if thread == 0 else (start, start)
    return start + (stop - start) * thread // threads, start + (stop - start) * (thread + 1) // threads


@kernel
def _chunk(plan: Any, group: int, start: int, stop: int) -> Chunk:
    """Return the next chunk of a group among the rows from start to stop."""
    function, row, rows, place = plan.groups[group]
    end = min(row + rows, stop, start + CHUNK)
    place += start - row
    return Chunk(function, start, end - start, plan.functions[function, ORDER] + place, place)


@kernel
def _matrix(buffer: Array, start: int, rows: int, size: int) -> Array:
    """Return a part of a flat buffer as a matrix."""
    return buffer[start : start + rows * size].reshape(rows, size)


@kernel
def _part(plan: Any, buffer: Array, is_kept: bool, at: Chunk, start: int, size: int, thread: int, threads: int) -> Array:
    """Return the rows of a chunk in a flat buffer. start: the column of plan.functions that says where the function begins."""
    width = plan.sizes[at.function, size]
    first = plan.functions[at.function, start] + at.place * width if is_kept else len(buffer) // threads * thread
    return _matrix(buffer, first, at.rows, width)


@kernel
def _kept(buffer: Array, is_kept: bool, at: Chunk, size: int, thread: int, threads: int) -> Array:
    """Return the rows of a chunk in a flat buffer whose rows are all of one size."""
    return _matrix(buffer, at.order * size if is_kept else len(buffer) // threads * thread, at.rows, size)


@kernel
def _up_rows(plan: Any, net: Any, of: UpBuffers, at: Chunk, thread: int, threads: int) -> UpRows:
    first = plan.leaves + at.row
    return UpRows(
        net,
        at.function,
        _part(plan, of.z, of.is_kept, at, Z_START, Z_SIZE, thread, threads),
        plan.children[first : first + at.rows],
        of.memories,
        of.masks[at.row : at.row + at.rows],
        of.states[first : first + at.rows],
        of.memories[first : first + at.rows],
        _kept(of.kept, of.is_kept, at, of.kept_size, thread, threads),
        of.scratch[thread],
    )


@entry
def up(cell: Any, norm: int, plan: Any, net: Any, of: UpBuffers, barrier: Array, thread: int, threads: int) -> None:
    """Compute all nodes from the leaves to the roots."""
    plan, of = unowned_plan(plan), unowned_up(of)
    for level in range(len(plan.levels) - 1):
        start, stop = _share(plan, level, thread, threads)
        for group in range(plan.levels[level], plan.levels[level + 1]):
            last = min(plan.groups[group, ROW] + plan.groups[group, ROWS], stop)
            while plan.groups[group, ROW] <= start < last:
                at = _chunk(plan, group, start, stop)
                rows = _up_rows(plan, net, of, at, thread, threads)
                i = _part(plan, of.i, of.is_kept, at, I_START, I_SIZE, thread, threads)
                inputs = of.inputs[at.row : at.row + at.rows]
                gather(net, plan.sizes[at.function, ARITY], rows.children, of.states, inputs, i)
                if plan.sizes[at.function, HIDDEN_SIZE] > 0:
                    before = _part(plan, of.before, of.is_kept, at, HIDDEN_START, HIDDEN_SIZE, thread, threads)
                    after = _part(plan, of.after, of.is_kept, at, HIDDEN_START, HIDDEN_SIZE, thread, threads)
                    layer_up(net, net.first, at.function, i, before)
                    hidden_up(before, after)
                    layer_up(net, net.second, at.function, after, rows.z)
                else:
                    layer_up(net, net.first, at.function, i, rows.z)
                step_up(cell, rows)
                normalise(norm, rows.h, of.scales[at.row : at.row + at.rows])
                start += at.rows
        wait_for_others(barrier, threads)


@kernel
def _collect(plan: Any, net: Any, of: UpBuffers, down: DownBuffers, node: int, dh: Array, dmemory: Array) -> None:
    """Add to the gradients of a node's state, and write those of its memory, from the gradients of its parents."""
    n, size = net.n, net.n + net.inputs
    for c in range(len(dmemory)):
        dmemory[c] = dh.dtype.type(0)
    for edge in range(plan.parent_starts[node], plan.parent_starts[node + 1]):
        function, k = plan.parents[edge, PARENT_FUNCTION], plan.parents[edge, CHILD]
        place = plan.parents[edge, PARENT_PLACE]
        first = plan.functions[function, I_START] + place * plan.sizes[function, I_SIZE]
        if not net.is_sum:
            add(down.di[first + k * n : first + (k + 1) * n], dh)
        else:
            add(down.di[first : first + n], dh)
            if plan.sizes[function, I_SIZE] > size:
                add(down.di[first + (1 + k) * size : first + (1 + k) * size + n], dh)
        if len(dmemory):
            gates = plan.functions[function, Z_START] + place * plan.sizes[function, Z_SIZE] + net.width + k * n
            parent = (plan.functions[function, ORDER] + place) * down.dkept_size
            add_times(of.z[gates : gates + n], down.dkept[parent : parent + len(dmemory)], n, dmemory)


@entry
def down(
    cell: Any, norm: int, plan: Any, net: Any, of: UpBuffers, to: DownBuffers, barrier: Array, thread: int, threads: int
) -> None:
    """Compute the gradients of all nodes from the roots to the leaves, then those of the weights."""
    plan, of, to = unowned_plan(plan), unowned_up(of), unowned_down(to)
    size = of.memories.shape[1]
    for level in range(len(plan.levels) - 2, -1, -1):
        start, stop = _share(plan, level, thread, threads)
        for group in range(plan.levels[level], plan.levels[level + 1]):
            last = min(plan.groups[group, ROW] + plan.groups[group, ROWS], stop)
            while plan.groups[group, ROW] <= start < last:
                at = _chunk(plan, group, start, stop)
                _chunk_down(cell, norm, plan, net, of, to, at, size, thread, threads)
                start += at.rows
        wait_for_others(barrier, threads)
    for node in range(plan.leaves * thread // threads, plan.leaves * (thread + 1) // threads):
        _collect(plan, net, of, to, node, to.dstates[node], to.dmemory[thread, :0])
    for function in range(len(plan.sizes)):
        _gradients(cell, plan, net, of, to, function, thread, threads)


@kernel
def _chunk_down(
    cell: Any,
    norm: int,
    plan: Any,
    net: Any,
    of: UpBuffers,
    to: DownBuffers,
    at: Chunk,
    size: int,
    thread: int,
    threads: int,
) -> None:
    first = plan.leaves + at.row
    dh = to.dstates[first : first + at.rows]
    dmemory = _matrix(to.dmemory[thread], 0, at.rows, size)
    for r in range(at.rows):
        _collect(plan, net, of, to, first + r, dh[r], dmemory[r])
    rows = _up_rows(plan, net, of, at, thread, threads)
    normalise_down(norm, dh, rows.h, of.scales[at.row : at.row + at.rows])
    dz = _part(plan, to.dz, True, at, Z_START, Z_SIZE, thread, threads)
    step_down(cell, DownRows(rows, dh, dmemory, dz, _kept(to.dkept, True, at, to.dkept_size, thread, threads)))
    di = _part(plan, to.di, True, at, I_START, I_SIZE, thread, threads)
    if plan.sizes[at.function, HIDDEN_SIZE] > 0:
        dhidden = _part(plan, to.dhidden, True, at, HIDDEN_START, HIDDEN_SIZE, thread, threads)
        layer_down(net, net.second, at.function, dz, dhidden)
        hidden_down(dhidden, _part(plan, of.before, True, at, HIDDEN_START, HIDDEN_SIZE, thread, threads))
        layer_down(net, net.first, at.function, dhidden, di)
    else:
        layer_down(net, net.first, at.function, dz, di)
    input_gradients(net, di, to.dinputs[at.row : at.row + at.rows])


@kernel
def _gradients(
    cell: Any, plan: Any, net: Any, of: UpBuffers, to: DownBuffers, function: int, thread: int, threads: int
) -> None:
    """Write the gradients of all weights of a function, by one product each for all its nodes."""
    if plan.functions[function, COUNT] == 0:
        if thread == 0 and not to.is_zero[function]:
            no_gradients(net, function, of.states)
            to.is_zero[function] = 1
        return
    if thread == 0:
        to.is_zero[function] = 0
    at = Chunk(function, 0, plan.functions[function, COUNT], plan.functions[function, ORDER], 0)
    i, dz = _part(plan, of.i, True, at, I_START, I_SIZE, 0, 1), _part(plan, to.dz, True, at, Z_START, Z_SIZE, 0, 1)
    if plan.sizes[function, HIDDEN_SIZE] > 0:
        after = _part(plan, of.after, True, at, HIDDEN_START, HIDDEN_SIZE, 0, 1)
        dhidden = _part(plan, to.dhidden, True, at, HIDDEN_START, HIDDEN_SIZE, 0, 1)
        layer_gradients(net, net.first, function, i, dhidden, thread, threads)
        layer_gradients(net, net.second, function, after, dz, thread, threads)
    else:
        layer_gradients(net, net.first, function, i, dz, thread, threads)
    kept, dkept = _kept(of.kept, True, at, of.kept_size, 0, 1), _kept(to.dkept, True, at, to.dkept_size, 0, 1)
    linear_gradients(cell, net, function, kept, dkept, thread, threads)
