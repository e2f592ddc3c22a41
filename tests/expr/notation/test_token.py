"""ParseError says what is wrong and shows where."""

from __future__ import annotations

import pytest

from treesmu.expr.leaves import MAX_DIGITS
from treesmu.expr.notation.token import ParseError, limit_digits


def test_the_message_ends_with_the_text_and_a_caret():
    assert str(ParseError("wrong", "x + y", 4)) == "wrong:\n  x + y\n      ^"
    assert str(ParseError("nothing to read", "  ", 0)) == "nothing to read"


def test_long_numbers_are_refused():
    limit_digits("x", MAX_DIGITS, 0)
    with pytest.raises(ParseError, match=r"a subscript of 1,001 digits; the limit is 1,000"):
        limit_digits("x", MAX_DIGITS + 1, 0, "subscript")
