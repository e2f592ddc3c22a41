"""Completions of a question as lines of text and as JSON."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from treesmu.cli.tables.completions import records, table
from treesmu.expr import Verdict, parse
from treesmu.models.completion.completions import Completion


def completion(filler: str, label: str, logit: float, *equal: str, found_by: Any = "model") -> Completion:
    verdict = Verdict(label, 24, None if label == "correct" else {"x": 0.5})  # type: ignore[arg-type]
    filled = parse(f"1 + {filler} = x")
    return Completion(parse(filler), filled, logit, verdict, tuple(parse(text) for text in equal), logit + 1, found_by)


FOUND = [
    completion("cos(x)", "correct", 2.0, "x*x*x", "2*x", "1*cos(x)", "x"),
    completion("y", "incorrect", -2.0),
    completion("z", "undecided", 0.0, "1*z", found_by="search"),
]


def test_each_line_names_the_smallest_fillers_of_equal_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "utf-8"))
    assert table(FOUND).splitlines() == [
        "rank  filler  P(correct)  numeric  equation",
        "   1  cos(x)       88.1%  ✓        1 + cos(x) = x  or x, 2*x, 1*cos(x) and 1 more",
        "   2  y            11.9%  ✗        1 + y = x",
        "   3  z            50.0%  ?        1 + z = x       found by search  or 1*z",
    ]


def test_an_output_without_check_marks_has_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
    assert [line[26:33].strip() for line in table(FOUND).splitlines()] == ["numeric", "yes", "no", "?"]


def test_json_has_everything() -> None:
    first, second, third = records(FOUND)
    assert first == {
        "rank": 1, "filler": "cos(x)", "equation": "1 + cos(x) = x", "found_by": "model",
        "logit": 2.0, "score": 3.0, "probability": pytest.approx(0.880797),
        "numeric": "correct", "points": 24, "counterexample": None, "equal": ["x*x*x", "2*x", "1*cos(x)", "x"],
    }  # fmt: skip
    assert (second["rank"], second["numeric"], second["counterexample"]) == (2, "incorrect", {"x": 0.5})
    assert third["found_by"] == "search"
