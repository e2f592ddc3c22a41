"""Network: the weights of a wiring as tables of addresses, so that compiled code finds those of every function.

A layer of a function is one or more maps, each from some columns of its input to some columns of its output:

- concatenated: one map from i = [h_1; ...; h_a; x] to z;
- child-sum: i = [h_1 + ... + h_a; x | h_1; x | ... | h_a; x], one map from the sum to the gates and one from each child to its
  forget gate;
- a hidden layer has the same maps to the hidden columns, and others from there to z.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from torch import Tensor, dtype

from ..wiring.base import FunctionWeights, Wiring
from ..wiring.child_sum import ChildSum
from ..wiring.concatenated import Concatenated
from ..wiring.hidden_layer import TwoLayers
from .native import Array

FROM, INPUTS, TO, OUTPUTS, WEIGHT, BIAS, DWEIGHT, DBIAS = range(8)  # columns of maps
ABSENT = -1  # in place of the address of a bias that a map does not have


class Layer(NamedTuple):
    """The maps of a layer: those of function f are maps[starts[f] : starts[f + 1]]."""

    starts: Array  # (functions + 1,)
    maps: Array  # (maps, 8) columns, sizes, addresses of weight and bias, and where their gradients begin, in bytes


class Network(NamedTuple):
    """What compiled code has to know of a wiring."""

    blas: int  # the address of the matrix product
    gradients: int  # the address of the gradients of all weights
    n: int  # the size of a state
    inputs: int  # d, the size of an inner node's input
    is_sum: bool  # whether i has the sum of the children's states
    forget: int  # n, or 0 if there are no forget gates
    width: int  # the columns of z before the forget gates
    first: Layer
    second: Layer  # without maps if there is no hidden layer
    linears: Layer  # the further maps of the cell, in the order of their names


class _Map(NamedTuple):
    weights: FunctionWeights
    number: int  # of the function among the weights
    source: int
    target: int


class NetworkTables:
    """The tables of a wiring, made once; the addresses of weights and gradients are filled in for each pass."""

    def __init__(self, wiring: Wiring) -> None:
        plain = wiring.hidden if isinstance(wiring, TwoLayers) else wiring
        functions = range(len(wiring.vocab.functions))
        self.gate_sizes, self.inputs, self.is_sum = wiring.sizes, wiring.inputs, isinstance(plain, ChildSum)
        self.sizes = np.array([_sizes(wiring, plain, arity) for arity in wiring.vocab.arities], np.int64).reshape(-1, 4)
        self.owners = [(m._parameters, name) for m in wiring.modules() for name, p in m._parameters.items() if p is not None]
        self.parameters = [cast("Tensor", owner[name]) for owner, name in self.owners]  # in the order of wiring.parameters()
        self.lengths = [parameter.numel() for parameter in self.parameters]
        layers = (
            [_first_maps(plain, f) for f in functions],
            [_second_maps(wiring, f) for f in functions],
            [[_Map(wiring.linear(name), f, 0, 0) for name in wiring.linears] for f in functions],
        )
        self.tables = [_Table(maps, self.parameters) for maps in layers]
        self.addresses: list[int] = []
        self.dtype: dtype | None = None
        self.layers: list[Layer] = []

    @property
    def is_current(self) -> bool:
        """Whether the parameters are still those of the wiring."""
        return all(owner[name] is p for p, (owner, name) in zip(self.parameters, self.owners, strict=True))

    def network(self, blas: int, states: dtype, gradients: Tensor | None = None) -> Network:
        """Return the tables. states: the type of states; gradients: flat, one for each weight, None without a way down."""
        addresses = [parameter.data_ptr() for parameter in self.parameters]
        if addresses != self.addresses or states != self.dtype:
            self._check(states)
            item = self.parameters[0].element_size()
            places = item * (np.cumsum(self.lengths) - self.lengths)
            self.layers = [table.layer(np.array(addresses), places, item) for table in self.tables]
            self.addresses, self.dtype = addresses, states
        sizes, into = self.gate_sizes, 0 if gradients is None else gradients.data_ptr()
        return Network(blas, into, sizes.n, self.inputs, self.is_sum, sizes.forget, sizes.width, *self.layers)

    def _check(self, states: dtype) -> None:
        """Raise an error if compiled code, which knows only addresses, would misread a weight."""
        for parameter in self.parameters:
            if parameter.dtype != states or parameter.device.type != "cpu" or not parameter.is_contiguous():
                layout = f"{parameter.dtype} on {parameter.device}" + ("" if parameter.is_contiguous() else ", not contiguous")
                raise ValueError(f"a weight is {layout}; it must be {states} on the CPU and contiguous, or pass compiled=False")

    def split(self, gradients: Tensor) -> list[Tensor]:
        """Return the gradient of every parameter, from the flat one."""
        parts = gradients.split(self.lengths)
        return [part.view(parameter.shape) for part, parameter in zip(parts, self.parameters, strict=True)]


class _Table:
    """The maps of a layer. The address of a weight is that of its parameter and a distance from it."""

    def __init__(self, of_functions: list[list[_Map]], parameters: list[Tensor]) -> None:
        number = {id(parameter): i for i, parameter in enumerate(parameters)}
        maps = [m for of_function in of_functions for m in of_function]
        self.starts = np.cumsum([0, *map(len, of_functions)])
        both: list[Tensor | None] = [*(m.weights.weight for m in maps), *(m.weights.bias for m in maps)]
        self.parameter = np.array([-1 if p is None else number[id(p)] for p in both], np.int64)  # weights, then biases
        shapes = np.array([m.weights.weight.shape[1:] for m in maps], np.int64).reshape(-1, 2)
        index = np.array([m.number for m in maps], np.int64)
        self.distance = np.concatenate([index * shapes.prod(1), index * shapes[:, 1]])
        self.maps = np.zeros((len(maps), 8), np.int64)
        self.maps[:, FROM], self.maps[:, TO] = [m.source for m in maps], [m.target for m in maps]
        self.maps[:, INPUTS], self.maps[:, OUTPUTS] = shapes.T

    def layer(self, weights: Array, gradients: Array, item: int) -> Layer:
        """Return the layer with these addresses of parameters, and places of their gradients. item: bytes of a number."""
        maps = self.maps.copy()
        for first, starts in ((WEIGHT, weights), (DWEIGHT, gradients)):
            found = np.where(self.parameter < 0, ABSENT, starts[self.parameter] + item * self.distance)
            maps[:, first : first + 2] = found.reshape(2, -1).T
        return Layer(self.starts, maps)


def _sizes(wiring: Wiring, plain: Wiring, arity: int) -> tuple[int, int, int, int]:
    """Return the arity, and the numbers per node: of i, of the hidden layer, of z."""
    size = plain.n + plain.inputs
    i = arity * plain.n + plain.inputs
    if isinstance(plain, ChildSum):
        i = (1 + arity) * size if plain.sizes.forget else size
    return arity, i, 0 if plain is wiring else plain.sizes.columns(arity), wiring.sizes.columns(arity)


def _first_maps(plain: Wiring, function: int) -> list[_Map]:
    arity = plain.vocab.arities[function]
    if isinstance(plain, Concatenated):
        return [_Map(plain.of(arity), function - plain.first[arity], 0, 0)]
    assert isinstance(plain, ChildSum)
    found = [_Map(plain.gates, function, 0, 0)]
    if plain.forget is not None:
        size = plain.n + plain.inputs
        found += [_Map(plain.forget, function, (1 + k) * size, plain.sizes.columns(k)) for k in range(arity)]
    return found


def _second_maps(wiring: Wiring, function: int) -> list[_Map]:
    if not isinstance(wiring, TwoLayers):
        return []
    parts = wiring.second.parts(wiring.vocab.arities[function])
    return [_Map(p.weights, function - p.first, p.columns.start, p.outputs.start) for p in parts]
