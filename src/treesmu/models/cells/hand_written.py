"""HandWritten: the step of a cell on one level of a forest and its gradient, computed in place and without a graph.

A hand-written step keeps its intermediate values in named tuples of tensors with one row per node, made for all inner nodes of
a forest at once and then split into levels by :func:`split_rows`: a view costs as much as a small product, so each buffer is
split by one call. The pass over a forest (forest/by_hand.py) and the path of a blank (completion/path.py) call the steps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, ClassVar, Generic, TypeVar

import torch
from torch import Tensor, nn

CellT = TypeVar("CellT")
UpT = TypeVar("UpT", bound=tuple[Any, ...])
DownT = TypeVar("DownT", bound=tuple[Any, ...])
RowsT = TypeVar("RowsT", bound=tuple[Any, ...])
StepT = TypeVar("StepT", bound="type[HandWritten[Any, Any, Any]]")
NOT_OF_THE_STEP = {"__init__", "settings", "extra_repr", "hand_written_step"}  # functions that a step does not use
Weights = tuple[Tensor, Tensor | None]  # (in, out) and bias (out,)


@dataclass(slots=True)
class Child:
    """The k-th children of those nodes of a level that have one: the level's rows from ``first`` on."""

    first: int
    nodes: Tensor  # (m_k,) places in the forest
    f: Tensor  # (m_k, n) the forget gate: columns of z, squashed by ``up``; (m_k, 0) if the cell does not forget
    gate: Tensor  # (m_k, 1, n) the same, as it is applied to each row of a memory
    memory: Tensor = field(init=False)  # (m_k, *memory)
    df: Tensor = field(init=False)  # (m_k, n) the gradient of the gate, to be written by ``down``
    dmemories: Tensor = field(init=False)  # (nodes + 1, *memory) the gradients of all memories of the forest

    def of(self, rows: Tensor) -> Tensor:
        """Return those of a level's rows that have this child."""
        return rows[self.first :] if self.first else rows

    def add_to_memory(self, gradient: Tensor) -> None:
        """Add a gradient (m_k, *memory) to that of the children's memories."""
        self.dmemories.index_add_(0, self.nodes, gradient)


@dataclass(slots=True)
class Level:
    """The nodes of one height: their rows of the buffers that all cells have, and their children."""

    z: Tensor  # (m, columns) pre-activations, which ``up`` turns into gates
    h: Tensor  # (m, n) to be written by ``up``
    memory: Tensor  # (m, *memory) to be written by ``up``
    children: list[Child]
    masks: tuple[Tensor, ...]  # (m, n) for each layer with dropout; none when there is no dropout
    sizes: list[int]  # of the groups of one function
    linears: dict[str, list[Weights]]  # further linear maps: the weights of each group's function
    dz: Tensor = field(init=False)  # the gradients of the same, for ``down``: dh and dmemory are there, dz is to be written
    dh: Tensor = field(init=False)
    dmemory: Tensor = field(init=False)

    def linear(self, name: str, x: Tensor, out: Tensor) -> None:
        """Write a further linear map of x (m, in) to out (m, out)."""
        for out_f, x_f, (w, b) in zip(out.split(self.sizes), x.split(self.sizes), self.linears[name], strict=True):
            torch.mm(x_f, w, out=out_f) if b is None else torch.addmm(b, x_f, w, out=out_f)

    def linear_down(self, name: str, dout: Tensor) -> Tensor:
        """Return the gradient of a map's input (m, in) from that of its output (m, out)."""
        weights = [w.t() for w, _ in self.linears[name]]
        return group_products(dout, self.sizes, weights, dout.new_empty(dout.shape[0], weights[0].shape[1]))


def group_products(x: Tensor, sizes: Sequence[int], weights: Sequence[Tensor], out: Tensor) -> Tensor:
    """Write x times the weights of each group's function to out, and return out."""
    for out_f, x_f, w in zip(out.split(sizes), x.split(sizes), weights, strict=True):
        torch.mm(x_f, w, out=out_f)
    return out


def split_rows(rows: RowsT, sizes: list[int]) -> list[RowsT]:
    """Split every tensor of a named tuple, and of named tuples inside it, into levels: one named tuple per level."""
    kind: Any = type(rows)
    return [kind(*parts) for parts in zip(*(_parts(buffer, sizes) for buffer in rows), strict=True)]


def _parts(buffer: Any, sizes: list[int]) -> Sequence[Any]:
    if buffer is None:
        return [None] * len(sizes)
    if isinstance(buffer, Tensor):
        parts: Sequence[Tensor] = buffer.split(sizes)
        return parts
    return split_rows(buffer, sizes)


class HandWritten(ABC, Generic[CellT, UpT, DownT]):
    """The step of a cell by hand: ``up`` for the values, ``down`` for the gradients, over levels from the leaves up and back.

    UpT, DownT: the named tuples of buffers that ``up`` and ``down`` work on, as made by ``up_rows`` and ``down_rows`` for all
    inner nodes of a forest and then split into levels. Whatever does not depend on the levels below is computed in these two.
    """

    functions: ClassVar[dict[str, Any]] = {}  # of the cell's class, for which the step was written: set by gradient_of

    def __init__(self, cell: CellT) -> None:
        self.cell = cell

    @abstractmethod
    def up_rows(self, z: Tensor, memory: Tensor) -> UpT:
        """Return views of z (inner, columns) and memory (inner, *memory), and new buffers for what ``down`` needs again."""

    @abstractmethod
    def up(self, at: Level, rows: UpT) -> None:
        """Turn ``at.z`` into gates; write ``at.h`` and ``at.memory``."""

    @abstractmethod
    def down_rows(self, up: UpT, dz: Tensor, dmemory: Tensor) -> DownT:
        """Return views of the gradients, and whatever ``down`` needs that can be computed for all nodes at once."""

    @abstractmethod
    def down(self, at: Level, up: UpT, down: DownT) -> None:
        """Write ``at.dz``, the gradients of the gates, from ``at.dh`` and ``at.dmemory``; add to the children's dmemories."""

    @abstractmethod
    def slopes(self, z: Tensor, up: UpT) -> Tensor:
        """Return the derivatives of the gates by their pre-activations, (inner, columns)."""

    def linear_rows(self, up: UpT, down: DownT) -> dict[str, tuple[Tensor, Tensor]]:
        """Return the inputs of each further linear map and the gradients of its outputs, for all inner nodes."""
        del up, down
        return {}


def gate_slopes(gates: Tensor, u: Tensor) -> Tensor:
    """Return the derivatives of gates by their pre-activations: tanh for the first n columns, u; logistic for all others."""
    slopes = torch.addcmul(gates, gates, gates, value=-1)  # s·(1 - s)
    slopes[:, : u.shape[1]] = 1 - u.square()
    return slopes


def gradient_of(cell: Any) -> Callable[[StepT], StepT]:
    """Decorate a hand-written step: it declares that the step computes the same as ``step`` of a cell's class."""

    def declare(step: StepT) -> StepT:
        step.functions = step_functions(cell)
        cell.hand_written = step
        return step

    return declare


def step_functions(cell: type) -> dict[str, Any]:
    """Return the functions of a cell's class that can change what its step computes, inherited ones included."""
    bases = [base for base in cell.__mro__ if base not in nn.Module.__mro__]
    names = {name for base in bases for name, member in vars(base).items() if isinstance(member, FunctionType | property)}
    return {name: getattr(cell, name) for name in sorted(names - NOT_OF_THE_STEP)}
