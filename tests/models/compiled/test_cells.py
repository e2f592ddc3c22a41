"""The built-in cells have a compiled step, also in subclasses that repeat the promise; other cells do not."""

from __future__ import annotations

from typing import Any

import pytest

from treesmu.models import Cell, StackTreeRNN, TreeLSTM, TreeRNN, TreeSMU
from treesmu.models.compiled.cells import COMPILED, compiled_cell, has_compiled_step
from treesmu.models.forest.implementation import Implementation, choose


class _Repeated(TreeSMU):
    hand_written = TreeSMU.hand_written


class _OwnHandWritten(TreeLSTM):
    class hand_written(TreeLSTM.hand_written):  # type: ignore[misc,valid-type,name-defined]  # noqa: N801
        pass


BUILT_IN: list[Cell] = [
    TreeSMU(3, stack=4, top=2, no_op=False),
    TreeSMU(3, stack=2, order="queue"),
    TreeLSTM(3),
    TreeRNN(3),
    TreeRNN(3, layers=1),
    StackTreeRNN(3, stack=2),
]


@pytest.mark.parametrize("cell", BUILT_IN, ids=lambda cell: type(cell).__name__)
def test_built_in_cells_have_a_compiled_step(cell: Cell) -> None:
    step = cell.hand_written_step()
    assert step is not None
    assert has_compiled_step(step)
    assert choose(cell) is Implementation.COMPILED


def test_all_cells_with_a_hand_written_step_are_in_the_table() -> None:
    assert {kind.hand_written for kind in (TreeSMU, TreeLSTM, TreeRNN, StackTreeRNN)} == set(COMPILED)


@pytest.mark.parametrize("cell", BUILT_IN, ids=lambda cell: type(cell).__name__)
def test_settings_are_integers_and_change_with_the_cell(cell: Any) -> None:
    settings = compiled_cell(cell).settings
    assert all(type(value) is int for value in settings)
    assert settings.n == 3
    assert compiled_cell(type(cell)(5)).settings != settings


def test_a_subclass_that_repeats_the_promise_is_compiled() -> None:
    assert choose(_Repeated(3)) is Implementation.COMPILED
    assert compiled_cell(_Repeated(3)) == compiled_cell(TreeSMU(3))


def test_a_hand_written_step_of_a_users_own_is_run_as_it_is() -> None:
    step = _OwnHandWritten(3).hand_written_step()
    assert step is None or not has_compiled_step(step)
    assert choose(_OwnHandWritten(3)) is not Implementation.COMPILED
    with pytest.raises(ValueError, match="_OwnHandWritten has no compiled step"):
        compiled_cell(_OwnHandWritten(3))
