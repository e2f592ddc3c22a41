"""Columns are found by name or by content, and labels in words are understood."""

from __future__ import annotations

import re

import pytest

from treesmu.errors import DataError
from treesmu.importing.columns import Columns, find_columns, read_label, share_of_equations
from treesmu.importing.settings import ImportSettings

ROWS = [["7", "x = x", "1"], ["8", "x = y", "0"]]
DEFAULT = ImportSettings()


@pytest.mark.parametrize("equation", ["equation", "Eq", "EQUATION ", "infix", "formula", "LaTeX", "expr"])
@pytest.mark.parametrize("label", ["label", "Correct?", "is_correct", "isValid", "truth", "y"])
def test_columns_are_found_by_common_names(equation: str, label: str) -> None:
    assert find_columns(["id", equation, label], ROWS, DEFAULT) == Columns((1,), 2)


def test_columns_with_other_names_are_found_by_content() -> None:
    assert find_columns(["a", "b", "c"], ROWS, DEFAULT) == Columns((1,), 2)
    assert find_columns(["a", "b", "c"], [["7", "x = x", "1"]], DEFAULT) == Columns((1,))  # ones alone may be anything
    assert find_columns(["a", "b"], [["7", "x"]], DEFAULT) is None


def test_sides_splits_and_kinds_have_columns_too() -> None:
    names = ["split", "lhs", "rhs", "kind", "label"]
    assert find_columns(names, [["train", "x", "x", "", "1"]], DEFAULT) == Columns((1, 2), 4, 0, 3)


def test_a_column_of_splits_has_words_for_splits() -> None:
    assert find_columns(["eq", "fold"], [["x = x", "Dev"], ["x = x", ""]], DEFAULT) == Columns((0,), None, 1)
    assert find_columns(["eq", "fold"], [["x = x", "3"]], DEFAULT) == Columns((0,))


def test_several_columns_of_one_name_are_refused_with_the_remedy() -> None:
    message = "2 columns are named 'label'; rename all but one, or give its number: treesmu data import ... --label 2"
    with pytest.raises(DataError, match=re.escape(message)):
        find_columns(["eq", "label", "Label"], ROWS, DEFAULT)
    with pytest.raises(DataError, match=re.escape("... --equation 1")):
        find_columns(["eq", "Eq", "label"], ROWS, DEFAULT)
    assert find_columns(["eq", "eq", "label"], ROWS, ImportSettings(equation="2")) == Columns((1,), 2)


def test_a_prefix_string_is_preferred_only_if_it_is_one() -> None:
    names = ["prefix", "infix", "label"]
    assert find_columns(names, [["Equality x x", "x = x", "1"]], DEFAULT) == Columns((0,), 2, is_prefix=True)
    assert find_columns(names, [["Mr", "x = x", "1"]], DEFAULT) == Columns((1,), 2)


def test_named_columns_win_by_name_or_number() -> None:
    names = ["equation", "other", "label", "mine"]
    assert find_columns(names, [], ImportSettings(equation="other", label="mine")) == Columns((1,), 3)
    assert find_columns(names, [], ImportSettings(equation="2", label="4")) == Columns((1,), 3)
    assert find_columns(names, [], ImportSettings(equation="other,mine")) == Columns((1, 3), 2)
    with pytest.raises(DataError, match="there is no column 'no'; there are: equation, other, label, mine"):
        find_columns(names, [], ImportSettings(label="no"))


def test_the_share_of_equations_is_of_rows_that_are_long_enough() -> None:
    assert share_of_equations([["x = x"], ["x"], []], 0) == 0.5
    assert share_of_equations([["x", "y"], ["x", "("]], 0, 1) == 0.5
    assert share_of_equations([], 0) == 0


@pytest.mark.parametrize(("text", "label"), [
    ("1", 1), ("0", 0), (" TRUE ", 1), ("False", 0), ("correct", 1), ("Incorrect", 0), ("yes", 1), ("no", 0), ("1.0", 1),
    ("", None), ("-1", None), ("NaN", None), ("unknown", None),
])  # fmt: skip
def test_labels_in_words(text: str, label: int | None) -> None:
    assert read_label(text) == label


@pytest.mark.parametrize("text", ["2", "maybe", "0.5", "10"])
def test_other_labels_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=rf"the label is '{text}'; write 1 \(correct\) or 0 \(incorrect\)"):
        read_label(text)


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("blanks", ["prefix", "question", "path", "answer", "depth"]),
        ("candidates", ["prefix", "height", "class", "train_count"]),
    ],
)
def test_tables_of_questions_have_no_labels_and_are_refused(what: str, names: list[str]) -> None:
    rows = [["Equality x x", "x = _", "1", "y", "1"]]
    with pytest.raises(DataError, match=f"a table of {what}, not of labelled equations; give the corpus folder"):
        find_columns(names, rows, ImportSettings())
    assert find_columns(names, rows, ImportSettings(equation="prefix", label="depth" if what == "blanks" else "class"))


def test_an_enormous_cell_is_not_parsed_to_guess_its_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treesmu.importing.columns.parse", lambda _: pytest.fail("it would take seconds"))
    assert share_of_equations([["sin(" * 30_000 + "x = 1"]], 0) == 0
