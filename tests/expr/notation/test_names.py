"""Names: every function is known under its names, and an unknown name gets a hint."""

from __future__ import annotations

import pytest

from treesmu.expr.notation.names import COMMANDS, IF_CALLED, WORDED, WORDS, is_letters, unknown_name
from treesmu.expr.notation.remedies import refusal_of_name
from treesmu.expr.ops import FUNCTIONS


def test_every_function_is_known_in_every_spelling():
    for f in FUNCTIONS:
        for name in (f.name, *f.aliases) if f.arity == 1 else ():
            assert WORDS[name].op is WORDS[name.capitalize()].op is WORDS[name.upper()].op is COMMANDS[name].op is f


def test_short_names_are_functions_only_where_they_cannot_be_products():
    assert not IF_CALLED.keys() & WORDS.keys()
    assert IF_CALLED.keys() <= COMMANDS.keys() & WORDED.keys()


def test_no_known_name_is_refused():
    functions = {f.name for f in FUNCTIONS}  # may have a remedy from before they were added to the table; it is not used
    assert [word for word in WORDS if refusal_of_name(word) and word.lower() not in functions] == []
    assert [word for word in COMMANDS if refusal_of_name(word, is_command=True) and word.lower() not in functions] == []


@pytest.mark.parametrize("word", ["xy", "xyz", "as", "re", "cx", "ab"])
def test_two_or_three_letters_are_a_product(word: str):
    assert is_letters(word)
    assert refusal_of_name(word, is_called=False) is None


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("sinx", "did you mean sin(x)?"),
        ("xsin", "did you mean x*sin(...)?"),
        ("pir", "did you mean pi*r?"),
        ("xpi", "did you mean x*pi?"),
        ("thetay", "did you mean theta*y?"),
        ("thta", "did you mean theta?"),
        ("wxyz", "variables are single letters, Greek names or x_1, x_2, ..."),
    ],
)
def test_an_unknown_name_gets_a_hint(word: str, hint: str):
    assert unknown_name(word, is_command=False, is_called=False) == f"unknown name '{word}'; {hint}"
