"""UpBuffers and DownBuffers: the numbers and the gradients of a pass, as arrays for compiled code."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..forest_plan import ForestPlan
from ..native import Array, kernel, unowned


class UpBuffers(NamedTuple):
    """The numbers of a pass. Those from i to kept have rows for all nodes, or for a chunk per thread if nothing is kept."""

    is_kept: bool
    states: Array  # (nodes + 1, n)
    memories: Array  # (nodes + 1, memory)
    inputs: Array  # (inner, d)
    masks: Array  # (inner, layers with dropout, n)
    scales: Array  # (inner,) what normalised states were divided by
    i: Array  # flat
    before: Array  # flat: the hidden layer before gelu
    after: Array  # flat: the hidden layer after gelu
    z: Array  # flat
    kept: Array  # flat
    kept_size: int
    scratch: Array  # (threads, numbers)


class DownBuffers(NamedTuple):
    """The gradients of a pass."""

    dstates: Array  # (nodes + 1, n) at first those of the loss
    dmemory: Array  # (threads, chunk·memory)
    dinputs: Array  # (inner, d)
    di: Array  # flat, as the buffers above
    dhidden: Array
    dz: Array
    dkept: Array
    dkept_size: int
    is_zero: Array  # (functions,) 1 where the gradients of a function's weights are 0 already


@kernel
def unowned_plan(p: Any) -> ForestPlan:
    """Return a plan of arrays that do not count their users."""
    levels, groups, sizes, functions = unowned(p.levels), unowned(p.groups), unowned(p.sizes), unowned(p.functions)
    parents = unowned(p.parent_starts), unowned(p.parents)
    return ForestPlan(p.leaves, levels, groups, sizes, functions, unowned(p.children), *parents)


@kernel
def unowned_up(b: UpBuffers) -> UpBuffers:
    """Return buffers that do not count their users."""
    nodes = unowned(b.states), unowned(b.memories), unowned(b.inputs), unowned(b.masks), unowned(b.scales)
    flat = unowned(b.i), unowned(b.before), unowned(b.after), unowned(b.z), unowned(b.kept)
    return UpBuffers(b.is_kept, *nodes, *flat, b.kept_size, unowned(b.scratch))


@kernel
def unowned_down(b: DownBuffers) -> DownBuffers:
    """Return buffers that do not count their users."""
    nodes = unowned(b.dstates), unowned(b.dmemory), unowned(b.dinputs)
    flat = unowned(b.di), unowned(b.dhidden), unowned(b.dz), unowned(b.dkept)
    return DownBuffers(*nodes, *flat, b.dkept_size, unowned(b.is_zero))
