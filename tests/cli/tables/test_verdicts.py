"""Verdicts as lines of text: on a terminal nothing is cut off, elsewhere each equation is one line."""

from __future__ import annotations

import pytest

from treesmu.cli.tables.verdicts import ModelVerdict, VerifiedEquation, table_lines, unread_record
from treesmu.expr import ParseError, Verdict, parse

LONG = " + ".join(["sin(x)^2"] * 40) + " = 1"
EXAMPLES = [
    VerifiedEquation("x = x", Verdict("correct", 24, reason="equal at 24 points"), ModelVerdict(0.987)),
    VerifiedEquation(
        "sin(2*x) = 2*sin(x)",
        Verdict("incorrect", 24, {"x": -0.2897}, (-0.547522, -0.571329), "different at 24 points"),
        ModelVerdict(0.031),
    ),
    VerifiedEquation(
        LONG, Verdict("incorrect", 24, reason="different at 24 points"), ModelVerdict(None, "7/13 is not in the vocabulary")
    ),
]


@pytest.mark.parametrize("has_model", [True, False])
@pytest.mark.parametrize("columns", [80, 100, 140])
def test_on_a_screen_no_line_is_too_long_and_nothing_is_lost(columns: int, has_model: bool) -> None:
    found = list(table_lines(EXAMPLES, has_model, columns))
    assert max(map(len, found)) <= columns
    text = " ".join(" ".join(found).split())
    assert LONG in text
    assert "different at 24 points; at x = -0.2897: left -0.547522, right -0.571329" in text
    assert [line.split()[0] for line in found if line[0] != " "] == ["numeric"] * has_model + [
        "correct",
        "incorrect",
        "incorrect",
    ]


def test_records_of_good_and_bad_equations_have_the_same_names() -> None:
    with pytest.raises(ParseError) as caught:
        parse("sin(x = 1")
    unread = unread_record("sin(x = 1", "equation 2", caught.value)
    assert list(unread) == list(EXAMPLES[0].record())
    assert {name for name, value in unread.items() if value is not None} == {"equation", "error"}
    assert unread["error"] == {"where": "equation 2", "message": "expected ')' before '='", "position": 6}
    assert unread_record("sin(x = 1", "", caught.value)["error"]["where"] is None


def test_the_header_stands_above_its_columns_for_short_equations_too() -> None:
    header, line = table_lines(EXAMPLES[:1], True, None)
    assert header.index("equation") == line.index("x = x")
    assert header.index("reason") == line.index("equal at")


def test_without_a_screen_each_equation_is_one_line() -> None:
    found = list(table_lines(EXAMPLES, True, None))
    assert len(found) == 4
    assert found[1].split() == "correct correct 98.7% x = x equal at 24 points".split()
    assert found[2].startswith("incorrect  incorrect        3.1%  sin(2*x) = 2*sin(x)")
