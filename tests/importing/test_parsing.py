"""Rows become trees with labels; what is wrong with a row is said, and the others are kept."""

from __future__ import annotations

from typing import Any

import pytest

from treesmu.expr import parse
from treesmu.generate.fingerprint import fingerprints
from treesmu.importing.parsing import MOST_CHARACTERS, ParsedRows, parse_rows
from treesmu.importing.readers import SourceRow
from treesmu.importing.settings import ImportSettings


def parsed(*rows: tuple[str, str], **settings: Any) -> ParsedRows:
    return parse_rows([SourceRow(i, text, label) for i, (text, label) in enumerate(rows, 1)], ImportSettings(**settings))


def test_good_rows_become_columns() -> None:
    found = parsed(("x + 1 = 1 + x", "1"), ("x = y", "false"))
    assert (found.line, found.label) == ([1, 2], [1, 0])
    assert found.prefix == ["Equality Add x 1 Add 1 x", "Equality x y"]
    assert found.infix == ["x + 1 = 1 + x", "x = y"]
    assert (found.depth, found.size) == ([2, 1], [7, 3])
    assert found.fingerprint == fingerprints([parse("x + 1 = 1 + x"), parse("x = y")]).tolist()
    assert (found.read, found.bad, found.kind) == (2, [], ["imported", "imported"])


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        ("", "1", "there is no equation"),
        ("x + 1", "1", "not an equation: there is no '='"),
        ("sin(x = 1", "1", "expected ')' before '='"),
        ("x = _", "1", "an equation with a blank; fill it"),
        ("x = 1", "maybe", "the label is 'maybe'; write 1 (correct) or 0 (incorrect)"),
        ("a + b + c + d + f + g + h + k + l + m + n = 1", "0", "11 different variables; models know 10"),
        (f"x = {'1 + ' * MOST_CHARACTERS}1", "1", "400,005 characters; an equation has at most 100,000"),
    ],
)
def test_bad_rows_are_remarked_on(text: str, label: str, reason: str) -> None:
    found = parsed(("x = x", "1"), (text, label), ("y = y", "1"))
    ((line, said, shown),) = found.bad
    assert (line, said, shown, found.line) == (2, reason, text, [1, 3])


def test_variables_that_models_do_not_know_are_renamed() -> None:
    found = parsed(("theta + x = x + theta", "1"), ("u = v", "0"))
    assert (found.infix, found.renamed) == (["x + y = y + x", "u = v"], 1)


def test_a_row_without_a_label_has_that_of_the_check() -> None:
    found = parsed(("sin(x)^2 + cos(x)^2 = 1", ""), ("x = 2", "-1"), ("sqrt(x^2) = x", ""))
    assert (found.label, found.labelled_by_check) == ([1, 0], 2)
    ((line, reason, _),) = found.undecided
    assert (line, reason.startswith("undecided: equal at ")) == (3, True)


ROWS = [("x = x", "0"), ("x = x + 1", "0"), ("sqrt(x^2) = x", "1"), ("x = 2", "1")]


@pytest.mark.parametrize(("then", "labels"), [("keep", [0, 0, 1, 1]), ("correct", [1, 0, 1, 0]), ("drop", [0, 1])])
def test_disagreements_with_the_check_are_kept_corrected_or_dropped(then: str, labels: list[int]) -> None:
    found = parsed(*ROWS, check=True, disagreements=then)
    assert (found.label, found.confirmed, found.unchecked) == (labels, 1, 1)
    assert [(line, reason.partition(" (")[0]) for line, reason, _ in found.disagreements] == [
        (1, "the label is incorrect, but the check says correct"),
        (4, "the label is correct, but the check says incorrect"),
    ]


def test_labels_are_believed_without_a_check() -> None:
    found = parsed(*ROWS)
    assert (found.label, found.confirmed, found.disagreements) == ([0, 0, 1, 1], 0, [])


def test_what_is_known_to_be_wrong_is_not_parsed() -> None:
    found = parse_rows([SourceRow(4, "x = x", fault="a quote that is not closed")], ImportSettings())
    assert found.bad == [(4, "a quote that is not closed", "x = x")]


def test_prefix_strings_are_exact_trees() -> None:
    rows = [SourceRow(1, "Equality Add x -1 x", "1", is_prefix=True), SourceRow(2, "Equality Add x", "1", is_prefix=True)]
    found = parse_rows(rows, ImportSettings())
    assert found.prefix == ["Equality Add x -1 x"]
    assert found.bad[0].reason == "Add lacks an argument in 'Equality Add x'"
