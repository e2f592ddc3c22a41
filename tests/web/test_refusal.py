"""A refusal says what is wrong, where, and what to do."""

from __future__ import annotations

import pytest

from treesmu.errors import DataError
from treesmu.expr import ParseError, parse
from treesmu.web.refusal import Refusal


def test_its_answer_has_all_fields() -> None:
    refusal = Refusal(404, "there is no such model", "choose another")
    assert (refusal.status, str(refusal)) == (404, "there is no such model")
    assert refusal.answer.model_dump() == {
        "error": {"message": "there is no such model", "position": None, "length": None, "remedy": "choose another"}
    }


def test_a_parse_error_marks_the_whole_word() -> None:
    with pytest.raises(ParseError) as caught:
        parse("2 + sinus(x)")
    error = Refusal.from_error(caught.value).answer.error
    assert (error.position, error.length) == (4, 5)
    assert "\n" not in error.message


def test_other_errors_are_one_line() -> None:
    refusal = Refusal.from_error(DataError("first\nsecond"))
    assert (refusal.status, str(refusal)) == (400, "first second")
