"""Spines: the states of a side of an equation with each of many fillers in its blank, by the path from the blank up only.

A filler's state and memory are computed once for a model, what hangs beside the path once for an equation. A node of the
path has one child that varies, the k-th, and others that do not:

    z = h_k W_k + c,    c = b + the sum of h_j W_j over the others

so a step up is one product of [h_k; 1] by [W_k; c], and what the cell makes of z and the children's memories.
Fillers go up in portions, whose few buffers stay in the cache and are used again at every step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from treesmu.data import Forest

from ..forest.by_hand import Buffers, Child, Level, unit_length
from ..forest.encoder import BlockNodes, TreeEncoder
from ..forest.layout import Block
from ..forest.wiring import by_function

PORTION = 1 << 20  # bytes of z: with less the calls cost more than the work, with more there is no gain


class Step(NamedTuple):
    """A node of a path: all that its state depends on but the child that varies."""

    function: int
    weight: Tensor  # (n + 1, columns of z) what that child's state is multiplied by, and below it the rest of z
    child: int  # which of the children it is
    beside: list[Tensor | None]  # the memory of each child; None: the one that varies, or all if the cell has no memory


class Spines:
    """Some fillers, as an encoder sees them. They are plain trees; identical ones are computed once."""

    def __init__(self, encoder: TreeEncoder, fillers: Forest) -> None:
        if encoder.inputs:
            raise ValueError("inner nodes with inputs of their own cannot be filled: nobody knows those of the filler")
        self.encoder = encoder
        h, memory = encoder.remember(fillers)
        roots, self.place = np.unique(fillers.roots[:, 0], return_inverse=True)  # of each filler among the distinct ones
        self.h, self.memory = with_one(h[roots]), None if memory is None else memory[roots]
        self._weights: dict[int, tuple[Tensor, Tensor]] = {}
        self._portions: dict[int, _Portion] = {}

    def steps(self, forest: Forest, known: tuple[Tensor, Tensor | None], root: int, path: tuple[int, ...]) -> list[Step]:
        """From the blank's parent up. known: the forest's states and memories; root: of the side; path: down to the blank."""
        found: list[Step] = []
        (h, memory), here = known, root
        for child in path:
            function = int(forest.groups[np.searchsorted(forest.groups[:, 3], here, side="right"), 1])
            below = forest.children[here, : forest.vocab.arities[function]].tolist()  # -1: the last row, of zeros
            weights, offset = self._affine(function)
            others = [j for j in range(len(below)) if j != child]
            for j in others:
                offset = offset + h[below[j]] @ weights[j]
            beside: list[Tensor | None] = [None] * len(below)
            if memory is not None:
                for j in others:
                    beside[j] = memory[below[j]]
            found.append(Step(function, torch.cat([weights[child], offset.unsqueeze(0)]), child, beside))
            here = below[child]
        return found[::-1]

    def _affine(self, function: int) -> tuple[Tensor, Tensor]:
        if function not in self._weights:
            self._weights[function] = self.encoder.wiring.affine(function)
        return self._weights[function]

    def up(self, steps: list[Step]) -> Iterator[Tensor]:
        """The states of the side for the distinct fillers, (some, n) at a time. Use them before you ask for more."""
        rows = self._rows(max((step.weight.shape[1] for step in steps), default=1))
        for start in range(0, len(self.h), rows):
            h = self.h[start : start + rows]
            memory = None if self.memory is None else self.memory[start : start + rows]
            yield self._portion(len(h)).up(h, memory, steps)

    def _rows(self, columns: int) -> int:
        return max(64, PORTION // (columns * self.h.element_size()))

    def _portion(self, rows: int) -> _Portion:
        if rows not in self._portions:
            by_hand = self.encoder.by_hand and self.encoder.cell.is_by_hand
            self._portions[rows] = (_ByHand if by_hand else _Plain)(self.encoder, rows)
        return self._portions[rows]


def with_one(states: Tensor) -> Tensor:
    """[h; 1]: (rows, n + 1)"""
    return F.pad(states, (0, 1), value=1.0)


class _Portion:
    """So many fillers on their way up."""

    def __init__(self, encoder: TreeEncoder, rows: int) -> None:
        self.encoder, self.cell, self.rows = encoder, encoder.cell, rows

    def up(self, h: Tensor, memory: Tensor | None, steps: list[Step]) -> Tensor:
        """h: (rows, n + 1), memory: (rows, *memory) of the fillers -> (rows, n) of the side"""
        for step in steps:
            beside = [self._spread(own) for own in step.beside]
            if memory is not None:
                beside[step.child] = memory
            h, memory = self.step(step, h, beside)
        return h[:, :-1]

    def _spread(self, memory: Tensor | None) -> Tensor | None:
        return None if memory is None else memory.expand(self.rows, *memory.shape)

    def step(self, step: Step, h: Tensor, memories: list[Any]) -> tuple[Tensor, Tensor | None]:
        """h: (rows, n + 1) of the child that varies, memories: (rows, *memory) of all. The node's own, likewise."""
        raise NotImplementedError


