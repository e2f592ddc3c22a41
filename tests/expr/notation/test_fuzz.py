"""For any input the parser returns an Expr or raises a ParseError, in time linear in its length."""

from __future__ import annotations

import gc
import random
import sys
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strategies import expressions, random_expr
from treesmu.expr.notation.infix import infix
from treesmu.expr.notation.latex import latex
from treesmu.expr.notation.parse import parse
from treesmu.expr.notation.tokens import MAX_LENGTH, ParseError
from treesmu.expr.ops import FUNCTIONS
from treesmu.expr.tree import Expr


def read(text: str) -> Expr | ParseError:
    """Return the expression or the error, after checking that the expression is read back from what is printed."""
    try:
        answer: Expr | ParseError = parse(text)
    except ParseError as error:
        answer = error
    if isinstance(answer, Expr):
        assert parse(infix(answer)) is parse(latex(answer)) is answer
    else:
        assert 0 <= answer.position <= len(text)
        assert len(str(answer)) < 500
    return answer


WORDS = [
    *(name for f in FUNCTIONS for name in (f.name, f.latex, *f.aliases)),
    "sqrt",
    "ln",
    "pi",
    "theta",
    "x_1",
    "x_{2}",
    "oo",
]
WORDS += [
    r"\frac",
    r"\sqrt",
    r"\left",
    r"\right",
    r"\cdot",
    r"\theta",
    r"\operatorname",
    r"\mathrm{NaN}",
    r"\log_",
    r"\_",
    r"\{",
]
WORDS += [*"xyze_0123456789.+-*/^=,(){}[] \t\n~$", *"πθ∞×·−÷²⁰⁻√", "**", "12", "0.5", "1/2", "-1", "^-1", "^{2}", "_1", "_{"]


@given(st.text() | st.text(alphabet="x_12.+-*/^=,(){}[]\\ sincolgqrtfae²⁻π√"))
@example("sin^-0 x")
@example("x⁰⁵")
@example("9" * 5000 + "/2")
@example("x_" + "9" * 5000)
@example("\ud800")
def test_any_text_is_read_or_refused(text: str):
    read(text)


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes):
    read(data.decode("latin-1"))
    read(data.decode("utf-8", errors="replace"))


@given(st.lists(st.sampled_from(WORDS), max_size=30).map("".join))
def test_any_run_of_words_and_symbols_is_read_or_refused(text: str):
    read(text)


@given(expressions, st.sampled_from([infix, latex]), st.data())
def test_a_slip_of_the_keyboard_is_read_or_refused(e: Expr, write: object, data: st.DataObject):
    text = write(e)
    place = data.draw(st.integers(0, len(text) - 1))
    read(text[:place] + text[place + 1 :])
    read(text[:place] + data.draw(st.sampled_from(WORDS)) + text[place:])


@pytest.mark.parametrize("seed", range(4))
def test_ten_thousand_mutated_texts_are_read_or_refused(seed: int):
    """Characters are deleted, doubled and swapped, up to four in a text."""
    rng = random.Random(seed)
    answers = []
    for i in range(2500):
        letters = list((infix, latex)[i % 2](random_expr(rng, rng.randint(1, 5))))
        for _ in range(rng.randint(1, 4)):
            a, b = rng.randrange(len(letters)), rng.randrange(len(letters))
            change = rng.choice(("delete", "double", "swap"))
            if change == "swap":
                letters[a], letters[b] = letters[b], letters[a]
            else:
                letters[a : a + 1] = [] if change == "delete" else [letters[a]] * 2
            letters = letters or ["x"]
        answers.append(read("".join(letters)))
    share = sum(isinstance(a, Expr) for a in answers) / len(answers)
    assert 0.05 < share < 0.95  # both outcomes occur


ENORMOUS = {
    "opening brackets": ("(" * 999_999, None),
    "closing brackets": (")" * 999_999, None),
    "nested brackets": ("(" * 499_999 + "x" + ")" * 499_999, 0),
    "minus signs": ("-" * 200_000 + "x", 200_000),
    "plus signs": ("+" * 200_000 + "x", 0),
    "nested functions": ("sin " * 100_000 + "x", 100_000),
    "functions of a long product": ("sin " * 50_000 + "x" + " y" * 50_000, 100_000),
    "powers of functions": ("sin^2 " * 60_000 + "x", 120_000),
    "alternating functions": ("sin x cos y " * 40_000, 80_000),
    "powers": ("x^" * 100_000 + "x", 100_000),
    "negative powers": ("2^-" * 100_000 + "x", 200_000),
    "quotients by negatives": ("x/-" * 100_000 + "x", 100_002),
    "letters": ("xy " * 100_000, 199_999),
    "sum": ("x+" * 200_000 + "x", 200_000),
    "equations": ("x=" * 200_000, None),
    "unclosed fractions": ("\\frac{" * 50_000, None),
    "nested fractions": ("\\frac{1}{" * 50_000 + "x" + "}" * 50_000, 100_000),
    "nested bases": ("log_{" * 50_000 + "2" + "} x" * 50_000, 50_000),
    "nested logarithms": ("log(x, " * 50_000 + "x" + ")" * 50_000, 50_000),
    "roots of roots": ("\\sqrt[" * 50_000, None),
    "spaces": (" " * 999_999 + "x", 0),
    "unclosed words": ("\\text{ab " * 100_000, None),
    "digits": ("1" * 999_999, None),
    "one word": ("sinx" * 200_000, None),
}


@pytest.mark.parametrize(("text", "depth"), ENORMOUS.values(), ids=ENORMOUS.keys())
def test_enormous_input_is_read_or_refused_without_recursion(text: str, depth: int | None):
    try:
        assert parse(text).depth == depth
    except ParseError:
        assert depth is None


def calls_of(text: str) -> int:
    """Count the function calls, Python's and C's, that parsing a text takes: a measure of time that no machine changes."""
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    gc.disable()  # freeing expressions calls functions too
    sys.setprofile(count)
    try:
        with suppress(ParseError):
            parse(text)
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls


@pytest.mark.parametrize("text", [text[: len(text) // 60] for text, _ in ENORMOUS.values()], ids=ENORMOUS.keys())
def test_twice_the_input_takes_about_twice_the_work(text: str):
    once, twice = calls_of(text[: len(text) // 2]), calls_of(text)
    assert twice < 3 * once + 300  # it would be four times as much if the time were quadratic


@pytest.mark.parametrize("text", ["(" * (MAX_LENGTH + 1), "x" + " " * 50 * MAX_LENGTH])
def test_input_over_the_limit_is_refused_before_it_is_read(text: str):
    with pytest.raises(ParseError, match=f"the text has {len(text):,} characters; the limit is 1,000,000"):
        parse(text)
    assert calls_of(text) < 500


def test_input_at_the_limit_is_read():
    assert parse("x" + " " * (MAX_LENGTH - 1)).token == "x"
