"""HandWrittenPass: a forest computed by hand-written steps, level by level, up for the states and down for the gradients.

What makes it fast, the most important first:

- a level of the forest is one step, whatever its functions; only the matrix products are made for each function;
- no graph is recorded: the way down is written by hand, for each cell beside its way up (cells/hand_written.py);
- gradients of weights wait until the way down is over, and are then one matrix product per function for the whole forest;
- what does not depend on the levels below (derivatives of gates, biases, masks) is computed for all nodes at once;
- views cost as much as small products, so each buffer is split into all its levels by one call.

Rows of a buffer are the inner nodes, in the order of the forest; states and memories have rows for the leaves before them, and
one more at the end, of zeros, for a child that is absent.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ..cells.hand_written import HandWritten, Level, split_rows
from ..normalise import normalise_, normalise_down_
from .levels import assign_gradients, make_children
from .passes import ForestPass, Gradients


class HandWrittenPass(ForestPass):
    """A pass by the hand-written step of a cell, which must have one. Autograd records nothing of it."""

    @torch.no_grad()
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cell, layout = self.cell, self.layout
        step = cell.hand_written_step()
        if step is None:
            raise ValueError(f"{type(cell).__name__} has no hand-written step")
        self.step: HandWritten[Any, Any, Any] = step
        self.states = self._with_absent(cell.hidden)
        self.states[: layout.leaves] = self.leaf_states
        self.memories = self._with_absent(*cell.memory)
        self.memories[: layout.leaves] = 0
        self.z = self.wiring.biases(layout)  # (inner, columns)
        inner = slice(layout.leaves, -1)
        self.rows = self.step.up_rows(self.z, self.memories[inner])
        self.level_rows = split_rows(self.rows, layout.level_sizes)
        self.scales = self.z.new_empty(layout.inner, 1)  # what normalised states were divided by
        self.levels = self._levels(self.states[inner], self.memories[inner])
        self.products = self.wiring.products(layout, self.states, self.z, self.levels, self.inputs)

    def _with_absent(self, *shape: int) -> Tensor:
        """Return a buffer (nodes + 1, *shape) whose last row is 0."""
        buffer = self.leaf_states.new_empty(self.layout.nodes + 1, *shape)
        buffer[-1] = 0
        return buffer

    def _levels(self, h: Tensor, memory: Tensor) -> list[Level]:
        layout, wiring = self.layout, self.wiring
        sizes, count = layout.level_sizes, len(layout.level_sizes)
        linears = {name: wiring.linear(name).by_function() for name in wiring.linears}
        masks = [()] * count if self.mask is None else list(zip(*(m.split(sizes) for m in self.mask.unbind(1)), strict=True))
        levels = []
        buffers = zip(self.z.split(sizes), h.split(sizes), memory.split(sizes), strict=True)
        for (z, h_level, memory_level), blocks, mask, children in zip(
            buffers, layout.blocks, masks, make_children(layout, self.z, wiring.sizes), strict=True
        ):
            functions = [f for block in blocks for f in block.functions]
            group_sizes = [size for block in blocks for size in block.sizes]
            of_groups = {name: [weights[f] for f in functions] for name, weights in linears.items()}
            levels.append(Level(z, h_level, memory_level, children, mask, group_sizes, of_groups))
        return levels

    @torch.no_grad()
    def up(self, is_kept: bool = True) -> Tensor:
        del is_kept  # all levels share their buffers
        scales = self.scales.split(self.layout.level_sizes)
        for number, (level, rows) in enumerate(zip(self.levels, self.level_rows, strict=True)):
            self.products.up(number)
            if self.cell.memory:
                for child in level.children:
                    child.memory = self.memories.index_select(0, child.nodes)
            self.step.up(level, rows)
            normalise_(level.h, self.norm, scales[number])
        return self.states[:-1]

    @torch.no_grad()
    def down(self, grad: Tensor) -> Gradients:
        leaves, sizes = self.layout.leaves, self.layout.level_sizes
        dstates = torch.cat([grad, grad.new_zeros(1, self.cell.hidden)])
        dmemories = torch.zeros_like(self.memories)
        dz = torch.zeros_like(self.z)
        down_rows = self.step.down_rows(self.rows, dz, dmemories[leaves:-1])
        self._start_down(dz, dstates[leaves:-1], dmemories)
        self.products.start_down(dz, dstates)
        scales = self.scales.split(sizes)
        slopes, level_down_rows = self.step.slopes(self.z, self.rows).split(sizes), split_rows(down_rows, sizes)
        for number in reversed(range(len(self.levels))):
            level = self.levels[number]
            normalise_down_(level.dh, level.h, self.norm, scales[number])
            self.step.down(level, self.level_rows[number], level_down_rows[number])
            level.dz.mul_(slopes[number])
            self.products.down(number)
        weights = self.products.gate_gradients() | self.products.linear_gradients(self.step.linear_rows(self.rows, down_rows))
        by_name = [weights[name] for name, _ in self.wiring.named_parameters()]
        return Gradients(dstates[:leaves], self.products.dinputs, by_name)

    def _start_down(self, dz: Tensor, dh: Tensor, dmemories: Tensor) -> None:
        """Assign its rows of the gradients to every level and child."""
        layout, sizes = self.layout, self.layout.level_sizes
        dmemory = dmemories[layout.leaves : -1]
        assign_gradients(layout, self.levels, dz, self.wiring.sizes)
        for level, dh_level, dmemory_level in zip(self.levels, dh.split(sizes), dmemory.split(sizes), strict=True):
            level.dh, level.dmemory = dh_level, dmemory_level
            for child in level.children:
                child.dmemories = dmemories
