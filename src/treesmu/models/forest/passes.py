"""ForestPass: the computation of one forest by one cell, up for the states and down for the gradients.

This is the interface between the encoder and the implementations: autograd.py differentiates ``Cell.step``, by_hand.py runs
the hand-written steps. A further implementation needs the same constructor, ``up``, ``down``, ``states`` and ``memories``, and
an entry in implementation.py, the only module that chooses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from torch import Tensor

from ..cells.base import Cell
from ..normalise import Norm
from ..wiring.base import Wiring
from .layout import Layout


class Gradients(NamedTuple):
    """The gradients that a pass returns."""

    leaf_states: Tensor  # (leaves, n)
    inputs: Tensor | None  # (inner, d)
    weights: list[Tensor]  # in the order of ``wiring.parameters()``


class ForestPass(ABC):
    """One forest through one cell. Call ``up`` once, then, if gradients are wanted, ``down`` once.

    leaf_states: (leaves, n). inputs: (inner, d) of inner nodes, or None. mask: (inner, dropped, n) of dropout, or None.
    norm: how the state of every node is normalised.
    """

    is_recorded: ClassVar[bool] = False  # whether autograd records what ``up`` does, so that it needs no ``down``
    states: Tensor  # (nodes + 1, n) in the order of the forest; the last row, of zeros, stands for a child that is absent
    memories: Tensor  # (nodes + 1, *cell.memory) likewise; without meaning if the cell has no memory

    def __init__(
        self,
        cell: Cell,
        wiring: Wiring,
        layout: Layout,
        leaf_states: Tensor,
        inputs: Tensor | None = None,
        mask: Tensor | None = None,
        norm: Norm = "none",
    ) -> None:
        self.cell, self.wiring, self.layout = cell, wiring, layout
        self.leaf_states, self.inputs, self.mask, self.norm = leaf_states, inputs, mask, norm

    @abstractmethod
    def up(self, is_kept: bool = True) -> Tensor:
        """Compute all nodes from the leaves to the roots; return their states, (nodes, n).

        is_kept: False if ``down`` will not be called, so that what only the way down needs does not have to be kept.
        """

    @abstractmethod
    def down(self, grad: Tensor) -> Gradients:
        """Compute the gradients from that of all states, (nodes, n)."""
