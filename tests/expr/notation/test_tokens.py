"""The tokenizer and its errors: what is wrong, where, and a caret below the place."""

from __future__ import annotations

import pytest

from treesmu.expr.notation.parse import parse
from treesmu.expr.notation.token import ParseError


def test_an_error_shows_a_caret_under_the_place():
    with pytest.raises(ParseError) as caught:
        parse("sin(x + 1 = 2")
    assert str(caught.value) == "expected ')' before '=':\n  sin(x + 1 = 2\n            ^"


@pytest.mark.parametrize("place", [0, 1, 30, 500, 970, 999])
def test_the_caret_points_at_the_place_in_a_window_of_a_long_text(place: int):
    with pytest.raises(ParseError) as caught:
        parse("x " * place + "#" + " x" * (1000 - place))
    _, line, caret = str(caught.value).split("\n")
    assert line[caret.index("^")] == "#"
    assert len(line) <= 80


def test_a_long_word_does_not_make_a_long_message():
    with pytest.raises(ParseError) as caught:
        parse("a" * 100_000)
    assert len(str(caught.value)) < 300
