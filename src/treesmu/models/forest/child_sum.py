"""Summed: i = [h_1 + ... + h_a; x], the child-sum form."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from treesmu.data import Vocab

from ..cells.base import Cell
from .by_hand import Level, Sweep, products
from .layout import Layout
from .wiring import FunctionWeights, Groups, Wiring, by_order, gradients, joined


class Summed(Wiring):
    """i = [h_1 + ... + h_a; x], and a forget gate for each child from its own state."""

    def __init__(self, cell: Cell, vocab: Vocab, inputs: int) -> None:
        super().__init__(cell, vocab, inputs)
        functions, size = len(vocab.functions), self.n + inputs
        self.gates = FunctionWeights(functions, size, self.width)
        self.forget = FunctionWeights(functions, size, self.n) if cell.forgets else None

    def plain(self, h: Tensor, inputs: Tensor | None, groups: Groups) -> Tensor:
        z = [self.gates.plain(joined(h.sum(1), inputs), groups)]
        if self.forget is not None:
            z += [self.forget.plain(joined(h_k, inputs), groups) for h_k in h.unbind(1)]
        return torch.cat(z, dim=1)

    def affine(self, function: int) -> tuple[Tensor, Tensor]:
        """The forget gate of a child sees no other child: there the weights are 0."""
        arity, n = self.vocab.arities[function], self.n
        gates, bias = self.gates.weight.detach()[function, :n], self._bias(arity)[function]
        weights = gates.new_zeros(arity, n, len(bias))
        weights[:, :, : self.width] = gates
        if self.forget is not None:
            for k in range(arity):
                first = self.width + k * n
                weights[k, :, first : first + n] = self.forget.weight.detach()[function, :n]
        return weights, bias

    def biases(self, layout: Layout) -> Tensor:
        return self._bias(layout.max_arity).index_select(0, layout.functions)

    def _bias(self, arity: int) -> Tensor:
        """(functions, columns of z)"""
        table = [self.gates.bias]
        if self.forget is not None:
            table += [self.forget.bias] * arity
        return torch.cat([bias.detach() for bias in table if bias is not None], dim=1)

    def lay(self, sweep: Sweep) -> None:
        super().lay(sweep)
        size = self.n + self.inputs
        sweep.wired.summed = sweep.h.new_zeros(sweep.layout.inner, size)
        if sweep.inputs is not None:
            sweep.wired.summed[:, self.n :] = sweep.inputs
        sweep.split({"summed": sweep.wired.summed})
        gates = self.gates.weight.detach().unbind()
        forgets = () if self.forget is None else self.forget.weight.detach().unbind()
        for level in sweep.levels:
            functions = [f for block in level.blocks for f in block.functions]
            level.sizes = [size for block in level.blocks for size in block.sizes]
            level.gate_weights = [gates[f] for f in functions]
            arities = [self.vocab.arities[f] for f in functions]
            for k, child in enumerate(level.children if forgets else ()):
                first = sum(arity <= k for arity in arities)  # functions are in the order of arity
                child.sizes = level.sizes[first:]
                child.weights = [forgets[f] for f in functions[first:]]

    def up(self, sweep: Sweep, level: Level) -> None:
        total = level.summed[:, : self.n]
        states = [sweep.h.index_select(0, child.nodes) for child in level.children]
        for child, h in zip(level.children, states, strict=True):
            child.of(total).add_(h)
        add_products(level.z[:, : self.width], level.summed, level.sizes, level.gate_weights)
        if self.forget is not None:
            for child, h in zip(level.children, states, strict=True):
                add_products(child.f, joined(h, self._inputs(level, child)), child.sizes, child.weights)

    def _inputs(self, level: Level, child: Any) -> Tensor | None:
        return child.of(level.summed[:, self.n :]) if self.inputs else None

    def down(self, sweep: Sweep, level: Level) -> None:
        di = products(  # (m, n + d)
            level.dz[:, : self.width], level.sizes, [w.t() for w in level.gate_weights], torch.empty_like(level.summed)
        )
        for child in level.children:
            dh = child.of(di)
            if self.forget is not None:
                dh = dh + products(child.df, child.sizes, [w.t() for w in child.weights], torch.empty_like(dh))
                if self.inputs:
                    child.of(di)[:, self.n :] = dh[:, self.n :]
            sweep.dh.index_add_(0, child.nodes, dh[:, : self.n])
        if sweep.dinputs is not None:
            start = level.blocks[0].start
            sweep.dinputs[start : start + len(di)] = di[:, self.n :]

    def gate_gradients(self, sweep: Sweep) -> dict[str, Tensor]:
        layout, n = sweep.layout, self.n
        found = gradients("gates", self.gates, sweep.wired.summed, sweep.dz[:, : self.width], layout)
        if self.forget is None:
            return found
        dbias = sweep.dz[:, self.width :].unflatten(1, (-1, n)).sum(1)
        found["forget.bias"] = dbias.new_zeros(len(self.vocab.functions), n).index_add_(0, layout.functions, dbias)
        rows = [np.flatnonzero(layout.arity_of > k) for k in range(layout.max_arity)]
        dz = [
            sweep.dz[:, self.width + k * n : self.width + (k + 1) * n].index_select(0, layout.tensor(r))
            for k, r in enumerate(rows)
        ]
        places, children = np.concatenate(rows), np.concatenate([layout.below[r, k] for k, r in enumerate(rows)])
        functions, order = by_order(layout.function_of[places])
        h = sweep.h.index_select(0, layout.tensor(children[order]))
        i = joined(h, None if sweep.inputs is None else sweep.inputs.index_select(0, layout.tensor(places[order])))
        found["forget.weight"] = self.forget.gradient(i, torch.cat(dz).index_select(0, layout.tensor(order)), functions)
        return found


def add_products(out: Tensor, x: Tensor, sizes: list[int], weights: list[Tensor]) -> None:
    """out += x @ the weights of each group's function."""
    for out_f, x_f, w in zip(out.split(sizes), x.split(sizes), weights, strict=True):
        out_f.addmm_(x_f, w)
