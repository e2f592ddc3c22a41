"""Wiring: the maps from the states of the children to the pre-activations z of many nodes.

There are two forms of affine maps, each in plain PyTorch (``forward``) and by hand (``products``, used by by_hand.py):

- concatenated.py: z = W_f [h_1; ...; h_a; x] + b_f, with separate weights for every function f;
- child_sum.py: z = W_f [h_1 + ... + h_a; x] + b_f, and the forget gate of child k from [h_k; x] alone.

hidden_layer.py puts a hidden layer between either of them and z.
x is the optional input of an inner node. The weights of all functions of an arity are one parameter (functions, in, out). A
function that is not in a batch has a gradient of zeros: its moments in Adam decay as in the original code, and no parameter is
ever unused, which DistributedDataParallel does not allow by default.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from treesmu.data import Vocab

from ..cells.hand_written import Level, Weights
from ..forest.layout import Layout

Groups = Sequence[tuple[int, int]]  # (function, number of nodes): consecutive rows


class GateSizes(NamedTuple):
    """The sizes of a wiring: n of a state; the columns of z are ``width`` and, for each child, ``forget``."""

    n: int
    width: int
    forget: int  # 0 if there are no forget gates

    def columns(self, arity: int) -> int:
        """Return the number of columns of z for functions of an arity."""
        return self.width + arity * self.forget

    def forget_columns(self, k: int) -> slice:
        """Return the columns of the k-th child's forget gate."""
        return slice(self.columns(k), self.columns(k + 1))


