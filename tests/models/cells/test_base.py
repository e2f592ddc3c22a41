"""Cell: settings are checked, stored under their names, and fixed where they shape the weights."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from samples import Setting, encoder_of, few
from treesmu.models import Cell, StackTreeRNN, TreeLSTM, TreeRNN, TreeSMU


class Own(Cell):
    def __init__(self, hidden: int = 4, sharpness: float = 2.0) -> None:
        super().__init__(hidden, width=hidden)
        self.sharpness = sharpness


class Forgetful(Own):
    def __init__(self, hidden: int = 4, colour: str = "red") -> None:
        super().__init__(hidden)
        del colour


def test_settings_are_read_from_attributes() -> None:
    assert Own(3, 0.5).settings() == {"hidden": 3, "sharpness": 0.5}
    assert Own(3).extra_repr() == "hidden=3, sharpness=2.0"


def test_an_argument_that_is_not_stored_is_named() -> None:
    with pytest.raises(
        TypeError, match=r"Forgetful does not store its argument 'colour': set self\.colour, or define Forgetful"
    ):
        Forgetful().settings()
    assert Forgetful().extra_repr() == "hidden=4"  # a cell can be printed all the same


def test_a_cell_without_a_step_says_so() -> None:
    with pytest.raises(NotImplementedError, match=r"Own has no step\(\)"):
        Own().step(torch.zeros(1, 4), torch.zeros(1, 0), None)  # type: ignore[arg-type]


def test_forget_gates_are_the_last_columns_between_0_and_1() -> None:
    cell = Cell(2, width=1, forgets=True)
    z: Tensor = torch.tensor([[9.0, 0.0, 800.0, -800.0, 0.0]])  # (1 node, width + 2 children·2)
    assert cell.forget_gates(z).tolist() == [[[0.5, 1.0], [0.0, 0.5]]]


def test_a_setting_that_shapes_the_weights_is_fixed() -> None:
    cell = TreeSMU(3, stack=2)
    cell.stack = 5
    with pytest.raises(ValueError, match="settings of a TreeSMU that shape its weights are fixed; make a new cell: TreeSMU"):
        cell.hand_written_step()
    rnn = TreeRNN(3)
    rnn.activation = "sigmoid"  # needs no other weights
    assert rnn.hand_written_step() is not None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TreeSMU(3, order="heap"), "order must be stack or queue, not 'heap'"),  # type: ignore[arg-type]
        (lambda: TreeSMU(3, stack=2, top=3), "top must be from 1 to the stack's size 2, not 3"),
        (lambda: TreeSMU(3, stack=2, top=0), "top must be a whole number of at least 1, not 0"),
        (lambda: StackTreeRNN(3, stack=1, top=2), "top must be from 1 to the stack's size 1, not 2"),
        (lambda: TreeSMU(3, normalise="max"), "normalise must be sum or softmax, not 'max'"),  # type: ignore[arg-type]
        (lambda: TreeRNN(3, layers=3), "layers must be 1 or 2, not 3"),
        (lambda: TreeRNN(3, activation="relu"), "activation must be sigmoid or tanh, not 'relu'"),  # type: ignore[arg-type]
        (lambda: TreeLSTM(0), "hidden must be a whole number of at least 1, not 0"),
        (lambda: TreeLSTM(3, dropout=1.0), "dropout must be at least 0 and below 1, not 1.0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@few
def test_a_cell_can_be_made_again_from_its_settings(setting: Setting) -> None:
    cell = encoder_of(setting, dropout=0.25).cell
    again = type(cell)(**cell.settings())
    assert again.settings() == cell.settings()
    assert cell.settings() == {**cell.settings(), **setting[1], "hidden": 3, "dropout": 0.25}
