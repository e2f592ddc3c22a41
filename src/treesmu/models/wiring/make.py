"""Make the wiring that a cell asks for: concatenated or child-sum, with or without a hidden layer."""

from __future__ import annotations

from treesmu.data import Vocab

from ..cells.base import Cell
from .base import GateSizes, Wiring
from .child_sum import ChildSum
from .concatenated import Concatenated
from .hidden_layer import TwoLayers


def make_wiring(cell: Cell, vocab: Vocab, inputs: int) -> Wiring:
    """Return the wiring of a cell, with initial weights. inputs: d of inner nodes, 0 for none."""
    sizes = GateSizes(cell.hidden, cell.width, cell.hidden if cell.forgets else 0)
    if cell.depth == 2:
        return TwoLayers(sizes, vocab, inputs, cell.linears, cell.child_sum, cell.expansion * cell.hidden)
    return (ChildSum if cell.child_sum else Concatenated)(sizes, vocab, inputs, cell.linears)
