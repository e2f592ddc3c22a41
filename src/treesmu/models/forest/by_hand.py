"""A forest computed by hand: one sweep up for the states, one down for the gradients, as a single autograd.Function.

What makes it fast, in the order of what it brings:

- a level of the forest is one step, whatever its functions; only the matrix products are made for each function;
- no graph is recorded: the sweep down is written by hand, beside each cell's ``up`` as its ``down``;
- gradients of weights wait until the sweep is over, and are then one matrix product a function for the whole forest;
- what does not depend on the levels below (derivatives of gates, biases, masks) is done for all nodes at once;
- views cost as much as small products, so buffers are split into all their levels by one call.

Rows of a buffer are the inner nodes, in the forest's order; states and memories have rows for leaves before them and one
more at the end, of zeros, for a child that is not there.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from .layout import Layout

if TYPE_CHECKING:
    from ..cells.base import Cell
    from .wiring import Wiring

TINY = 1e-12  # the shortest state that is scaled to length 1


def unit_length(states: Tensor) -> Tensor:
    """(..., n) scaled to length 1."""
    return states / torch.linalg.vector_norm(states, dim=-1, keepdim=True).clamp_min(TINY)


class Buffers(SimpleNamespace):
    """Tensors with a row for each inner node of the forest, by name. z: pre-activations, after ``up`` the gates."""

    z: Tensor


class Child(SimpleNamespace):
    """The k-th children of the nodes of one level that have so many: the level's rows from ``first`` on."""

    first: int
    nodes: Tensor  # (m_k,) the children's places in the forest
    memory: Tensor  # (m_k, *memory)
    f: Tensor  # (m_k, n) the forget gate, once ``up`` has squashed z
    df: Tensor  # (m_k, n) to be written by ``down``: the gradient of the gate
    dmemories: Tensor  # (nodes + 1, *memory) the gradients of all memories of the forest

    def of(self, rows: Tensor) -> Tensor:
        """Those of a level's rows that have this child."""
        return rows[self.first :] if self.first else rows

    def add_to_memory(self, gradient: Tensor) -> None:
        self.dmemories.index_add_(0, self.nodes, gradient)


class Level(SimpleNamespace):
    """The nodes of one height: their rows of every buffer, by its name, and their children.

    For ``up``: z and what the cell's ``gate_views`` makes of it, the cell's own buffers; h and memory, to be written.
    For ``down``: dh, dmemory; the same views of dz with a d before their names, to be written; what ``down_views`` gave.
    """

    children: list[Child]
    masks: tuple[Tensor, ...]  # (m, n) for each layer that has dropout; none when there is no dropout
    sizes: list[int]  # of the groups of one function
    maps: dict[str, list[tuple[Tensor, Tensor | None]]]  # weights and bias of each group's further linear maps

    def linear(self, name: str, x: Tensor, out: Tensor) -> None:
        """out (m, out) = the further linear map of x (m, in)"""
        for out_f, x_f, (w, b) in zip(out.split(self.sizes), x.split(self.sizes), self.maps[name], strict=True):
            torch.mm(x_f, w, out=out_f) if b is None else torch.addmm(b, x_f, w, out=out_f)

    def linear_down(self, name: str, dz: Tensor) -> Tensor:
        """From the gradient of a map's result (m, out) to that of its x (m, in)."""
        weights = [w.t() for w, _ in self.maps[name]]
        return products(dz, self.sizes, weights, dz.new_empty(dz.shape[0], weights[0].shape[1]))


def products(x: Tensor, sizes: list[int], weights: list[Tensor], out: Tensor) -> Tensor:
    """out = x @ the weights of each group's function."""
    for out_f, x_f, w in zip(out.split(sizes), x.split(sizes), weights, strict=True):
        torch.mm(x_f, w, out=out_f)
    return out


def gate_slopes(all_: Buffers) -> Tensor:
    """The derivatives of gates by their pre-activations: the first n columns are those of u, a tanh, the others logistic."""
    slopes = torch.addcmul(all_.z, all_.z, all_.z, value=-1)  # s·(1 - s)
    slopes[:, : all_.u.shape[1]] = 1 - all_.u.square()
    return slopes


