"""Tree-RNN."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor

from ..forest.by_hand import Buffers, Level
from .base import Cell, Gates, Nodes, check_sizes


class TreeRNN(Cell):
    r"""Tree-RNN: a feed-forward network of one or two layers for each function, no memory beside the state.

    .. math::
        h = \mathrm{drop}(\phi(W i + b)) \quad\text{or}\quad
        h = \mathrm{drop}(\phi(W' v + b')), \quad v = \mathrm{drop}(\phi(W i + b))

    where :math:`i = [h_1; \dots; h_a]` are the states of the *a* children (with ``child_sum`` their sum). The paper has two
    layers; the authors' released weights have one, with the logistic function. activation: :math:`\phi`, ``tanh``, or
    ``sigmoid``, of which two layers a node let gradients vanish before they reach the leaves of deep trees.
    """

    def __init__(
        self,
        hidden: int = 50,
        layers: int = 2,
        activation: Literal["sigmoid", "tanh"] = "tanh",
        dropout: float = 0.0,
        child_sum: bool = False,
    ) -> None:
        check_sizes(hidden=hidden, layers=layers)
        if layers > 2:
            raise ValueError(f"layers is 1 or 2, not {layers}")
        if activation not in ("sigmoid", "tanh"):
            raise ValueError(f"activation is sigmoid or tanh, not {activation!r}")
        linears = {"second": (hidden, hidden, True)} if layers == 2 else {}
        super().__init__(hidden, width=hidden, child_sum=child_sum, linears=linears, dropout=dropout, dropped=layers)
        self.layers, self.activation = layers, activation
        self.activate = torch.sigmoid if activation == "sigmoid" else torch.tanh
        self.linear_buffers = {"second": ("first", "dsecond")} if layers == 2 else {}

    def settings(self) -> dict[str, Any]:
        names = ("hidden", "layers", "activation", "dropout", "child_sum")
        return {name: getattr(self, name) for name in names}

    def step(self, z: Tensor, memory: Tensor, at: Nodes) -> tuple[Tensor, None, Gates]:
        """z: (nodes, n)"""
        del memory
        v = at.drop(self.activate(z), 0)
        if self.layers == 1:
            return v, None, {}
        return at.drop(self.activate(at.linear("second", v)), 1), None, {"first": v}

    # -- the same by hand ------------------------------------------------------------------------------------------------

    def kept(self) -> dict[str, tuple[int, ...]]:
        return {"first": (self.hidden,), "second": (self.hidden,)} if self.layers == 2 else {}

    def gate_views(self, z: Tensor) -> dict[str, Tensor]:
        del z
        return {}

    def slopes(self, all_: Buffers) -> Tensor:
        return self._slope(all_.z)

    def _slope(self, activated: Tensor) -> Tensor:
        squares = activated.square()
        return activated - squares if self.activation == "sigmoid" else 1 - squares

    def up(self, at: Level) -> None:
        self.activate(at.z, out=at.z)
        out = at.h if self.layers == 1 else at.first
        torch.mul(at.z, at.masks[0], out=out) if at.masks else out.copy_(at.z)
        if self.layers == 2:
            at.linear("second", at.first, at.second)
            self.activate(at.second, out=at.second)
            torch.mul(at.second, at.masks[1], out=at.h) if at.masks else at.h.copy_(at.second)

    def down_views(self, all_: Buffers) -> dict[str, Tensor]:
        if self.layers == 1:
            return {}
        return {"second_slope": self._slope(all_.second), "dsecond": torch.empty_like(all_.second)}

    def down(self, at: Level) -> None:
        dz = at.dh
        if self.layers == 2:
            torch.mul(at.dh, at.second_slope, out=at.dsecond)
            if at.masks:
                at.dsecond.mul_(at.masks[1])
            dz = at.linear_down("second", at.dsecond)
        torch.mul(dz, at.masks[0], out=at.dz) if at.masks else at.dz.copy_(dz)
