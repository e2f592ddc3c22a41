"""Choose the implementation that runs forests for a cell: autograd, hand-written or compiled. No other module decides this.

The path of a blank (completion/path.py) has all implementations too, and uses this choice.
"""

from __future__ import annotations

from enum import Enum

from treesmu.compilation import why_not

from ..cells.base import Cell
from ..compiled.cells import has_compiled_step
from .autograd import AutogradPass
from .by_hand import HandWrittenPass
from .passes import ForestPass

MANY_NODES = 5000  # of a forest for which Numba is worth the second that its import takes, if nothing else is known


class Implementation(Enum):
    """How the step of a cell is computed and differentiated."""

    AUTOGRAD = "autograd"  # Cell.step, for every cell
    BY_HAND = "by hand"  # the hand-written step, for cells that declare one
    COMPILED = "compiled"  # the same in compiled code, for the built-in cells on the CPU


def choose(cell: Cell, by_hand: bool = True, compiled: bool = True) -> Implementation:
    """Return the fastest implementation that the cell has. by_hand, compiled: False leaves out these ones."""
    step = cell.hand_written_step() if by_hand else None
    if step is None:
        return Implementation.AUTOGRAD
    return Implementation.COMPILED if compiled and has_compiled_step(step) and why_not() is None else Implementation.BY_HAND


def pass_class(implementation: Implementation) -> type[ForestPass]:
    """Return the class of passes. The compiled one is imported here, since Numba takes a second to be imported."""
    if implementation is Implementation.COMPILED:
        from ..compiled.forest_pass import CompiledPass

        return CompiledPass
    return HandWrittenPass if implementation is Implementation.BY_HAND else AutogradPass
