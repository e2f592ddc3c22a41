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


@pytest.mark.parametrize(("text", "length"), [("2 + sinus(x)", 5), (r"2 + \int x", 4), ("2 + ) x", 1)])
def test_a_parse_error_marks_the_whole_word(text: str, length: int) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    error = Refusal.from_error(caught.value).answer.error
    assert (error.position, error.length) == (4, length)
    assert "\n" not in error.message


def test_other_errors_are_one_line() -> None:
    refusal = Refusal.from_error(DataError("first\nsecond"))
    assert (refusal.status, str(refusal)) == (400, "first second")
