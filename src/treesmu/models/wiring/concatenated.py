"""Concatenated: the wiring that concatenates the states of the children, i = [h_1; ...; h_a; x]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from treesmu.data import Vocab

from ..cells.hand_written import Level
from ..forest.layout import Block, Layout
from .base import FunctionWeights, GateSizes, Groups, Products, Wiring, sorted_functions, with_inputs


class Concatenated(Wiring):
    """i = [h_1; ...; h_a; x]; the weights of all functions of an arity are one parameter."""

    def __init__(self, sizes: GateSizes, vocab: Vocab, inputs: int, linears: dict[str, tuple[int, int, bool]]) -> None:
        super().__init__(sizes, vocab, inputs, linears)
        self.first = {a: vocab.arities.index(a) for a in sorted(set(vocab.arities))}  # arity -> its first function
        self.gates = nn.ModuleDict()
        for a in self.first:
            self.gates[str(a)] = FunctionWeights(vocab.arities.count(a), a * self.n + inputs, sizes.columns(a))

    def of(self, arity: int) -> FunctionWeights:
        """Return the weights of the functions of an arity."""
        return cast("FunctionWeights", self.gates[str(arity)])

    def forward(self, h: Tensor, inputs: Tensor | None, groups: Groups) -> Tensor:
        arity = h.shape[1]
        within_arity = [(function - self.first[arity], size) for function, size in groups]
        z: Tensor = self.of(arity)(with_inputs(h.flatten(1), inputs), within_arity)
        return z

    def affine(self, function: int) -> tuple[Tensor, Tensor]:
        arity = self.vocab.arities[function]
        weight, bias = self.of(arity).by_function()[function - self.first[arity]]
        assert bias is not None
        return weight[: arity * self.n].unflatten(0, (arity, self.n)), bias

    def biases(self, layout: Layout) -> Tensor:
        columns = self.sizes.columns(layout.max_arity)
        tables = [
            F.pad(cast("Tensor", self.of(a).bias).detach(), (0, columns - self.sizes.columns(a)))
            for a in self.first
            if a <= layout.max_arity
        ]
        return torch.cat(tables).index_select(0, layout.functions)

    def products(
        self, layout: Layout, states: Tensor, z: Tensor, levels: list[Level], inputs: Tensor | None
    ) -> ConcatenatedProducts:
        return ConcatenatedProducts(self, layout, states, z, levels, inputs)


class _BlockProducts(NamedTuple):
    """i of a block, (nodes, a·n + d), and (rows of z, rows of i, weights) of each of its groups."""

    i: Tensor
    groups: list[tuple[Tensor, Tensor, Tensor]]


class ConcatenatedProducts(Products):
    """The products of a pass: i is gathered for every block and multiplied for every group."""

    def __init__(
        self, wiring: Concatenated, layout: Layout, states: Tensor, z: Tensor, levels: list[Level], inputs: Tensor | None
    ) -> None:
        super().__init__(wiring, layout, states, levels, inputs)
        self.wiring, self.n = wiring, wiring.n
        self.i, self.up_products = self._prepare(z, lambda weights: weights.unbind())

    def start_down(self, dz: Tensor, dstates: Tensor) -> None:
        super().start_down(dz, dstates)
        _, self.down_products = self._prepare(dz, lambda weights: weights.mT.unbind())

    def _prepare(
        self, z: Tensor, matrices: Callable[[Tensor], Sequence[Tensor]]
    ) -> tuple[dict[int, Tensor], dict[int, _BlockProducts]]:
        """Return empty buffers for i by arity, (its nodes, a·n + d), and the products of each block by its first row."""
        layout, wiring = self.layout, self.wiring
        inputs: dict[int, Tensor] = {}
        products: dict[int, _BlockProducts] = {}
        for arity, blocks in layout.blocks_of_arity.items():
            i = inputs[arity] = z.new_empty(sum(b.nodes for b in blocks), arity * self.n + wiring.inputs)
            weights, first = matrices(wiring.of(arity).weight.detach()), wiring.first[arity]
            rows_of_z = layout.groups_of_arity(z[:, : wiring.sizes.columns(arity)], arity)
            rows_of_i = i.split([size for block in blocks for size in block.sizes])
            weights_of_groups = [weights[function - first] for block in blocks for function in block.functions]
            groups = list(zip(rows_of_z, rows_of_i, weights_of_groups, strict=True))
            stop = 0
            for block, rows in zip(blocks, i.split([block.nodes for block in blocks]), strict=True):
                products[block.start] = _BlockProducts(rows, groups[stop : stop + len(block.sizes)])
                stop += len(block.sizes)
        return inputs, products

    def up(self, number: int) -> None:
        for block in self.layout.blocks[number]:
            i, groups = self.up_products[block.start]
            if self.inputs is None:
                torch.index_select(self.states, 0, block.children, out=i.view(-1, self.n))
            else:
                width = block.arity * self.n
                i[:, :width] = self.states.index_select(0, block.children).view(block.nodes, width)
                i[:, width:] = _rows(self.inputs, block)
            for z, i_f, w in groups:
                z.addmm_(i_f, w)

    def down(self, number: int) -> None:
        for block in self.layout.blocks[number]:
            di, groups = self.down_products[block.start]
            for dz, di_f, w in groups:
                torch.mm(dz, w, out=di_f)
            if self.dinputs is not None:
                width = block.arity * self.n
                _rows(self.dinputs, block).copy_(di[:, width:])
                di = di[:, :width].contiguous()
            self.dstates.index_add_(0, block.children, di.view(-1, self.n))

    def gate_gradients(self) -> dict[str, Tensor]:
        layout, wiring, dz = self.layout, self.wiring, self.dz
        found: dict[str, Tensor] = {}
        biases = dz.new_zeros(len(wiring.vocab.functions), dz.shape[1]).index_add_(0, layout.functions, dz)
        for arity, first in wiring.first.items():
            weights, columns = wiring.of(arity), wiring.sizes.columns(arity)
            if arity not in layout.rows_of_arity:  # z may have fewer columns than these functions
                found |= {f"gates.{arity}.{name}": torch.zeros_like(p) for name, p in weights.named_parameters()}
                continue
            rows = layout.rows_of_arity[arity]
            functions, order = sorted_functions(layout.function_of[rows] - first)
            i = self.i[arity].index_select(0, layout.tensor(order))
            dz_rows = dz[:, :columns].index_select(0, layout.tensor(rows[order]))
            found[f"gates.{arity}.weight"] = weights.weight_gradient(i, dz_rows, functions)
            found[f"gates.{arity}.bias"] = biases[first : first + len(weights.weight), :columns]
        return found


def _rows(inputs: Tensor, block: Block) -> Tensor:
    return inputs[block.start : block.start + block.nodes]
