"""What is not read is refused with one sentence that says what to write instead, and the remedy can be read."""

from __future__ import annotations

import pytest

from treesmu.expr.notation.parse import parse
from treesmu.expr.notation.remedies import refusal, refusal_of_name, refusal_of_symbol


@pytest.mark.parametrize("symbol", ["|", "!", "°", "%", "±", "∫", "∑", "<", "≤", "≠", "!=", "...", "\\\\", "&", "'"])
def test_a_symbol_has_a_remedy(symbol: str):
    assert " is not read; " in refusal_of_symbol(f"x{symbol}1", 1)


@pytest.mark.parametrize("word", ["int", "sum", "lim", "begin", "pm", "leq", "binom", "vec"])
def test_a_command_has_a_remedy(word: str):
    message = refusal_of_name(word, is_command=True)
    assert message is not None
    assert message.startswith(f"'\\{word}' is not read; ")


def test_other_characters_are_unexpected():
    assert refusal_of_symbol("x # y", 2) == "unexpected character '#'"
    assert refusal_of_symbol("\x00", 0) == r"unexpected character '\x00'"
    assert refusal_of_symbol("\\", 0) == r"unexpected character '\\'"


def test_the_message_names_what_is_refused():
    assert refusal("|", "write sqrt(x^2)") == "'|' is not read; write sqrt(x^2)"
    assert refusal("'", "leave it out") == '"\'" is not read; leave it out'


@pytest.mark.parametrize(
    "remedy",
    [
        "sqrt(x^2)",
        "45*pi/180",
        "50/100",
        "(a + b + sqrt((a - b)^2))/2",
        "(a + b - sqrt((a - b)^2))/2",
        "x/sqrt(x^2)",
        "8^(1/3)",
    ],
)
def test_remedies_are_read_as_they_stand(remedy: str):
    assert str(parse(remedy)) == remedy
