"""TreeRNN: a tree network without memory, with one or two feed-forward layers for each function."""

from __future__ import annotations

from typing import Literal, NamedTuple

import torch
from torch import Tensor

from treesmu.errors import DataError

from .arguments import check_sizes
from .base import Cell, Gates, Nodes
from .hand_written import HandWritten, Level, gradient_of


class TreeRNN(Cell):
    r"""Tree-RNN: a feed-forward network of one or two layers for each function, no memory besides the state.

    .. math::
        h = \mathrm{drop}(\phi(W i + b)) \quad\text{or}\quad
        h = \mathrm{drop}(\phi(W' v + b')), \quad v = \mathrm{drop}(\phi(W i + b))

    where :math:`i = [h_1; \dots; h_a]` are the states of the *a* children (with ``child_sum`` their sum). The paper has two
    layers; the authors' released weights have one, with the logistic function. activation: :math:`\phi`, ``tanh`` or
    ``sigmoid``; with two layers of the latter per node, gradients vanish before they reach the leaves of deep trees.
    """

    def __init__(
        self,
        hidden: int = 50,
        layers: int = 2,
        activation: Literal["sigmoid", "tanh"] = "tanh",
        dropout: float = 0.0,
        child_sum: bool = False,
        depth: int = 1,
        expansion: int = 4,
    ) -> None:
        check_sizes(hidden=hidden, layers=layers)
        if layers > 2:
            raise DataError(f"layers must be 1 or 2, not {layers}")
        if activation not in ("sigmoid", "tanh"):
            raise DataError(f"activation must be sigmoid or tanh, not {activation!r}")
        linears = {"second": (hidden, hidden, True)} if layers == 2 else {}
        super().__init__(
            hidden,
            width=hidden,
            child_sum=child_sum,
            linears=linears,
            dropout=dropout,
            dropped=layers,
            depth=depth,
            expansion=expansion,
        )
        self.layers, self.activation = layers, activation

    def step(self, z: Tensor, memory: Tensor, at: Nodes) -> tuple[Tensor, None, Gates]:
        """Compute nodes of one arity. z: (nodes, n)."""
        del memory
        phi = torch.sigmoid if self.activation == "sigmoid" else torch.tanh
        v = at.drop(phi(z), 0)
        if self.layers == 1:
            return v, None, {}
        return at.drop(phi(at.linear("second", v)), 1), None, {"first": v}


class _Up(NamedTuple):
    """Empty if there is one layer."""

    first: Tensor | None = None  # (m, n) the first layer after dropout, v
    second: Tensor | None = None  # (m, n) the second layer before dropout


class _Down(NamedTuple):
    second_slope: Tensor | None = None  # (m, n)
    dsecond: Tensor | None = None  # (m, n) the gradient of the second layer's pre-activations


@gradient_of(TreeRNN)
class _TreeRNNByHand(HandWritten[TreeRNN, _Up, _Down]):
    def up_rows(self, z: Tensor, memory: Tensor) -> _Up:
        del memory
        return _Up(torch.empty_like(z), torch.empty_like(z)) if self.cell.layers == 2 else _Up()

    def up(self, at: Level, rows: _Up) -> None:
        self._activate(at.z)
        _dropped(at.z, at.masks[:1], out=at.h if rows.first is None else rows.first)
        if rows.first is not None and rows.second is not None:
            at.linear("second", rows.first, rows.second)
            self._activate(rows.second)
            _dropped(rows.second, at.masks[1:], out=at.h)

    def down_rows(self, up: _Up, dz: Tensor, dmemory: Tensor) -> _Down:
        del dz, dmemory
        return _Down() if up.second is None else _Down(self._slope(up.second), torch.empty_like(up.second))

    def down(self, at: Level, up: _Up, down: _Down) -> None:
        del up
        dfirst = at.dh
        if down.second_slope is not None and down.dsecond is not None:
            torch.mul(at.dh, down.second_slope, out=down.dsecond)
            for mask in at.masks[1:]:
                down.dsecond.mul_(mask)
            dfirst = at.linear_down("second", down.dsecond)
        _dropped(dfirst, at.masks[:1], out=at.dz)

    def slopes(self, z: Tensor, up: _Up) -> Tensor:
        del up
        return self._slope(z)

    def linear_rows(self, up: _Up, down: _Down) -> dict[str, tuple[Tensor, Tensor]]:
        return {} if up.first is None or down.dsecond is None else {"second": (up.first, down.dsecond)}

    def _activate(self, z: Tensor) -> None:
        z.sigmoid_() if self.cell.activation == "sigmoid" else z.tanh_()

    def _slope(self, activated: Tensor) -> Tensor:
        """Return the derivative of the activation, from its value."""
        squares = activated.square()
        return activated - squares if self.cell.activation == "sigmoid" else 1 - squares


def _dropped(x: Tensor, masks: tuple[Tensor, ...], out: Tensor) -> None:
    """Write x, times the mask if there is one, to out."""
    torch.mul(x, masks[0], out=out) if masks else out.copy_(x)
