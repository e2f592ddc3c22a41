"""Errors of others become one line."""

from __future__ import annotations

from treesmu.errors import DataError, describe, one_line


def test_a_message_is_one_line_of_at_most_200_characters() -> None:
    assert one_line(ValueError("two\n  lines")) == "two lines"
    assert one_line(ValueError()) == "ValueError"
    assert one_line(ValueError("a" * 300)) == "a" * 197 + "..."


def test_the_kind_of_an_error_is_named_unless_its_message_says_everything() -> None:
    assert describe(KeyError("h")) == "KeyError: 'h'"
    assert describe(DataError("file.csv: no rows")) == "file.csv: no rows"
    assert describe(SyntaxError("bad", ("x.py", 2, 1, "text"))) == "SyntaxError: bad"
