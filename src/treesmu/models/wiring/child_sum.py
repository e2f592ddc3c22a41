"""ChildSum: the wiring that adds up the states of the children, i = [h_1 + ... + h_a; x]."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from treesmu.data import Vocab

from ..cells.hand_written import Child, Level, group_products
from ..forest.layout import Layout
from .base import FunctionWeights, GateSizes, Groups, Products, Wiring, gradients_by_name, sorted_functions, with_inputs


class ChildSum(Wiring):
    """i = [h_1 + ... + h_a; x], and a forget gate for each child from its own state."""

    def __init__(self, sizes: GateSizes, vocab: Vocab, inputs: int, linears: dict[str, tuple[int, int, bool]]) -> None:
        super().__init__(sizes, vocab, inputs, linears)
        functions, size = len(vocab.functions), self.n + inputs
        self.gates = FunctionWeights(functions, size, sizes.width)
        self.forget = FunctionWeights(functions, size, sizes.forget) if sizes.forget else None

    def forward(self, h: Tensor, inputs: Tensor | None, groups: Groups) -> Tensor:
        z = [self.gates(with_inputs(h.sum(1), inputs), groups)]
        if self.forget is not None:
            z += [self.forget(with_inputs(h_k, inputs), groups) for h_k in h.unbind(1)]
        return torch.cat(z, dim=1)

    def affine(self, function: int) -> tuple[Tensor, Tensor]:
        """Return weights and bias; the weights from a child to the forget gate of another child are 0."""
        arity, n = self.vocab.arities[function], self.n
        gates, bias = self.gates.weight.detach()[function, :n], self._bias(arity)[function]
        weights = gates.new_zeros(arity, n, len(bias))
        weights[:, :, : self.sizes.width] = gates
        if self.forget is not None:
            for k in range(arity):
                weights[k, :, self.sizes.forget_columns(k)] = self.forget.weight.detach()[function, :n]
        return weights, bias

    def biases(self, layout: Layout) -> Tensor:
        return self._bias(layout.max_arity).index_select(0, layout.functions)

    def _bias(self, arity: int) -> Tensor:
        """Return the biases of all functions, (functions, columns of z)."""
        table = [self.gates.bias]
        if self.forget is not None:
            table += [self.forget.bias] * arity
        return torch.cat([bias.detach() for bias in table if bias is not None], dim=1)

    def products(
        self, layout: Layout, states: Tensor, z: Tensor, levels: list[Level], inputs: Tensor | None
    ) -> ChildSumProducts:
        del z  # each level has its rows
        return ChildSumProducts(self, layout, states, levels, inputs)


class _LevelWeights(NamedTuple):
    """What a level multiplies: its sums (m, n + d), the gates' weights of its groups, and those of each child's forget gate."""

    sums: Tensor
    gates: list[Tensor]
    forgets: list[tuple[list[int], list[Tensor]]]  # for each child: the sizes of its groups, and their weights


class ChildSumProducts(Products):
    """The products of a pass: one for every group, with the sums of states, and one more for every group of each child."""

    def __init__(self, wiring: ChildSum, layout: Layout, states: Tensor, levels: list[Level], inputs: Tensor | None) -> None:
        super().__init__(wiring, layout, states, levels, inputs)
        self.wiring, self.n = wiring, wiring.n
        self.sums = states.new_zeros(layout.inner, self.n + wiring.inputs)
        if inputs is not None:
            self.sums[:, self.n :] = inputs
        gates = wiring.gates.weight.detach().unbind()
        forgets = () if wiring.forget is None else wiring.forget.weight.detach().unbind()
        self.weights: list[_LevelWeights] = []
        for level, blocks, sums in zip(levels, layout.blocks, self.sums.split(layout.level_sizes), strict=True):
            functions = [f for block in blocks for f in block.functions]
            arities = [wiring.vocab.arities[f] for f in functions]
            of_children = []
            for k in range(len(level.children) if forgets else 0):
                first = sum(arity <= k for arity in arities)  # functions are in the order of arity
                of_children.append((level.sizes[first:], [forgets[f] for f in functions[first:]]))
            self.weights.append(_LevelWeights(sums, [gates[f] for f in functions], of_children))

    def up(self, number: int) -> None:
        level, (sums, gates, forgets) = self.levels[number], self.weights[number]
        total = sums[:, : self.n]
        states = [self.states.index_select(0, child.nodes) for child in level.children]
        for child, h in zip(level.children, states, strict=True):
            child.of(total).add_(h)
        _add_products(level.z[:, : self.wiring.sizes.width], sums, level.sizes, gates)
        for child, h, (sizes, weights) in zip(level.children, states, forgets, strict=bool(forgets)):
            _add_products(child.f, with_inputs(h, self._inputs(sums, child)), sizes, weights)

    def _inputs(self, sums: Tensor, child: Child) -> Tensor | None:
        return child.of(sums[:, self.n :]) if self.wiring.inputs else None

    def down(self, number: int) -> None:
        level, (sums, gates, forgets) = self.levels[number], self.weights[number]
        di = group_products(  # (m, n + d)
            level.dz[:, : self.wiring.sizes.width], level.sizes, [w.t() for w in gates], torch.empty_like(sums)
        )
        for k, child in enumerate(level.children):
            dh = child.of(di)
            if forgets:
                sizes, weights = forgets[k]
                dh = dh + group_products(child.df, sizes, [w.t() for w in weights], torch.empty_like(dh))
                if self.wiring.inputs:
                    child.of(di)[:, self.n :] = dh[:, self.n :]
            self.dstates.index_add_(0, child.nodes, dh[:, : self.n])
        if self.dinputs is not None:
            start = self.layout.level_starts[number]
            self.dinputs[start : start + len(di)] = di[:, self.n :]

    def gate_gradients(self) -> dict[str, Tensor]:
        layout, wiring, sizes = self.layout, self.wiring, self.wiring.sizes
        found = gradients_by_name("gates", wiring.gates, self.sums, self.dz[:, : sizes.width], layout)
        if wiring.forget is None:
            return found
        dbias = self.dz[:, sizes.width :].unflatten(1, (-1, sizes.forget)).sum(1)
        found["forget.bias"] = dbias.new_zeros(len(wiring.vocab.functions), sizes.forget).index_add_(0, layout.functions, dbias)
        rows = [np.flatnonzero(layout.arity_of > k) for k in range(layout.max_arity)]
        dz = [self.dz[:, sizes.forget_columns(k)].index_select(0, layout.tensor(r)) for k, r in enumerate(rows)]
        places, children = np.concatenate(rows), np.concatenate([layout.below[r, k] for k, r in enumerate(rows)])
        functions, order = sorted_functions(layout.function_of[places])
        h = self.states.index_select(0, layout.tensor(children[order]))
        i = with_inputs(h, None if self.inputs is None else self.inputs.index_select(0, layout.tensor(places[order])))
        found["forget.weight"] = wiring.forget.weight_gradient(
            i, torch.cat(dz).index_select(0, layout.tensor(order)), functions
        )
        return found


def _add_products(out: Tensor, x: Tensor, sizes: list[int], weights: list[Tensor]) -> None:
    """Add x times the weights of each group's function to out."""
    for out_f, x_f, w in zip(out.split(sizes), x.split(sizes), weights, strict=True):
        out_f.addmm_(x_f, w)
