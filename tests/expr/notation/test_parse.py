"""The parser reads what people type, reports errors with their position, and has the precedence of Python."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from goldens import FAILS, READS, READS_LATEX
from treesmu.expr.notation.parse import parse
from treesmu.expr.notation.token import ParseError
from treesmu.expr.tree import Expr


@pytest.mark.parametrize(("text", "prefix"), (READS | READS_LATEX).items())
def test_what_people_type_is_read_as_they_mean_it(text: str, prefix: str):
    assert " ".join(parse(text).prefix()) == prefix


@pytest.mark.parametrize(("text", "message", "position"), [(text, *said) for text, said in FAILS.items()])
def test_an_error_says_what_is_wrong_and_where(text: str, message: str, position: int):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert (caught.value.message, caught.value.position) == (message, position)


# -- comparison with Python --------------------------------------------------------------------------------------------------

POINT = {"x": 0.7, "y": 1.9, "z": 1.3}
SHAPES = [
    "{a} + {b}",
    "{a} - {b}",
    "{a}*{b}",
    "{a}/{b}",
    "{a}^{b}",
    "{a}^-{b}",
    "-{a}",
    "({a})",
    "sin({a})",
    "cos({a})",
    "exp({a})",
]


def random_text(rng: random.Random, depth: int) -> str:
    """Return infix text that is put together regardless of precedence; the parsers decide what it means."""
    if depth == 0:
        return rng.choice((*POINT, "2", "3", "0.5", "1"))
    a, b = (random_text(rng, rng.randrange(depth)) for _ in range(2))
    return rng.choice(SHAPES).format(a=a, b=b)


def our_values(e: Expr) -> list[float]:
    """Return the values of all sub-expressions, the expression itself last."""
    done: dict[Expr, np.float64] = {}
    for sub in e.subexpressions():
        number = float(sub.number) if sub.number is not None else POINT.get(sub.token, 0.0)
        done[sub] = np.float64(sub.op.compute(*(done[c] for c in sub.children)) if sub.op else number)
    return [float(v) for v in done.values()]


def python_value(text: str) -> float:
    """Return the value that Python computes; every number is a float64, because 3^3^3^3 would take forever as an int."""
    code = re.sub(r"[0-9.]+", r"real(\g<0>)", text).replace("^", "**")
    names = {"real": np.float64, "sin": np.sin, "cos": np.cos, "exp": np.exp, **{k: np.float64(v) for k, v in POINT.items()}}
    return float(eval(code, {"__builtins__": {}}, names))  # the text is generated above


@pytest.mark.parametrize("seed", range(4))
def test_precedence_is_that_of_python(seed: int):
    rng = random.Random(seed)
    compared = 0
    for _ in range(1000):
        text = random_text(rng, rng.randint(1, 6))
        with np.errstate(all="ignore"):
            ours, theirs = our_values(parse(text)), python_value(text)
        if np.isfinite(ours).all() and np.abs(ours).max() < 1e3:  # larger values have larger rounding errors
            compared += 1
            assert ours[-1] == pytest.approx(theirs, rel=1e-9, abs=1e-9), text
    assert compared > 700


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x_{n+1}", "a subscript is a whole number or a word, as in x_1, x_i"),
        ("sin + 1", r"expected the argument of sin before '\+'"),
        ("sin^2 + 1", r"expected the argument of sin before '\+'"),
    ],
)
def test_what_looks_like_something_else_is_refused(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        parse(text)