class _Plain(_Portion):
    """By the cell's ``step``."""

    def step(self, step: Step, h: Tensor, memories: list[Any]) -> tuple[Tensor, Tensor | None]:
        z = h @ step.weight
        kept = torch.stack(memories, 1) if self.cell.memory else z.new_zeros(self.rows, len(memories))
        block = Block(len(memories), 0, self.rows, [step.function], [self.rows], z)
        state, own, _ = self.encoder.step(z, kept, BlockNodes(self.encoder.wiring, block, None))
        return with_one(unit_length(state) if self.encoder.unit else state), own


class _ByHand(_Portion):
    """By the cell's ``up``, in buffers that are made once."""

    def __init__(self, encoder: TreeEncoder, rows: int) -> None:
        super().__init__(encoder, rows)
        self.h_one = self._new(self.cell.hidden + 1).fill_(1)
        self.h = self.h_one[:, :-1]
        self.memories = [self._new(*self.cell.memory) for _ in range(2)] if self.cell.memory else [None, None]
        self.maps = {name: by_function(weights) for name, weights in encoder.wiring.linears.items()}
        self.levels: dict[tuple[int, int], Level] = {}
        self.turn = 0  # which of the two memories is written: what is below it is read meanwhile

    def _new(self, *shape: int) -> Tensor:
        return self.encoder.leaves.embedding.weight.detach().new_empty(self.rows, *shape)

    def step(self, step: Step, h: Tensor, memories: list[Any]) -> tuple[Tensor, Tensor | None]:
        self.turn = 1 - self.turn
        level = self._level(len(memories), self.turn)
        torch.mm(h, step.weight, out=level.z)
        for child, memory in zip(level.children, memories, strict=True):
            child.memory = memory
        level.maps = {name: [weights[step.function]] for name, weights in self.maps.items()}
        self.cell.up(level)
        if self.encoder.unit:
            self.h.copy_(unit_length(self.h))
        return self.h_one, self.memories[self.turn]

    def _level(self, arity: int, turn: int) -> Level:
        """What ``up`` sees of a sweep's level (sweep.py), of one function with so many children."""
        if (arity, turn) in self.levels:
            return self.levels[arity, turn]
        cell, n = self.cell, self.cell.hidden
        columns = cell.width + (arity * n if cell.forgets else 0)
        all_ = Buffers(z=self._new(columns), **{name: self._new(*shape) for name, shape in cell.kept().items()})
        if cell.memory:
            all_.memory = self.memories[turn]
        views = cell.gate_views(all_.z) | cell.up_views(all_)
        firsts = range(cell.width, columns, n) if cell.forgets else [0] * arity
        children = [Child(first=0, f=all_.z[:, first : first + n]) for first in firsts]
        level = Level(masks=(), sizes=[self.rows], h=self.h, children=children, **vars(all_), **views)
        self.levels[arity, turn] = level
        return level
