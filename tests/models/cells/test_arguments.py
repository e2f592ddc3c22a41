"""Odd arguments of cells and encoders are errors of one line that name the argument and say what it must be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from treesmu.data import Vocab
from treesmu.errors import DataError
from treesmu.models import Cell, StackTreeRNN, TreeEncoder, TreeLSTM, TreeRNN, TreeSMU

SIZE = "must be a whole number of at least 1"
MEMORY = "memory must be a tuple of sizes, such as (hidden,), or () for none"
FLAG = "must be True or False"
WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "hidden": (lambda: TreeLSTM(None), f"hidden {SIZE}, not None"),  # type: ignore[arg-type]
    "dropout": (lambda: TreeLSTM(3, dropout=None), "dropout must be at least 0 and below 1, not None"),  # type: ignore[arg-type]
    "dropouts": (lambda: TreeSMU(3, dropout=[0.1]), "dropout must be at least 0 and below 1, not [0.1]"),  # type: ignore[arg-type]
    "child_sum": (lambda: TreeRNN(3, child_sum="no"), f"child_sum {FLAG}, not 'no'"),  # type: ignore[arg-type]
    "no_op": (lambda: StackTreeRNN(3, no_op=None), f"no_op {FLAG}, not None"),  # type: ignore[arg-type]
    "pop": (lambda: TreeSMU(3, pop=1), f"pop {FLAG}, not 1"),  # type: ignore[arg-type]
    "width": (lambda: Cell(3, width=None), f"width {SIZE}, not None"),  # type: ignore[arg-type]
    "dropped": (lambda: Cell(3, width=3, dropped="1"), f"dropped {SIZE}, not '1'"),  # type: ignore[arg-type]
    "memory": (lambda: Cell(3, width=3, memory=3), f"{MEMORY}, not 3"),  # type: ignore[arg-type]
    "empty memory": (
        lambda: Cell(3, width=3, memory=(0,)),
        f"{MEMORY}, not (0,)",
    ),
    "large memory": (
        lambda: TreeSMU(4, stack=10**11),
        "a memory of 100000000000 x 4 numbers per node is too large (at most 10,000,000); lower stack or hidden",
    ),
    "top": (lambda: TreeSMU(3, stack=2, top=3), "top must be from 1 to the stack's size 2, not 3"),
    "linears": (lambda: Cell(3, width=3, linears=3), "linears must be a dictionary of names to (inputs, outputs, has a bias)"),  # type: ignore[arg-type]
    "linear": (lambda: Cell(3, width=3, linears={"a": (3, 3)}), "linears['a'] must be (inputs, outputs, has a bias)"),  # type: ignore[dict-item]
    "by_hand": (lambda: TreeEncoder(TreeLSTM(3), Vocab.default(), by_hand=None), f"by_hand {FLAG}, not None"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("argument", WRONG)
def test_an_odd_argument_is_one_line_that_names_it(argument: str) -> None:
    make, said = WRONG[argument]
    with pytest.raises(DataError) as caught:
        make()
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_lists_of_sizes_are_taken_for_tuples() -> None:
    assert Cell(3, width=3, memory=[2, 3]).memory == (2, 3)  # type: ignore[arg-type]
