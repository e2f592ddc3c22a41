"""FillerPaths: the states of a side with each of many fillers in its blank, computed only on the path above the blank.

The state and memory of a filler are computed once per model, those of the sub-trees beside the path once per equation. A node
on the path from the blank to the root has one child that varies, the k-th, and others that do not:

    z = h_k W_k + c,    c = b + the sum of h_j W_j over the others

so a step up is one product of [h_k; 1] by [W_k; c], followed by the step of the cell with z and the children's memories. With a
hidden layer this product is what enters gelu, and a second product makes z of it.
Fillers go up in portions, whose few buffers stay in the cache and are reused at every step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from treesmu.data import Forest

from ..cells.hand_written import Child, Level
from ..forest.autograd import BlockNodes, checked_step
from ..forest.encoder import TreeEncoder
from ..forest.implementation import Implementation
from ..forest.layout import Block
from ..normalise import normalised
from ..wiring.hidden_layer import gelu

PORTION = 1 << 20  # bytes of z: with less the calls cost more than the work, with more there is no gain


class PathStep(NamedTuple):
    """A node of a path: everything that its state depends on, except the child that varies."""

    function: int
    weight: Tensor  # (n + 1, columns) what that child's state is multiplied by, and below it the rest of the sum
    second: tuple[Tensor, Tensor] | None  # weights and bias of the second layer, if there is a hidden one
    child: int  # which of the children varies
    memories: list[Tensor]  # (*memory) of each child; the entry of the child that varies is not used


class FillerPaths:
    """Some fillers, which are plain trees, as an encoder sees them; identical ones are computed once.

    place: (fillers,) of each filler among the distinct ones. h, memory: (points, distinct, ...); one point if there are none.
    """

    def __init__(self, encoder: TreeEncoder, fillers: Forest, portions: Portions | None = None) -> None:
        """portions: buffers that are shared with other paths of the encoder, if states are copied before others go up."""
        if encoder.inputs:
            raise ValueError("blanks cannot be filled if inner nodes have inputs: those of the fillers are not known")
        self.encoder = encoder
        states, memories = encoder.states_and_memories(fillers)
        roots, place = np.unique(fillers.roots[:, 0].reshape(len(fillers.roots), -1), axis=0, return_inverse=True)
        self.place = place.ravel()
        rows = torch.from_numpy(np.ascontiguousarray(roots.T)).to(states.device)  # (points, distinct)
        self.h = _with_one(states[rows])
        self.memory = states.new_zeros(rows.shape) if memories is None else memories[rows]
        self._weights: dict[int, tuple[Tensor, Tensor]] = {}
        self._second_layers: dict[int, tuple[Tensor, Tensor] | None] = {}
        self._portions: Portions = {} if portions is None else portions

    def __len__(self) -> int:
        """Return the number of distinct fillers."""
        return self.h.shape[1]

    def steps(self, forest: Forest, known: tuple[Tensor, Tensor | None], root: int, path: tuple[int, ...]) -> list[PathStep]:
        """Return the nodes of a path, from the parent of the blank up to the root.

        known: the states and memories of the forest; root: of the side; path: the branches from the root down to the blank.
        """
        found: list[PathStep] = []
        (h, memories), node = known, root
        for child in path:
            function = int(forest.groups[np.searchsorted(forest.groups[:, 3], node, side="right"), 1])
            below = forest.children[node, : forest.vocab.arities[function]].tolist()  # -1: the last row, of zeros
            weights, offset = self._affine(function)
            for j, place in enumerate(below):
                if j != child:
                    offset = offset + h[place] @ weights[j]
            stored = [h.new_zeros(()) if memories is None else memories[place] for place in below]
            weight = torch.cat([weights[child], offset.unsqueeze(0)])
            found.append(PathStep(function, weight, self._second_layer(function), child, stored))
            node = below[child]
        return found[::-1]

    def _affine(self, function: int) -> tuple[Tensor, Tensor]:
        if function not in self._weights:
            self._weights[function] = self.encoder.wiring.affine(function)
        return self._weights[function]

    def _second_layer(self, function: int) -> tuple[Tensor, Tensor] | None:
        if function not in self._second_layers:
            self._second_layers[function] = self.encoder.wiring.second_layer(function)
        return self._second_layers[function]

    def implementation(self, questions: int) -> Implementation:
        """Return how the paths of this many questions are computed."""
        return self.encoder.implementation(questions * len(self))

    def up(
        self, steps: list[PathStep], implementation: Implementation, point: int = 0, only: Tensor | None = None
    ) -> Iterator[Tensor]:
        """Yield the states of the side for the distinct fillers, (some, n) at a time. Use them before you ask for more.

        point: at which the steps are. only: the numbers of some of the fillers.
        """
        states, memories = self.h[point], self.memory[point]
        if only is not None:
            states, memories = states[only], memories[only]
        rows = self._rows(max((step.weight.shape[1] for step in steps), default=1))
        for start in range(0, len(states), rows):
            h, memory = states[start : start + rows], memories[start : start + rows]
            yield self._portion(implementation, len(h)).up(h, memory, steps)

    def _rows(self, columns: int) -> int:
        return max(64, PORTION // (columns * self.h.element_size()))

    def _portion(self, implementation: Implementation, rows: int) -> _Portion:
        if (implementation, rows) not in self._portions:
            self._portions[implementation, rows] = PORTIONS[implementation](self.encoder, rows)
        return self._portions[implementation, rows]


def _with_one(states: Tensor) -> Tensor:
    """Return [h; 1]: (rows, n + 1)."""
    return F.pad(states, (0, 1), value=1.0)


def _pre_activations(step: PathStep, h: Tensor, out: Tensor | None = None) -> Tensor:
    """Return z of a node, (rows, columns), written to ``out`` if it is given. h: (rows, n + 1)."""
    if step.second is None:
        return torch.mm(h, step.weight, out=out)
    weight, bias = step.second
    return torch.addmm(bias, gelu(h @ step.weight), weight, out=out)


class _Portion(ABC):
    """A number of fillers that go up together."""

    def __init__(self, encoder: TreeEncoder, rows: int) -> None:
        self.encoder, self.cell, self.rows = encoder, encoder.cell, rows

    def up(self, h: Tensor, memory: Tensor, steps: list[PathStep]) -> Tensor:
        """Return the states of the side (rows, n). h: (rows, n + 1), memory: (rows, *memory) of the fillers."""
        for step in steps:
            memories = [stored.expand(self.rows, *stored.shape) for stored in step.memories]
            memories[step.child] = memory
            h, memory = self.step(step, h, memories)
        return h[:, :-1]

    @abstractmethod
    def step(self, step: PathStep, h: Tensor, memories: list[Tensor]) -> tuple[Tensor, Tensor]:
        """Return state and memory of a node. h: (rows, n + 1) of the child that varies, memories: (rows, *memory) of all."""


class _AutogradPortion(_Portion):
    """A portion that is computed by ``Cell.step``."""

    def step(self, step: PathStep, h: Tensor, memories: list[Tensor]) -> tuple[Tensor, Tensor]:
        z = _pre_activations(step, h)
        block = Block(len(memories), 0, self.rows, [step.function], [self.rows], z)
        at = BlockNodes(self.encoder.wiring, block, None)
        state, memory, _ = checked_step(self.cell, z, torch.stack(memories, 1), at)
        return _with_one(normalised(state, self.encoder.norm)), z.new_zeros(self.rows) if memory is None else memory


class _HandWrittenPortion(_Portion):
    """A portion that is computed by the hand-written step, in buffers that are allocated once."""

    def __init__(self, encoder: TreeEncoder, rows: int) -> None:
        super().__init__(encoder, rows)
        written = self.cell.hand_written_step()
        assert written is not None, "the implementation was chosen for a cell that has one"
        self.written = written
        self.h_one = self._new(self.cell.hidden + 1).fill_(1)
        self.h = self.h_one[:, :-1]
        self.memories = [self._new(*self.cell.memory) for _ in range(2)]
        self.linears = {name: encoder.wiring.linear(name).by_function() for name in encoder.wiring.linears}
        self.levels: dict[tuple[int, int], tuple[Level, tuple[object, ...]]] = {}
        self.turn = 0  # which of the two memories is written, while the other one is read

    def _new(self, *shape: int) -> Tensor:
        return self.encoder.leaves.embedding.weight.detach().new_empty(self.rows, *shape)

    def step(self, step: PathStep, h: Tensor, memories: list[Tensor]) -> tuple[Tensor, Tensor]:
        self.turn = 1 - self.turn
        level, rows = self._level(len(memories), self.turn)
        _pre_activations(step, h, out=level.z)
        for child, memory in zip(level.children, memories, strict=True):
            child.memory = memory
        level.linears = {name: [weights[step.function]] for name, weights in self.linears.items()}
        self.written.up(level, rows)
        if self.encoder.norm != "none":
            self.h.copy_(normalised(self.h, self.encoder.norm))
        return self.h_one, self.memories[self.turn]

    def _level(self, arity: int, turn: int) -> tuple[Level, tuple[object, ...]]:
        """Return a level of nodes of one function of this arity, and its buffers."""
        if (arity, turn) not in self.levels:
            n = self.cell.hidden if self.cell.forgets else 0
            z, memory = self._new(self.cell.width + arity * n), self.memories[turn]
            forget_gates = [z[:, self.cell.width + k * n : self.cell.width + (k + 1) * n] for k in range(arity)]
            children = [Child(0, self.h, f, f.unsqueeze(1)) for f in forget_gates]  # their places are not needed
            level = Level(z, self.h, memory, children, (), [self.rows], {})
            self.levels[arity, turn] = level, self.written.up_rows(z, memory)
        return self.levels[arity, turn]


class _CompiledPortion(_Portion):
    """A portion that is computed by the compiled step; the two memories are read and written in turn."""

    def __init__(self, encoder: TreeEncoder, rows: int) -> None:
        from ..compiled.path_steps import PathSteps

        super().__init__(encoder, rows)
        self.steps = PathSteps(encoder.cell, encoder.wiring, encoder.norm, rows, encoder.leaves.embedding.weight)
        self.h_one = encoder.leaves.embedding.weight.detach().new_ones(rows, self.cell.hidden + 1)

    def step(self, step: PathStep, h: Tensor, memories: list[Tensor]) -> tuple[Tensor, Tensor]:
        state, memory = self.steps.step(step.function, _pre_activations(step, h), step.child, memories)
        self.h_one[:, :-1] = state
        return self.h_one, memory


Portions = dict[tuple[Implementation, int], _Portion]  # by how they are computed and the number of their rows
PORTIONS: dict[Implementation, type[_Portion]] = {
    Implementation.AUTOGRAD: _AutogradPortion,
    Implementation.BY_HAND: _HandWrittenPortion,
    Implementation.COMPILED: _CompiledPortion,
}
