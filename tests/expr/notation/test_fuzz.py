"""For any input the parser returns an Expr or raises a ParseError, in time linear in its length."""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strategies import expressions, random_expr
from treesmu.expr.notation.infix import infix
from treesmu.expr.notation.latex import latex
from treesmu.expr.notation.parse import parse
from treesmu.expr.notation.token import ParseError
from treesmu.expr.notation.tokens import MAX_LENGTH
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
    "x_i",
    "x_{max}",
    r"_\theta",
    "ₙ",
    r"\[Pi]",
    "*^",
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


WORDS += [
    "log10",
    "log2",
    "lg",
    "exp2",
    "cbrt",
    "tg",
    "sh",
    "f",
    "np.",
    "e3",
    "1e3",
    "1.5e-3",
    "x₁",
    "log₂",
    "½",
    "ⁿ",
    "∛",
    "?",
]
WORDS += ["?", "___", "==", "|", "!", "°", "'", "<", "...", r"\frac{d}{d", r"\int", r"\mathrm{tg}", r"\(", "{,}"]


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
def test_five_thousand_mutated_texts_are_read_or_refused(seed: int):
    """Up to four characters of a string are deleted, doubled or swapped."""
    rng = random.Random(seed)
    answers = []
    for i in range(1250):
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


ENORMOUS = {  # a string that grows with n, the largest n, and the depth of its expression by n (None: an error)
    "opening brackets": (lambda n: "(" * n, 999_999, None),
    "closing brackets": (lambda n: ")" * n, 999_999, None),
    "nested brackets": (lambda n: "(" * n + "x" + ")" * n, 499_999, lambda _: 0),
    "minus signs": (lambda n: "-" * n + "x", 200_000, lambda n: n),
    "plus signs": (lambda n: "+" * n + "x", 200_000, lambda _: 0),
    "nested functions": (lambda n: "sin " * n + "x", 100_000, lambda n: n),
    "functions of a long product": (lambda n: "sin " * n + "x" + " y" * n, 50_000, lambda n: 2 * n),
    "powers of functions": (lambda n: "sin^2 " * n + "x", 60_000, lambda n: 2 * n),
    "alternating functions": (lambda n: "sin x cos y " * n, 40_000, lambda n: 2 * n),
    "powers": (lambda n: "x^" * n + "x", 100_000, lambda n: n),
    "negative powers": (lambda n: "2^-" * n + "x", 100_000, lambda n: 2 * n),
    "quotients by negatives": (lambda n: "x/-" * n + "x", 100_000, lambda n: n + 2),
    "letters": (lambda n: "xy " * n, 100_000, lambda n: 2 * n - 1),
    "sum": (lambda n: "x+" * n + "x", 200_000, lambda n: n),
    "equations": (lambda n: "x=" * n, 200_000, None),
    "unclosed fractions": (lambda n: "\\frac{" * n, 50_000, None),
    "nested fractions": (lambda n: "\\frac{1}{" * n + "x" + "}" * n, 50_000, lambda n: 2 * n),
    "nested bases": (lambda n: "log_{" * n + "2" + "} x" * n, 50_000, lambda n: n),
    "nested logarithms": (lambda n: "log(x, " * n + "x" + ")" * n, 50_000, lambda n: n),
    "roots of roots": (lambda n: "\\sqrt[" * n, 50_000, None),
    "spaces": (lambda n: " " * n + "x", 999_999, lambda _: 0),
    "unclosed words": (lambda n: "\\text{ab " * n, 100_000, None),
    "digits": (lambda n: "1" * n, 999_999, None),
    "one word": (lambda n: "sinx" * n, 200_000, None),
    "letters and digits": (lambda n: "log1" * n, 200_000, None),
    "small digits": (lambda n: "x₁ " * n, 100_000, lambda n: n - 1),
    "powers of ten": (lambda n: "1e3+" * n + "x", 100_000, lambda n: n),
    "fractions of d": (lambda n: "\\frac{d}{d" * n, 50_000, None),
    "question marks": (lambda n: "?" * n, 999_999, lambda _: 0),
}


Large = tuple[Callable[[int], str], int, Callable[[int], int] | None]


@pytest.mark.parametrize("share", [25, pytest.param(1, marks=pytest.mark.slow)], ids=["a part", "whole"])
@pytest.mark.parametrize("large", ENORMOUS.values(), ids=ENORMOUS.keys())
def test_enormous_input_is_read_or_refused_without_recursion(large: Large, share: int):
    text_of, n, depth_of = large
    try:
        depth: int | None = parse(text_of(n // share)).depth
    except ParseError:
        depth = None
    assert depth == (depth_of(n // share) if depth_of else None)


def test_depth_100000_is_read():
    assert parse("sin " * 100_000 + "x").depth == 100_000


def calls_of(text: str) -> int:
    """Return the number of function calls, in Python and C, that parsing takes: a measure that is the same on every machine."""
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


@pytest.mark.parametrize(("text_of", "n"), [(text_of, n // 100) for text_of, n, _ in ENORMOUS.values()], ids=ENORMOUS.keys())
def test_four_times_the_input_takes_about_four_times_the_work(text_of: Callable[[int], str], n: int):
    calls_of(text_of(n))  # fill the caches of tokens
    small, large = calls_of(text_of(n)), calls_of(text_of(4 * n))
    assert large < 6 * small + 300  # it would be sixteen times as much if the time were quadratic


@pytest.mark.parametrize("text", ["(" * (MAX_LENGTH + 1), "x" + " " * 50 * MAX_LENGTH])
def test_input_over_the_limit_is_refused_before_it_is_read(text: str):
    with pytest.raises(ParseError, match=f"the text has {len(text):,} characters; the limit is 1,000,000"):
        parse(text)
    assert calls_of(text) < 500


def test_input_at_the_limit_is_read():
    assert parse("x" + " " * (MAX_LENGTH - 1)).token == "x"
