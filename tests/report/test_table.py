"""Tables: the text of cells, the best number of each block, and the difference from the paper."""

from __future__ import annotations

import pytest

from finished_runs import finished_run, seed_group
from treesmu.report.numbers import Spread
from treesmu.report.paper import PaperValue
from treesmu.report.table import Cell, CellText, Column, Compared, Table, blocks, cell_text, difference, groups_table, mean, sd

PERCENT = Column.percent("accuracy %", has_best=True)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("Tree-SMU", CellText("Tree-SMU")),
        (None, CellText("–")),
        (12345, CellText("12,345")),
        (0.12345, CellText("12.3")),
        (Spread((0.5,)), CellText("50.0")),
        (Spread((0.5, 0.6)), CellText("55.0", "7.1")),
        (Compared(Spread((0.5, 0.6)), PaperValue(57.25, 0.5)), CellText("55.0", "7.1", "57.25±0.50", "-2.2")),
    ],
)
def test_a_cell_has_the_digits_of_its_column(cell: Cell, text: CellText) -> None:
    assert cell_text(cell, PERCENT) == text


def test_the_number_of_a_cell() -> None:
    compared = Compared(Spread((0.5, 0.6)), PaperValue(50.0))
    cells: list[Cell] = ["text", None, 3, Spread((0.2, 0.4)), compared]
    assert [mean(cell) for cell in cells] == [None, None, 3, pytest.approx(0.3), 0.55]
    assert [sd(cell) for cell in cells[:3]] == [None] * 3
    assert sd(compared) == pytest.approx(0.0707107)
    assert difference(compared, PERCENT) == pytest.approx(5)


def best_of(*numbers: Cell) -> list[bool]:
    """Return which numbers of one block are bold."""
    table = Table(
        "t", "", (Column("corpus"), Column("model"), PERCENT), tuple(("a", "m", number) for number in numbers), keys=2
    )
    (block,) = blocks(table)
    return [row[1].is_best for row in block.rows]


def test_the_highest_number_as_it_is_shown_is_the_best() -> None:
    assert best_of(0.5, 0.7, 0.6) == [False, True, False]
    assert best_of(0.7001, 0.7002, 0.6) == [True, True, False]  # both are shown as 70.0
    assert best_of(0.7001, 0.7002) == [False, False]  # nothing is better
    assert best_of(None, 0.7, "x") == [False, False, False]


def test_rows_that_agree_in_all_keys_but_the_last_form_a_block() -> None:
    columns = (Column("corpus"), Column("recipe"), Column("model"), PERCENT)
    rows = (("a", "r", "one", 0.5), ("a", "r", "two", 0.6), ("a", "s", "one", 0.4))
    first, second = blocks(Table("t", "", columns, rows, keys=3))
    assert (first.heading, second.heading) == ("corpus a · recipe r", "corpus a · recipe s")
    assert [[cell.value for cell in row] for row in first.rows] == [["one", "50.0"], ["two", "60.0"]]
    assert [[cell.value for cell in row] for row in second.rows] == [["one", "40.0"]]


def test_a_table_of_groups_has_one_row_for_each() -> None:
    groups = [seed_group("c", "paper", model, finished_run(80, 60)) for model in ("tree-rnn", "my-cell")]
    table = groups_table("t", "A caption", groups, {Column("seeds"): lambda group: group.seeds}, ("A note.",))
    assert [column.title for column in table.columns] == ["corpus", "recipe", "model", "seeds"]
    assert table.rows == (("c", "paper", "Tree-RNN", 1), ("c", "paper", "my-cell", 1))
    assert (table.keys, table.notes) == (3, ("A note.",))
