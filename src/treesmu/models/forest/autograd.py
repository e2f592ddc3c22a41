"""AutogradPass: a forest computed by ``Cell.step``, level by level, and differentiated by autograd.

It works for every cell, also for one that has only ``step``; it is slower than a hand-written pass and gives the same values.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ..cells.base import Cell, Gates
from ..normalise import normalised
from ..wiring.base import Wiring
from .layout import Block
from .passes import ForestPass, Gradients


class AutogradPass(ForestPass):
    """A pass by ``Cell.step``. States are written in place: gathering rows does not save them for the backward pass."""

    is_recorded = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.gates: list[tuple[Block, Gates]] = []  # of every block, for a trace

    def up(self, is_kept: bool = True) -> Tensor:
        del is_kept  # autograd knows itself what it needs
        cell, layout, leaves = self.cell, self.layout, self.leaf_states
        h = torch.cat([leaves, leaves.new_zeros(layout.inner + 1, cell.hidden)])
        memory = leaves.new_zeros(layout.nodes + 1, *cell.memory)
        for blocks in layout.blocks:
            level = [(block, *self._block(block, h, memory)) for block in blocks]
            for block, state, stored in level:  # after all blocks of the level have read what is below
                places = slice(layout.leaves + block.start, layout.leaves + block.start + block.nodes)
                h[places] = state
                if stored is not None:
                    memory[places] = stored
        self.states, self.memories = h, memory
        return h[:-1]

    def _block(self, block: Block, h: Tensor, memory: Tensor) -> tuple[Tensor, Tensor | None]:
        at = BlockNodes(self.wiring, block, self.mask)
        below = h.index_select(0, block.children).unflatten(0, (block.nodes, block.arity))  # (m, a, n)
        z = self.wiring(below, at.rows(self.inputs), block.groups)
        stored = memory.index_select(0, block.children).unflatten(0, (block.nodes, block.arity))
        state, new_memory, gates = checked_step(self.cell, z, stored, at)
        self.gates.append((block, gates))
        return normalised(state, self.norm), new_memory

    def down(self, grad: Tensor) -> Gradients:
        weights = list(self.wiring.parameters())
        given = [self.leaf_states, *([] if self.inputs is None else [self.inputs]), *weights]
        wanted = [tensor for tensor in given if tensor.requires_grad]
        found = dict(zip(map(id, wanted), torch.autograd.grad(self.states[:-1], wanted, grad, allow_unused=True), strict=True))

        def of(tensor: Tensor) -> Tensor:
            gradient = found.get(id(tensor))
            return torch.zeros_like(tensor) if gradient is None else gradient

        inputs = None if self.inputs is None else of(self.inputs)
        return Gradients(of(self.leaf_states), inputs, [of(weight) for weight in weights])


class BlockNodes:
    """The nodes of a block as ``step`` sees them (:class:`treesmu.models.cells.base.Nodes`)."""

    def __init__(self, wiring: Wiring, block: Block, mask: Tensor | None) -> None:
        self.wiring, self.block = wiring, block
        self.mask = self.rows(mask)

    def rows(self, buffer: Tensor | None) -> Tensor | None:
        """Return the block's rows of a buffer (inner, ...)."""
        start = self.block.start
        return None if buffer is None else buffer[start : start + self.block.nodes]

    def linear(self, name: str, x: Tensor) -> Tensor:
        found: Tensor = self.wiring.linear(name)(x, self.block.groups)
        return found

    def drop(self, x: Tensor, layer: int = 0) -> Tensor:
        return x if self.mask is None else x * self.mask[:, layer]


def checked_step(cell: Cell, z: Tensor, memory: Tensor, at: BlockNodes) -> tuple[Tensor, Tensor | None, Gates]:
    """Call the cell's step; raise a ValueError if what it returns does not have the shapes and types that it declares."""
    nodes, step = at.block.nodes, f"{type(cell).__name__}.step"
    result = cell.step(z, memory, at)
    if not isinstance(result, tuple) or len(result) != 3:
        found = f"{len(result)} values" if isinstance(result, tuple) else type(result).__name__
        raise ValueError(f"{step}: returns {found}, not a tuple of state, memory (or None) and gates")
    state, stored, gates = result
    _check_rows(f"{step}: the states", state, (nodes, cell.hidden), z.dtype)
    if cell.memory:
        _check_rows(f"{step}: the memories", stored, (nodes, *cell.memory), z.dtype)
    if not isinstance(gates, dict):
        raise ValueError(f"{step}: the gates are {type(gates).__name__}, not a dictionary of tensors")
    for name, gate in gates.items():
        if name in ("h", "memory"):
            raise ValueError(f"{step}: a gate cannot be called h or memory, which a trace shows already")
        if not isinstance(gate, Tensor) or gate.shape[:1] != (nodes,):
            raise ValueError(f"{step}: the gate {name!r} must be a tensor with one row per node ({nodes} rows)")
    return state, stored if cell.memory else None, gates


def _check_rows(what: str, rows: Tensor | None, shape: tuple[int, ...], dtype: torch.dtype) -> None:
    if not isinstance(rows, Tensor):
        raise ValueError(f"{what} are {rows if rows is None else type(rows).__name__}, not a tensor {shape}")
    if rows.shape != shape:
        raise ValueError(f"{what} are {tuple(rows.shape)}, not {shape}")
    if rows.dtype != dtype:
        raise ValueError(f"{what} are of type {rows.dtype}, not {dtype} as their inputs")
