"""Names are never split silently: a function, a product of letters, or a message."""

from __future__ import annotations

import pytest

from treesmu.expr.notation.name_tokens import add_name
from treesmu.expr.notation.parse import parse
from treesmu.expr.notation.token import ParseError, Token
from treesmu.expr.ops import FUNCTIONS


def tokens_of(text: str, word: str) -> tuple[list[Token], int]:
    tokens: list[Token] = []
    return tokens, add_name(tokens, text, word, 0, len(word))


def test_digits_belong_to_a_name_that_has_them():
    (token,), end = tokens_of("log10(x)", "log")
    assert (token.kind, token.text, end) == ("function", "log10", 5)


def test_a_product_of_letters_is_one_token_for_each_with_the_subscript_on_the_last():
    tokens, end = tokens_of("xy_2", "xy")
    assert ([token.text for token in tokens], [token.start for token in tokens], end) == (["x", "y_2"], [0, 1], 4)


@pytest.mark.parametrize("name", [name for f in FUNCTIONS if f.arity == 1 for name in (f.name, *f.aliases)])
def test_a_function_directly_followed_by_digits_is_refused(name: str):
    known = ("exp2", "exp10")
    for text in (f"{name}2", f"{name}2x", f"{name}10(x)"):
        if not text.startswith(known):
            with pytest.raises(ParseError, match="is not read; write"):
                parse(text)


@pytest.mark.parametrize("text", ["ab(x)", "foo(3)", "xyz(1)", "f(x)", "g(x + 1)", "zeta(2)", r"\Gamma(n)", "foo[3]"])
def test_an_unknown_function_is_refused(text: str):
    with pytest.raises(ParseError, match="write"):
        parse(text)
