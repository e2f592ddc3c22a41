"""A report lists remarks up to a limit, counts all of them, and survives in a manifest."""

from __future__ import annotations

import json

import pytest

from treesmu.importing.parsing import ParsedRows, Remark
from treesmu.importing.report import BadLinesError, ImportReport, count_of


def bad(first: int, count: int) -> ParsedRows:
    return ParsedRows(bad=[Remark(line, "not an equation", "x  +\n y") for line in range(first, first + count)], read=count)


def test_remarks_are_listed_up_to_the_limit_and_counted() -> None:
    report = ImportReport(3)
    report.add(bad(1, 2), "a.csv", "line")
    report.add(bad(10, 38), "b.json", "example")
    assert list(report.lines()) == [
        "a.csv, line 1: not an equation: x + y",
        "a.csv, line 2: not an equation: x + y",
        "b.json, example 10: not an equation: x + y",
        "and 37 more",
        "40 bad lines left out",
    ]
    assert list(ImportReport.from_json(json.loads(json.dumps(report.to_json()))).lines()) == list(report.lines())
    with pytest.raises(BadLinesError, match="40 bad lines; correct them, or leave them out: --bad-lines skip") as caught:
        report.refuse_bad_lines()
    assert caught.value.listed == list(report.lines())[:4]


def test_long_lines_are_cut_and_no_remark_is_no_line() -> None:
    report = ImportReport(3, notes=["a note"])
    report.add(ParsedRows(undecided=[Remark(7, "undecided", "x" * 500)]), "a.csv", "line")
    first, second, note = report.lines()
    assert (len(first), first[-4:]) == (len("a.csv, line 7: undecided: ") + 103, "x...")
    assert second == "1 equation without a label left out, because the check cannot decide"
    assert note == "a note"
    report.refuse_bad_lines()


def test_counts_have_the_right_noun() -> None:
    assert [count_of(n, "row") for n in (0, 1, 1234)] == ["0 rows", "1 row", "1,234 rows"]
