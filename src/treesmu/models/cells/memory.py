"""RowMemory: the interface of the differentiable stack and queue, whose rows are moved by actions.

An action is a number between 0 and 1 for each node: how much it pushes, leaves the rows alone (no-op), or pops. Actions are
(nodes, actions, n), a degree for each entry of a row, or (nodes, actions, 1), one for all entries.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor

from .hand_written import Level

Actions = tuple[str, ...]
UpT = TypeVar("UpT", bound=tuple[Any, ...])
DownT = TypeVar("DownT", bound=tuple[Any, ...])
SMALL = 1 << 15  # entries; below this the number of calls counts, above it the memory that they touch


def action_names(no_op: bool, pop: bool = True) -> Actions:
    """Return the names of the actions that there are, in the order of their columns."""
    return ("push", *(("no_op",) if no_op else ()), *(("pop",) if pop else ()))


class RowMemory(ABC, Generic[UpT, DownT]):
    """A memory of p rows of n entries for every node; row 0 is the top. rows: how many rows a node stores.

    ``moved`` is the plain form, for autograd. All others are the hand-written one, over the levels of a forest: UpT and DownT
    are named tuples of buffers, made for all inner nodes and split into levels (hand_written.py).
    """

    def __init__(self, p: int, actions: Actions) -> None:
        self.p, self.actions = p, actions

    @property
    @abstractmethod
    def rows(self) -> int:
        """The number of rows that a node stores."""

    @abstractmethod
    def moved(self, memory: Tensor, u: Tensor, actions: Tensor) -> Tensor:
        """Return the new memory. memory: (nodes, rows, n) combined of the children's; u: (nodes, n), which is pushed."""

    @abstractmethod
    def up_rows(self, memory: Tensor, actions: Tensor) -> UpT:
        """Return buffers and views. memory: (inner, rows, n), to be written; actions: (inner, actions, n or 1)."""

    @abstractmethod
    def pushed(self, rows: UpT) -> Tensor:
        """Return the buffer (m, n) into which the pushed value must be written before ``move``."""

    @abstractmethod
    def combine(self, at: Level, rows: UpT) -> None:
        """Sum the children's memories, each times its forget gate."""

    @abstractmethod
    def move(self, at: Level, rows: UpT) -> None:
        """Write ``at.memory`` from the combined memory, the pushed value and the actions."""

    @abstractmethod
    def down_rows(self, up: UpT, dmemory: Tensor) -> DownT:
        """Return buffers and views. dmemory: (inner, rows, n) the gradients of the new memories."""

    @abstractmethod
    def top_gradient(self, down: DownT) -> Tensor:
        """Return the gradient of row 0 of the new memory, (m, n), to which the state's gradient is added."""

    @abstractmethod
    def combined_gradient(self, down: DownT) -> Tensor:
        """Return the buffer (m, rows, n) with the gradient of the combined memory, which ``move_down`` writes."""

    @abstractmethod
    def pushed_down(self, up: UpT, down: DownT, out: Tensor) -> None:
        """Write the gradient of the pushed value to out (m, n)."""

    @abstractmethod
    def move_down(self, at: Level, up: UpT, down: DownT) -> Tensor:
        """Write the gradient of the combined memory; return that of the actions, (m, actions, n)."""

    def combine_down(self, at: Level, down: DownT) -> None:
        """Write the gradients of the forget gates and add those of the children's memories."""
        gradient = self.combined_gradient(down)
        for child in at.children:
            dcombined = child.of(gradient)
            sum_of_products(dcombined, child.memory, child.df)
            child.add_to_memory(dcombined * child.gate)


def sum_of_products(a: Tensor, b: Tensor, out: Tensor | None = None) -> Tensor:
    """Return the sum over the rows of a (m, p, ...) times b (m, p, ...)."""
    if b.numel() < SMALL:
        return torch.sum(a * b, 1, out=out)
    # Row by row: a larger product would leave the cache before it is summed.
    first, *others = zip(a.unbind(1), b.unbind(1), strict=True)
    total = torch.mul(*first, out=out)
    for a_j, b_j in others:
        total.addcmul_(a_j, b_j)
    return total


def by_action(actions: Actions, values: Tensor) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """Return push, no-op and pop of (nodes, actions, n or 1), each (nodes, 1, n or 1); None for an action that is not there."""
    named = dict(zip(actions, values.unsqueeze(2).unbind(1), strict=True))
    return named["push"], named.get("no_op"), named.get("pop")
