"""Which cells have a compiled step: those whose hand-written step it repeats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..cells.base import Cell
from ..cells.hand_written import HandWritten
from ..cells.smu import TreeSMU
from ..cells.stack_rnn import StackTreeRNN
from ..cells.tree_lstm import TreeLSTM
from ..cells.tree_rnn import TreeRNN


class CompiledCell(NamedTuple):
    """A cell as compiled code sees it."""

    settings: Any  # a named tuple of integers, whose type decides which step is run
    kept: int  # numbers per node that are kept for the way down
    dkept: int  # numbers per node that are kept on the way down, for the children and for further weights
    scratch: int  # numbers that a step needs for itself


def _smu(cell: TreeSMU) -> CompiledCell:
    from .kernels import smu

    flags = int(cell.no_op), int(cell.pop), int(cell.normalise == "softmax"), int(cell.order == "queue")
    settings = smu.SMU(cell.hidden, cell.stack, cell.top, *flags)
    return CompiledCell(settings, *smu.sizes(settings))


def _lstm(cell: TreeLSTM) -> CompiledCell:
    from .kernels import tree_lstm

    settings = tree_lstm.LSTM(cell.hidden)
    return CompiledCell(settings, *tree_lstm.sizes(settings))


def _rnn(cell: TreeRNN) -> CompiledCell:
    from .kernels import tree_rnn

    settings = tree_rnn.RNN(cell.hidden, cell.layers, int(cell.activation == "sigmoid"))
    return CompiledCell(settings, *tree_rnn.sizes(settings))


def _stack_rnn(cell: StackTreeRNN) -> CompiledCell:
    from .kernels import stack_rnn

    settings = stack_rnn.StackRNN(cell.hidden, cell.stack, cell.top, int(cell.no_op))
    return CompiledCell(settings, *stack_rnn.sizes(settings))


# By the class of the hand-written step, so that a cell that declares another one, or none, is not taken for one of ours.
COMPILED: dict[Any, Callable[[Any], CompiledCell]] = {
    TreeSMU.hand_written: _smu,
    TreeLSTM.hand_written: _lstm,
    TreeRNN.hand_written: _rnn,
    StackTreeRNN.hand_written: _stack_rnn,
}


def has_compiled_step(step: HandWritten[Any, Any, Any]) -> bool:
    """Return whether a hand-written step has a compiled form."""
    return type(step) in COMPILED


def compiled_cell(cell: Cell) -> CompiledCell:
    """Return a cell as compiled code sees it; its class must declare a hand-written step that has a compiled form."""
    if type(cell).hand_written not in COMPILED:
        raise ValueError(f"{type(cell).__name__} has no compiled step")
    return COMPILED[type(cell).hand_written](cell)
