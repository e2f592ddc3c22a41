"""Concatenated: i = [h_1; ...; h_a; x]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from treesmu.data import Vocab

from ..cells.base import Cell
from .by_hand import Level, Sweep
from .layout import Block, Layout
from .wiring import FunctionWeights, Groups, Wiring, by_order, joined


class Concatenated(Wiring):
    """i = [h_1; ...; h_a; x]; the functions of each arity have their weights together."""

    def __init__(self, cell: Cell, vocab: Vocab, inputs: int) -> None:
        super().__init__(cell, vocab, inputs)
        self.first = {a: vocab.arities.index(a) for a in sorted(set(vocab.arities))}  # arity -> its first function
        self.gates = nn.ModuleDict()
        for a in self.first:
            self.gates[str(a)] = FunctionWeights(vocab.arities.count(a), a * self.n + inputs, self.columns(a))

    def columns(self, arity: int) -> int:
        return self.width + arity * self.forget_width

    def of(self, arity: int) -> Any:
        return self.gates[str(arity)]

    def plain(self, h: Tensor, inputs: Tensor | None, groups: Groups) -> Tensor:
        arity = h.shape[1]
        own = [(function - self.first[arity], size) for function, size in groups]
        return self.of(arity).plain(joined(h.flatten(1), inputs), own)

    def affine(self, function: int) -> tuple[Tensor, Tensor]:
        arity = self.vocab.arities[function]
        weights, place = self.of(arity), function - self.first[arity]
        return weights.weight.detach()[place, : arity * self.n].unflatten(0, (arity, self.n)), weights.bias.detach()[place]

    def biases(self, layout: Layout) -> Tensor:
        columns = self.columns(layout.max_arity)
        tables = [F.pad(self.of(a).bias.detach(), (0, columns - self.columns(a))) for a in self.first if a <= layout.max_arity]
        return torch.cat(tables).index_select(0, layout.functions)

    def lay(self, sweep: Sweep) -> None:
        """For each block where to gather its i, and for each of its groups (z, i, weights) to multiply."""
        super().lay(sweep)
        sweep.wired.given = {}
        self._lay_products(sweep, "i", sweep.all.z, lambda weights: weights.unbind())

    def lay_down(self, sweep: Sweep) -> None:
        """The same for gradients: (dz, di, transposed weights)."""
        self._lay_products(sweep, "di", sweep.dz, lambda weights: weights.mT.unbind())

    def _lay_products(self, sweep: Sweep, name: str, z: Tensor, by_function: Callable[[Tensor], Sequence[Tensor]]) -> None:
        layout = sweep.layout
        buffers: dict[int, Tensor] = {}
        for arity, blocks in layout.blocks_of_arity.items():
            buffer = buffers[arity] = z.new_empty(sum(b.nodes for b in blocks), arity * self.n + self.inputs)
            weights, first = by_function(self.of(arity).weight.detach()), self.first[arity]
            rows_of_z = layout.groups_of_arity(z[:, : self.columns(arity)], arity)
            rows_of_i = buffer.split([size for block in blocks for size in block.sizes])
            own = [weights[function - first] for block in blocks for function in block.functions]
            products = list(zip(rows_of_z, rows_of_i, own, strict=True))
            stop = 0
            for block, rows in zip(blocks, buffer.split([block.nodes for block in blocks]), strict=True):
                sweep.wired.given[name, block.start] = rows, products[stop : stop + len(block.sizes)]
                stop += len(block.sizes)
        setattr(sweep.wired, name, buffers)

    def up(self, sweep: Sweep, level: Level) -> None:
        for block in level.blocks:
            i, products = sweep.wired.given["i", block.start]
            if sweep.inputs is None:
                torch.index_select(sweep.h, 0, block.children, out=i.view(-1, self.n))
            else:
                states = block.arity * self.n
                i[:, :states] = sweep.h.index_select(0, block.children).view(block.nodes, states)
                i[:, states:] = _rows(sweep.inputs, block)
            for z, i_f, w in products:
                z.addmm_(i_f, w)

    def down(self, sweep: Sweep, level: Level) -> None:
        for block in level.blocks:
            di, products = sweep.wired.given["di", block.start]
            for dz, di_f, w in products:
                torch.mm(dz, w, out=di_f)
            if sweep.dinputs is not None:
                states = block.arity * self.n
                _rows(sweep.dinputs, block).copy_(di[:, states:])
                di = di[:, :states].contiguous()
            sweep.dh.index_add_(0, block.children, di.view(-1, self.n))

    def gate_gradients(self, sweep: Sweep) -> dict[str, Tensor]:
        layout, found = sweep.layout, {}
        biases = sweep.dz.new_zeros(len(self.vocab.functions), sweep.dz.shape[1]).index_add_(0, layout.functions, sweep.dz)
        for arity, first in self.first.items():
            weights, columns = self.of(arity), self.columns(arity)
            if arity not in layout.rows_of_arity:
                found[f"gates.{arity}.weight"] = torch.zeros_like(weights.weight)
                found[f"gates.{arity}.bias"] = torch.zeros_like(weights.bias)  # z may have fewer columns than these functions
                continue
            rows = layout.rows_of_arity[arity]
            functions, order = by_order(layout.function_of[rows] - first)
            i = sweep.wired.i[arity].index_select(0, layout.tensor(order))
            dz = sweep.dz[:, :columns].index_select(0, layout.tensor(rows[order]))
            found[f"gates.{arity}.weight"] = weights.gradient(i, dz, functions)
            found[f"gates.{arity}.bias"] = biases[first : first + len(weights.weight), :columns]
        return found


def _rows(inputs: Tensor, block: Block) -> Tensor:
    return inputs[block.start : block.start + block.nodes]
