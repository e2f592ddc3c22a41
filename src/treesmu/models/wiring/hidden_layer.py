"""TwoLayers: a wiring with a hidden layer, z = W2 g(W1 i + b1) + b2 with g = gelu, for every function.

The first layer is one of the plain wirings, whose columns are the hidden ones: k·n of them for the cell's gates and, with
child-sum, k·n for the forget gate of each child, which depends on that child alone here too. The second layer has parts, each
of which maps some of the hidden columns to some columns of z.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from treesmu.data import Vocab

from ..cells.hand_written import Level
from ..forest.layout import Layout
from ..forest.levels import assign_gradients, make_levels
from .base import FunctionWeights, GateSizes, Groups, Products, Wiring, sorted_functions
from .child_sum import ChildSum
from .concatenated import Concatenated


def gelu(x: Tensor) -> Tensor:
    """Return x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))), the approximation that needs no error function."""
    return F.gelu(x, approximate="tanh")


def gelu_down(grad: Tensor, x: Tensor) -> Tensor:
    """Return the gradient of x from that of gelu(x)."""
    found: Tensor = torch.ops.aten.gelu_backward(grad, x, approximate="tanh")
    return found


class Part(NamedTuple):
    """A map of the second layer for the functions of one arity."""

    name: str  # of the module among the parameters
    weights: FunctionWeights
    first: int  # the first of the functions that the weights are for
    columns: slice  # of the hidden columns, which it reads
    outputs: slice  # of the columns of z, which it writes


class SecondLayer(nn.Module):
    """The maps from hidden columns to z: with child-sum ``gates`` and ``forget``, otherwise ``gates`` for each arity."""

    def __init__(self, sizes: GateSizes, columns: int, vocab: Vocab, child_sum: bool) -> None:
        super().__init__()
        self.sizes, self.columns, self.vocab = sizes, columns, vocab
        self.forget: FunctionWeights | None = None
        self.gates: nn.Module
        if child_sum:
            self.gates = FunctionWeights(len(vocab.functions), columns, sizes.width)
            if sizes.forget:
                self.forget = FunctionWeights(len(vocab.functions), columns, sizes.forget)
        else:
            arities = sorted(set(vocab.arities))
            self.gates = nn.ModuleDict(
                {str(a): FunctionWeights(vocab.arities.count(a), columns, sizes.columns(a)) for a in arities}
            )

    def parts(self, arity: int) -> list[Part]:
        """Return the maps of the functions of an arity."""
        gates, width, forget, size = self.gates, self.sizes.width, self.sizes.forget, self.columns
        if isinstance(gates, nn.ModuleDict):
            weights: Any = gates[str(arity)]
            first = self.vocab.arities.index(arity)
            return [Part(f"gates.{arity}", weights, first, slice(0, size), slice(0, self.sizes.columns(arity)))]
        assert isinstance(gates, FunctionWeights)
        found = [Part("gates", gates, 0, slice(0, size), slice(0, width))]
        if self.forget is not None:
            for k in range(arity):
                hidden, outputs = slice((k + 1) * size, (k + 2) * size), slice(width + k * forget, width + (k + 1) * forget)
                found.append(Part("forget", self.forget, 0, hidden, outputs))
        return found


class TwoLayers(Wiring):
    """A wiring with a hidden layer of ``columns`` = k·n columns."""

    def __init__(
        self,
        sizes: GateSizes,
        vocab: Vocab,
        inputs: int,
        linears: dict[str, tuple[int, int, bool]],
        child_sum: bool,
        columns: int,
    ) -> None:
        super().__init__(sizes, vocab, inputs, linears)
        plain = ChildSum if child_sum else Concatenated
        forget = columns if child_sum and sizes.forget else 0
        self.hidden: Wiring = plain(GateSizes(sizes.n, columns, forget), vocab, inputs, {})
        self.second = SecondLayer(sizes, columns, vocab, child_sum)

    def forward(self, h: Tensor, inputs: Tensor | None, groups: Groups) -> Tensor:
        hidden = gelu(self.hidden(h, inputs, groups))
        return torch.cat(
            [
                part.weights(hidden[:, part.columns], [(function - part.first, size) for function, size in groups])
                for part in self.second.parts(h.shape[1])
            ],
            dim=1,
        )

    def affine(self, function: int) -> tuple[Tensor, Tensor]:
        return self.hidden.affine(function)

    def second_layer(self, function: int) -> tuple[Tensor, Tensor]:
        arity = self.vocab.arities[function]
        bias = self._bias(arity)[function]
        weight = bias.new_zeros(self.hidden.sizes.columns(arity), len(bias))
        for part in self.second.parts(arity):
            weight[part.columns, part.outputs] = part.weights.weight.detach()[function - part.first]
        return weight, bias

    def biases(self, layout: Layout) -> Tensor:
        return self._bias(layout.max_arity).index_select(0, layout.functions)

    def _bias(self, arity: int) -> Tensor:
        """Return the biases of all functions up to an arity, (functions, columns of z); the others have zeros."""
        rows = [p.weights.bias for p in self.second.parts(self.vocab.arities[0]) if p.weights.bias is not None]
        table = rows[0].detach().new_zeros(len(self.vocab.functions), self.sizes.columns(arity))
        for function, a in enumerate(self.vocab.arities):
            for part in self.second.parts(a) if a <= arity else ():
                assert part.weights.bias is not None
                table[function, part.outputs] = part.weights.bias.detach()[function - part.first]
        return table

    def products(
        self, layout: Layout, states: Tensor, z: Tensor, levels: list[Level], inputs: Tensor | None
    ) -> TwoLayerProducts:
        return TwoLayerProducts(self, layout, states, z, levels, inputs)


class TwoLayerProducts(Products):
    """The products of a pass: those of the first layer, gelu, then one for every group and part of the second."""

    def __init__(
        self, wiring: TwoLayers, layout: Layout, states: Tensor, z: Tensor, levels: list[Level], inputs: Tensor | None
    ) -> None:
        super().__init__(wiring, layout, states, levels, inputs)
        self.wiring, hidden = wiring, wiring.hidden
        self.before = hidden.biases(layout)  # (inner, hidden columns) before gelu, to be added to
        self.after = torch.empty_like(self.before)
        self.hidden_levels = make_levels(layout, self.before, hidden.sizes)
        self.first = hidden.products(layout, states, self.before, self.hidden_levels, inputs)
        self.up_products = self._prepare(z, self.after, transposed=False)

    def _prepare(self, z: Tensor, hidden: Tensor, transposed: bool) -> list[list[tuple[Tensor, Tensor, Tensor]]]:
        """Return, for each level, the rows of z, the rows of the hidden layer and the weights of each group and part."""
        found: list[list[tuple[Tensor, Tensor, Tensor]]] = []
        for blocks in self.layout.blocks:
            products = []
            for block in blocks:
                for part in self.wiring.second.parts(block.arity):
                    start, matrices = block.start, part.weights.weight.detach()
                    for function, size in block.groups:
                        weight, rows = matrices[function - part.first], slice(start, start + size)
                        products.append(
                            (z[rows, part.outputs], hidden[rows, part.columns], weight.t() if transposed else weight)
                        )
                        start += size
            found.append(products)
        return found

    def _rows(self, buffer: Tensor, number: int) -> Tensor:
        start = self.layout.level_starts[number]
        return buffer[start : start + self.layout.level_sizes[number]]

    def up(self, number: int) -> None:
        self.first.up(number)
        self._rows(self.after, number).copy_(gelu(self._rows(self.before, number)))
        for z, hidden, weight in self.up_products[number]:
            z.addmm_(hidden, weight)

    def start_down(self, dz: Tensor, dstates: Tensor) -> None:
        super().start_down(dz, dstates)
        self.dhidden = torch.zeros_like(self.before)  # of columns that a function does not have, too
        self.down_products = self._prepare(dz, self.dhidden, transposed=True)
        assign_gradients(self.layout, self.hidden_levels, self.dhidden, self.wiring.hidden.sizes)
        self.first.start_down(self.dhidden, dstates)
        self.dinputs = self.first.dinputs

    def down(self, number: int) -> None:
        for dz, dhidden, weight in self.down_products[number]:
            torch.mm(dz, weight, out=dhidden) if dhidden.is_contiguous() else dhidden.copy_(dz @ weight)
        rows = self._rows(self.dhidden, number)
        rows.copy_(gelu_down(rows, self._rows(self.before, number)))
        self.first.down(number)

    def gate_gradients(self) -> dict[str, Tensor]:
        found = {f"hidden.{name}": gradient for name, gradient in self.first.gate_gradients().items()}
        modules = dict(self.wiring.second.named_modules())
        rows: dict[str, list[tuple[Any, Any, Tensor, Tensor]]] = {}
        for arity, places in self.layout.rows_of_arity.items():
            index = self.layout.tensor(places)
            for part in self.wiring.second.parts(arity):
                x, dout = (b.index_select(0, index) for b in (self.after[:, part.columns], self.dz[:, part.outputs]))
                rows.setdefault(part.name, []).append((part, self.layout.function_of[places] - part.first, x, dout))
        for name, module in modules.items():
            if isinstance(module, FunctionWeights):
                found |= self._gradients(f"second.{name}", module, rows.get(name, []))
        return found

    def _gradients(self, name: str, weights: FunctionWeights, rows: list[tuple[Any, Any, Tensor, Tensor]]) -> dict[str, Tensor]:
        """Return the gradients of a map of the second layer, by the names of the parameters."""
        if not rows:
            return {f"{name}.{key}": torch.zeros_like(parameter) for key, parameter in weights.named_parameters()}
        functions, order = sorted_functions(np.concatenate([f for _, f, _, _ in rows]))
        index = self.layout.tensor(order)
        x, dz = (torch.cat([row[side] for row in rows]).index_select(0, index) for side in (2, 3))
        assert weights.bias is not None
        bias = torch.zeros_like(weights.bias).index_add_(0, self.layout.tensor(functions), dz)
        return {f"{name}.weight": weights.weight_gradient(x, dz, functions), f"{name}.bias": bias}
