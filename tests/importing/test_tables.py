"""The separator and the header of a table are found, and its rows keep their line numbers."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treesmu.errors import DataError
from treesmu.importing.columns import Columns
from treesmu.importing.settings import ImportSettings
from treesmu.importing.tables import Layout, Row, find_layout, split_rows

DEFAULT = ImportSettings()


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(separator: str) -> None:
    lines = [separator.join(row) for row in (("equation", "label"), ("x = x", "1"), ("x = y", "0"))]
    assert find_layout(lines, DEFAULT) == Layout(separator, ("equation", "label"), True, Columns((0,), 1))


def test_equations_with_commas_in_a_table_with_semicolons() -> None:
    layout = find_layout(["log(x, 2) = 3;1", "log(x, y) = 3;0"], DEFAULT)
    assert layout == Layout(";", ("1", "2"), False, Columns((0,), 1))


@pytest.mark.parametrize(
    ("lines", "has_header", "columns"),
    [
        (["x = x,1", "x = y,0"], False, Columns((0,), 1)),
        (["eq,label", "x = x,1"], True, Columns((0,), 1)),
        (["aufgabe,richtig", "x = x,1", "x = y,0"], True, Columns((0,), 1)),
        (["x = x", "x = y"], False, Columns((0,))),
        (["eq", "x = y"], True, Columns((0,))),
        (["equation,label"], True, Columns((0,), 1)),
        (["left,right,label", "x,x,1"], True, Columns((0, 1), 2)),
    ],
)
def test_the_header_is_found(lines: list[str], has_header: bool, columns: Columns) -> None:
    layout = find_layout(lines, DEFAULT)
    assert layout is not None
    assert (layout.has_header, layout.columns) == (has_header, columns)


def test_a_named_column_makes_the_first_line_a_header() -> None:
    layout = find_layout(["mine = 3,other", "x = x,1"], ImportSettings(equation="mine = 3"))
    assert layout is not None
    assert layout.has_header


@pytest.mark.parametrize("lines", [[], [""], ["a,b", "1,2"]])
def test_no_equations_no_layout(lines: list[str]) -> None:
    assert find_layout(lines, DEFAULT) is None


def test_a_column_of_labels_that_has_the_equations_leaves_none_for_them() -> None:
    lines = ["equation,label", "x = x,1", "x = y,0"]
    assert find_layout(lines, ImportSettings(label="equation")) is None
    with pytest.raises(DataError, match="there is no column 'no'; there are: equation, label"):
        find_layout(lines, ImportSettings(label="no"))


def test_a_quoted_cell_may_go_on_and_empty_lines_count() -> None:
    lines = ["a,b", "", '"x =', ' y",1', '"say ""x""",2', 'a"b,3']
    assert list(split_rows(lines, ",")) == [
        Row(1, ["a", "b"]), Row(3, ["x =\n y", "1"]), Row(5, ['say "x"', "2"]), Row(6, ['a"b', "3"])
    ]  # fmt: skip


def test_a_quote_that_is_not_closed_costs_one_line() -> None:
    lines = ["a,1", '"b,2', *[f"c,{i}" for i in range(50)]]
    rows = list(split_rows(lines, ","))
    assert [row.line for row in rows] == list(range(1, 53))
    assert [row.line for row in rows if row.is_cut_off] == [2]


cells = st.lists(st.text("xy=, ;\"'\n0", min_size=1).map(lambda s: f"a{s}a"), min_size=2, max_size=2)


@given(st.lists(cells, min_size=1, max_size=20))
def test_rows_that_python_writes_are_read(rows: list[list[str]]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    assert [row.cells for row in split_rows(text.getvalue().split("\n"), ",")] == rows
