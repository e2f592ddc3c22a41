"""Wiring: how the pre-activations z of many nodes come from the states of their children, and gradients go back.

Two ways, each in plain PyTorch (``plain``), and by hand for the sweep (``up``, ``down``, ``weight_gradients``):

- concatenated.py: z = W_f [h_1; ...; h_a; x] + b_f, with weights of its own for every function f;
- summed.py, the child-sum form: z = W_f [h_1 + ... + h_a; x] + b_f, and the forget gate of child k from [h_k; x] alone.

x is the optional input of an inner node. The weights of all functions of an arity are one parameter (functions, in, out): a
function that is not in a batch has a gradient of zeros. Its moments in Adam fade as if it had been there, as in the
original code, and no parameter is ever unused, which DDP would have to be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from treesmu.data import Vocab

from ..cells.base import Cell
from .by_hand import Level, Sweep
from .layout import Layout

Groups = Sequence[tuple[int, int]]  # (function, how many nodes): consecutive rows


class FunctionWeights(nn.Module):
    """An affine map for each of some functions. weight: (functions, in, out), bias: (functions, out) or None."""

    def __init__(self, functions: int, inputs: int, outputs: int, bias: bool = True) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(functions, inputs, outputs))
        self.bias = nn.Parameter(torch.empty(functions, outputs)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """As nn.Linear: uniform, with a range of one over the root of the inputs."""
        bound = self.weight.shape[1] ** -0.5
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -bound, bound)

    def extra_repr(self) -> str:
        return "functions={}, inputs={}, outputs={}".format(*self.weight.shape)

    def plain(self, x: Tensor, groups: Groups) -> Tensor:
        """(nodes, in) -> (nodes, out)"""
        weights = self.weight.unbind()  # once: the gradient of weight[f] would be as large as all of them
        parts = zip(x.split([size for _, size in groups]), groups, strict=True)
        if self.bias is None:
            return torch.cat([part @ weights[f] for part, (f, _) in parts])
        biases = self.bias.unbind()
        return torch.cat([torch.addmm(biases[f], part, weights[f]) for part, (f, _) in parts])

    def gradient(self, x: Tensor, dz: Tensor, functions: Any) -> Tensor:
        """Of the weights, from inputs (nodes, in) and gradients of outputs (nodes, out), both sorted by function."""
        gradient = torch.empty_like(self.weight)
        counts = np.bincount(functions, minlength=len(self.weight)).tolist()
        for own, x_f, dz_f, count in zip(gradient.unbind(), x.mT.split(counts, 1), dz.split(counts), counts, strict=True):
            if count:
                torch.mm(x_f, dz_f, out=own)
            else:
                own.zero_()
        return gradient


class Wiring(nn.Module):
    """What both ways have in common: the further linear maps of a cell."""

    def __init__(self, cell: Cell, vocab: Vocab, inputs: int) -> None:
        super().__init__()
        self.n, self.width, self.inputs = cell.hidden, cell.width, inputs
        self.forget_width = cell.hidden if cell.forgets else 0
        self.vocab = vocab
        functions = len(vocab.functions)
        self.linears = nn.ModuleDict({name: FunctionWeights(functions, *spec) for name, spec in cell.linears.items()})

    def plain(self, h: Tensor, inputs: Tensor | None, groups: Groups) -> Tensor:
        """h: (nodes, a, n) the children's states, inputs: (nodes, d) -> z: (nodes, width + a·n)."""
        raise NotImplementedError

    def affine(self, function: int) -> tuple[Tensor, Tensor]:
        """z of one function as an affine map of its children's states: weights (a, n, columns) and bias (columns,)."""
        raise NotImplementedError

    def biases(self, layout: Layout) -> Tensor:
        """(inner, columns of z): every z before the products are added."""
        raise NotImplementedError

    def up(self, sweep: Sweep, level: Level) -> None:
        """Add the products to the level's z."""
        raise NotImplementedError

    def down(self, sweep: Sweep, level: Level) -> None:
        """From the level's dz to dh of the children, and to the inputs."""
        raise NotImplementedError

    def gate_gradients(self, sweep: Sweep) -> dict[str, Tensor]:
        """The gradients of the weights that make z, by the parameters' names."""
        raise NotImplementedError

    def lay(self, sweep: Sweep) -> None:
        """Give every level what ``up`` and the cell's further maps need."""
        maps = {name: by_function(weights) for name, weights in self.linears.items()}
        for level, blocks in zip(sweep.levels, sweep.layout.blocks, strict=True):
            level.blocks = blocks
            if maps:
                functions = [f for block in blocks for f in block.functions]
                level.sizes = [size for block in blocks for size in block.sizes]
                level.maps = {name: [of[f] for f in functions] for name, of in maps.items()}

    def lay_down(self, sweep: Sweep) -> None:
        """Give every level what ``down`` needs."""

    def weight_gradients(self, sweep: Sweep) -> list[Tensor]:
        """In the order of ``parameters()``."""
        found = self.gate_gradients(sweep)
        for name, (x, dz) in sweep.cell.linear_buffers.items():
            weights: Any = self.linears[name]
            found |= gradients(f"linears.{name}", weights, getattr(sweep.all, x), getattr(sweep.all, dz), sweep.layout)
        return [found[name] for name, _ in self.named_parameters()]


def joined(states: Tensor, inputs: Tensor | None) -> Tensor:
    return states if inputs is None else torch.cat([states, inputs], dim=1)


def by_function(weights: Any) -> list[tuple[Tensor, Tensor | None]]:
    """The weights (in, out) and the bias (out,) of each function, without their history."""
    matrices = weights.weight.detach().unbind()
    biases = [None] * len(matrices) if weights.bias is None else weights.bias.detach().unbind()
    return list(zip(matrices, biases, strict=True))


def by_order(functions: Any) -> tuple[Any, Any]:
    """The functions in ascending order, and the order that makes them so."""
    order = np.argsort(functions, kind="stable")
    return functions[order], order


def gradients(name: str, weights: FunctionWeights, x: Tensor, dz: Tensor, layout: Layout) -> dict[str, Tensor]:
    """Of the weights and the bias, from rows for all inner nodes."""
    functions, order = by_order(layout.function_of)
    places = layout.tensor(order)
    found = {f"{name}.weight": weights.gradient(x.index_select(0, places), dz.index_select(0, places), functions)}
    if weights.bias is not None:
        found[f"{name}.bias"] = torch.zeros_like(weights.bias).index_add_(0, layout.functions, dz)
    return found