class Sweep:
    """One forest through one cell, up and then, if asked, down again."""

    def __init__(
        self,
        cell: Cell,
        wiring: Wiring,
        layout: Layout,
        leaf_states: Tensor,  # (leaves, n)
        inputs: Tensor | None,  # (inner, d)
        mask: Tensor | None,  # (inner, dropped, n)
        unit: bool,  # whether states are scaled to length 1
    ) -> None:
        self.cell, self.wiring, self.layout = cell, wiring, layout
        self.inputs, self.unit = inputs, unit
        self.h = self._with_zeros(leaf_states, (cell.hidden,))
        self.memory = self._with_zeros(0, cell.memory, leaf_states) if cell.memory else None
        self.all = Buffers(z=wiring.biases(layout))
        self.levels = [Level(masks=()) for _ in layout.level_sizes]
        self._give({name: leaf_states.new_empty(layout.inner, *shape) for name, shape in cell.kept().items()})
        if self.memory is not None:
            self._give({"memory": self.memory[layout.leaves : -1]})
        self.split({"z": self.all.z, "h": self.h[layout.leaves : -1]})
        self.split({**cell.gate_views(self.all.z), **cell.up_views(self.all)})
        if unit:
            self._give({"length": leaf_states.new_empty(layout.inner, 1)})
        if mask is not None:
            for level, *masks in zip(self.levels, *(layer.split(layout.level_sizes) for layer in mask.unbind(1)), strict=True):
                level.masks = tuple(masks)
        self._give_children()
        self.wired = SimpleNamespace()  # what the wiring keeps between up and down
        wiring.lay(self)

    def _with_zeros(self, leaves: Tensor | int, shape: tuple[int, ...], like: Tensor | None = None) -> Tensor:
        """(nodes + 1, *shape): the leaves as given, the inner nodes to be written, and a row of zeros."""
        source: Any = leaves if like is None else like
        buffer = source.new_empty(self.layout.nodes + 1, *shape)
        buffer[: self.layout.leaves] = leaves
        buffer[-1] = 0
        return buffer

    def _give(self, named: dict[str, Tensor]) -> None:
        """Keep these buffers, and give each level its rows."""
        vars(self.all).update(named)
        self.split(named)

    def split(self, named: dict[str, Tensor]) -> None:
        """Give each level its rows of these buffers."""
        for name, buffer in named.items():
            for level, rows in zip(self.levels, buffer.split(self.layout.level_sizes), strict=True):
                setattr(level, name, rows)

    def _give_children(self) -> None:
        for level in self.levels:
            level.children = []
        layout = self.layout
        for k, firsts in enumerate(layout.first_with_child):
            for level, size, first, nodes in zip(self.levels, layout.level_sizes, firsts, layout.children(k), strict=True):
                if first < size:
                    level.children.append(Child(first=first, nodes=nodes))
        self._give_forget_gates("f", self.all.z)

    def _give_forget_gates(self, name: str, z: Tensor) -> None:
        n, width = self.cell.hidden, self.cell.width
        for k in range(self.layout.max_arity if self.cell.forgets else 0):
            gates = self.layout.rows_with_child(z[:, width + k * n : width + (k + 1) * n], k)
            for level, rows in zip(self.levels, gates, strict=True):
                if k < len(level.children):
                    setattr(level.children[k], name, rows)

    def up(self) -> Tensor:
        """The states of all nodes, leaves first: (nodes, n)."""
        for level in self.levels:
            self.wiring.up(self, level)
            if self.memory is not None:
                for child in level.children:
                    child.memory = self.memory.index_select(0, child.nodes)
            self.cell.up(level)
            if self.unit:
                torch.linalg.vector_norm(level.h, dim=1, keepdim=True, out=level.length)
                level.h.div_(level.length.clamp_min_(TINY))
        return self.h[:-1]

    def down(self, grad: Tensor) -> tuple[Tensor, Tensor | None, list[Tensor]]:
        """The gradient of all states -> those of the leaves' states, of the inputs, of the weights."""
        leaves = self.layout.leaves
        self.dh = torch.cat([grad, grad.new_zeros(1, self.cell.hidden)])
        self.dz = torch.zeros_like(self.all.z)
        self.dinputs = None if self.inputs is None else torch.empty_like(self.inputs)
        if self.memory is not None:
            dmemories = torch.zeros_like(self.memory)
            self._give({"dmemory": dmemories[leaves:-1]})
            for level in self.levels:
                for child in level.children:
                    child.dmemories = dmemories
        self._give(self.cell.down_views(self.all))
        self.split({"dz": self.dz, "dh": self.dh[leaves:-1], "slope": self.cell.slopes(self.all)})
        self.split({f"d{name}": view for name, view in self.cell.gate_views(self.dz).items()})
        self._give_forget_gates("df", self.dz)
        self.wiring.lay_down(self)
        for level in reversed(self.levels):
            if self.unit:
                along = torch.linalg.vecdot(level.h, level.dh).unsqueeze(1)
                level.dh.addcmul_(level.h, along, value=-1).div_(level.length)
            self.cell.down(level)
            level.dz.mul_(level.slope)
            self.wiring.down(self, level)
        return self.dh[:leaves], self.dinputs, self.wiring.weight_gradients(self)


class Run(torch.autograd.Function):
    """The sweep as one operation of autograd. Called with Sweep's arguments but leaf states, inputs and mask, then those."""

    @staticmethod
    def forward(ctx: Any, settings: tuple[Any, ...], leaf_states: Tensor, *others: Tensor | None) -> Tensor:
        """others: inputs, mask, and the weights, which the wiring has too."""
        ctx.settings, ctx.sweep = settings, _sweep(settings, leaf_states, *others[:2])
        ctx.save_for_backward(leaf_states, *others)  # so autograd sees when somebody changes a weight meanwhile
        states: Tensor = ctx.sweep.up()
        return states

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        given = ctx.saved_tensors
        sweep, ctx.sweep = ctx.sweep, None  # its memory is free after the way back, as that of autograd's own operations
        if sweep is None:  # a second time, with retain_graph=True
            sweep = _sweep(ctx.settings, *given[:3])
            sweep.up()
        leaf_states, inputs, *weights = _Down.apply(sweep, grad, *given)
        return None, leaf_states, inputs, None, *weights


def _sweep(settings: tuple[Any, ...], *given: Tensor | None) -> Sweep:
    cell, wiring, layout, unit = settings
    leaf_states, inputs, mask = (None if tensor is None else tensor.detach() for tensor in given)
    assert leaf_states is not None
    return Sweep(cell, wiring, layout, leaf_states, inputs, mask, unit)


class _Down(torch.autograd.Function):
    """The way back, an operation of its own that has none: a gradient of gradients is refused instead of wrong."""

    @staticmethod
    def forward(ctx: Any, sweep: Sweep, grad: Tensor, *given: Tensor | None) -> tuple[Tensor | None, ...]:
        del ctx, given
        leaf_states, inputs, weights = sweep.down(grad)
        return leaf_states, inputs, *weights

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        del ctx, grads
        raise RuntimeError("gradients of gradients need an encoder made with by_hand=False")
