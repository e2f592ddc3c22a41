"""Choose the implementation that runs forests for a cell: by autograd or hand-written. No other module decides this.

The path of a blank (completion/path.py) has both implementations too, and uses this choice.
"""

from __future__ import annotations

from enum import Enum

from ..cells.base import Cell
from .autograd import AutogradPass
from .by_hand import HandWrittenPass
from .passes import ForestPass


class Implementation(Enum):
    """How the step of a cell is computed and differentiated."""

    AUTOGRAD = "autograd"  # Cell.step, for every cell
    BY_HAND = "by hand"  # the hand-written step, for cells that declare one


PASSES: dict[Implementation, type[ForestPass]] = {
    Implementation.AUTOGRAD: AutogradPass,
    Implementation.BY_HAND: HandWrittenPass,
}


def choose(cell: Cell, by_hand: bool = True) -> Implementation:
    """Return the fastest implementation that the cell has. by_hand: False leaves out the hand-written one."""
    if by_hand and cell.hand_written_step() is not None:
        return Implementation.BY_HAND
    return Implementation.AUTOGRAD