class FunctionWeights(nn.Module):
    """An affine map for each of some functions. weight: (functions, in, out), bias: (functions, out) or None."""

    def __init__(self, functions: int, inputs: int, outputs: int, bias: bool = True) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(functions, inputs, outputs))
        self.bias = nn.Parameter(torch.empty(functions, outputs)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialise as nn.Linear does: uniform, with a range of one over the square root of the number of inputs."""
        bound = self.weight.shape[1] ** -0.5
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -bound, bound)

    def extra_repr(self) -> str:
        return "functions={}, inputs={}, outputs={}".format(*self.weight.shape)

    def forward(self, x: Tensor, groups: Groups) -> Tensor:
        """Return the outputs (nodes, out) for the inputs (nodes, in), by the map of each group's function."""
        weights = self.weight.unbind()  # once: the gradient of weight[f] would be as large as all of them
        parts = zip(x.split([size for _, size in groups]), groups, strict=True)
        if self.bias is None:
            return torch.cat([part @ weights[f] for part, (f, _) in parts])
        biases = self.bias.unbind()
        return torch.cat([torch.addmm(biases[f], part, weights[f]) for part, (f, _) in parts])

    def by_function(self) -> list[Weights]:
        """Return the weights (in, out) and the bias (out,) of each function, detached."""
        matrices = self.weight.detach().unbind()
        biases = [None] * len(matrices) if self.bias is None else self.bias.detach().unbind()
        return list(zip(matrices, biases, strict=True))

    def weight_gradient(self, x: Tensor, dz: Tensor, functions: NDArray[np.int64]) -> Tensor:
        """Return the gradient of the weights. x: (nodes, in) and dz: (nodes, out) are sorted by function."""
        gradient = torch.empty_like(self.weight)
        counts = np.bincount(functions, minlength=len(self.weight)).tolist()
        for out, x_f, dz_f, count in zip(gradient.unbind(), x.mT.split(counts, 1), dz.split(counts), counts, strict=True):
            if count:
                torch.mm(x_f, dz_f, out=out)
            else:
                out.zero_()
        return gradient


class Products(ABC):
    """The matrix products of one pass over a forest by hand. dinputs: the gradient of the inputs, if there are any."""

    dinputs: Tensor | None = None

    def __init__(self, wiring: Wiring, layout: Layout, states: Tensor, levels: list[Level], inputs: Tensor | None) -> None:
        self.layout, self.states, self.levels, self.inputs = layout, states, levels, inputs
        self.linears = {name: wiring.linear(name) for name in wiring.linears}

    @abstractmethod
    def up(self, number: int) -> None:
        """Add the products to z of a level."""

    def start_down(self, dz: Tensor, dstates: Tensor) -> None:
        """Prepare the way down. dz: (inner, columns) to be read; dstates: (nodes + 1, n) to be added to."""
        self.dz, self.dstates = dz, dstates
        self.dinputs = None if self.inputs is None else torch.empty_like(self.inputs)

    @abstractmethod
    def down(self, number: int) -> None:
        """Add to the gradients of the children's states, and write those of the inputs, from dz of a level."""

    @abstractmethod
    def gate_gradients(self) -> dict[str, Tensor]:
        """Return the gradients of the weights that make z, by the names of the parameters."""

    def linear_gradients(self, rows: dict[str, tuple[Tensor, Tensor]]) -> dict[str, Tensor]:
        """Return the gradients of further linear maps. rows: for each the inputs and the gradients of outputs, (inner, ...)."""
        found: dict[str, Tensor] = {}
        for name, (x, dout) in rows.items():
            found |= gradients_by_name(f"linears.{name}", self.linears[name], x, dout, self.layout)
        return found


class Wiring(nn.Module, ABC):
    """The maps from children's states to z, and the further linear maps of a cell."""

    def __init__(self, sizes: GateSizes, vocab: Vocab, inputs: int, linears: dict[str, tuple[int, int, bool]]) -> None:
        """Make the further linear maps: name -> (inputs, outputs, has a bias)."""
        super().__init__()
        self.sizes, self.n, self.inputs, self.vocab = sizes, sizes.n, inputs, vocab
        functions = len(vocab.functions)
        self.linears = nn.ModuleDict({name: FunctionWeights(functions, *shape) for name, shape in linears.items()})

    def linear(self, name: str) -> FunctionWeights:
        """Return a further linear map."""
        return cast("FunctionWeights", self.linears[name])

    @abstractmethod
    def forward(self, h: Tensor, inputs: Tensor | None, groups: Groups) -> Tensor:
        """Return z: (nodes, width + a·n). h: (nodes, a, n) the children's states; inputs: (nodes, d)."""

    @abstractmethod
    def affine(self, function: int) -> tuple[Tensor, Tensor]:
        """Return z of one function as an affine map of its children's states: weights (a, n, columns) and bias (columns,).

        With a hidden layer, these are the hidden columns before gelu, and :meth:`second_layer` is what follows.
        """

    def second_layer(self, function: int) -> tuple[Tensor, Tensor] | None:
        """Return the weights (hidden columns, columns) and bias (columns,) of one function, or None without hidden layer."""
        del function
        return None

    @abstractmethod
    def biases(self, layout: Layout) -> Tensor:
        """Return z of all inner nodes before the products are added: (inner, columns)."""

    @abstractmethod
    def products(self, layout: Layout, states: Tensor, z: Tensor, levels: list[Level], inputs: Tensor | None) -> Products:
        """Return the products of one pass. states: (nodes + 1, n); z: (inner, columns) to be added to; inputs: (inner, d)."""


def with_inputs(states: Tensor, inputs: Tensor | None) -> Tensor:
    """Return [h; x], or h if there are no inputs."""
    return states if inputs is None else torch.cat([states, inputs], dim=1)


def sorted_functions(functions: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return functions in ascending order, and the order that sorts them."""
    order = np.argsort(functions, kind="stable")
    return functions[order], order


def gradients_by_name(name: str, weights: FunctionWeights, x: Tensor, dz: Tensor, layout: Layout) -> dict[str, Tensor]:
    """Return the gradients of a map's weight and bias, from rows for all inner nodes."""
    functions, order = sorted_functions(layout.function_of)
    places = layout.tensor(order)
    found = {f"{name}.weight": weights.weight_gradient(x.index_select(0, places), dz.index_select(0, places), functions)}
    if weights.bias is not None:
        found[f"{name}.bias"] = torch.zeros_like(weights.bias).index_add_(0, layout.functions, dz)
    return found
