"""UpRows and DownRows: what the step of a cell works on, some consecutive nodes of one function; and which step is whose.

A cell's settings are a named tuple of integers, and the type of this tuple decides at compile time which step runs: the modules
of the cells declare their steps with :func:`declare`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numba.extending import overload

from ..native import Array


class UpRows(NamedTuple):
    """The rows of some nodes on the way up. m: the number of nodes; a: their arity."""

    net: Any  # Network, for further products
    function: int
    z: Array  # (m, columns) pre-activations, which the step turns into gates
    children: Array  # (m, a or more) rows of memories
    memories: Array  # (nodes + 1, memory) of all nodes
    masks: Array  # (m, layers with dropout, n); without dropout (m, 0, n)
    h: Array  # (m, n) to be written
    memory: Array  # (m, memory) to be written
    kept: Array  # (m, kept) to be written: what the way down needs
    scratch: Array  # (numbers,) for whatever the step computes


class DownRows(NamedTuple):
    """The rows of some nodes on the way down."""

    up: UpRows
    dh: Array  # (m, n) the gradient of the states
    dmemory: Array  # (m, memory) the gradient of the memories, which the step may change
    dz: Array  # (m, columns) to be written: the gradient of the pre-activations
    dkept: Array  # (m, dkept) to be written: first the gradient of the combined memory, then what weights need


def step_up(cell: Any, at: Any) -> None:
    """Compute some nodes. cell: the settings of a cell; at: UpRows."""
    raise TypeError(f"{type(cell).__name__} has no compiled step")


def step_down(cell: Any, at: Any) -> None:
    """Compute the gradients of some nodes. cell: the settings of a cell; at: DownRows."""
    raise TypeError(f"{type(cell).__name__} has no compiled step")


def linear_gradients(cell: Any, net: Any, function: int, kept: Any, dkept: Any, thread: int, threads: int) -> None:
    """Write the gradients of the further linear maps of a cell, from all nodes of a function."""
    raise TypeError(f"{type(cell).__name__} has no compiled step")


def declare(settings: type, step: Callable[..., None]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate the compiled form of one of the three functions above, for the cell with these settings."""

    def of_cell(function: Callable[..., None]) -> Callable[..., None]:
        def choose(cell: Any, *_: Any) -> Callable[..., None] | None:
            return function if getattr(cell, "instance_class", None) is settings else None

        overload(step, strict=False)(choose)
        return function

    return of_cell
