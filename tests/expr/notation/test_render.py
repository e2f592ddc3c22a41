"""Infix text and LaTeX are read back as the same object, and have no superfluous parentheses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given

from strategies import MAX_DEPTH, expressions, random_exprs
from treesmu.expr.leaves import CONSTANTS
from treesmu.expr.notation.infix import infix
from treesmu.expr.notation.latex import latex
from treesmu.expr.notation.parse import parse
from treesmu.expr.notation.token import ParseError
from treesmu.expr.ops import FUNCTIONS
from treesmu.expr.tree import Expr, from_prefix

WRITTEN = {  # tokens in prefix order -> infix text and LaTeX
    "Add x Mul -1 y": ("x - y", r"x - y"),
    "Add x Mul -1 Add y z": ("x - (y + z)", r"x - \left(y + z\right)"),
    "Add Add x y z": ("x + y + z", r"x + y + z"),
    "Add x Add y z": ("x + (y + z)", r"x + \left(y + z\right)"),
    "Add x -2": ("x + -2", r"x + -2"),
    "Add x Mul -2 y": ("x + (-2*y)", r"x + \left(-2 y\right)"),
    "Add x Mul -1 2": ("x - 2", r"x - 2"),
    "Add x Mul -1 -2": ("x - (-2)", r"x - \left(-2\right)"),
    "Add x Mul -1 Mul -2 y": ("x - (-2*y)", r"x - \left(-2 y\right)"),
    "Mul -1 Mul -2 y": ("-(-2*y)", r"-\left(-2 y\right)"),
    "Add Mul -1 x y": ("-x + y", r"-x + y"),
    "Mul -1 x": ("-x", r"-x"),
    "Mul -1 Mul -1 x": ("-(-x)", r"-\left(-x\right)"),
    "Mul -1 2": ("-1*2", r"-1 \cdot 2"),
    "Mul -1 Pow x 2": ("-x^2", r"-x^{2}"),
    "Pow Mul -1 x 2": ("(-x)^2", r"\left(-x\right)^{2}"),
    "Pow -2 2": ("(-2)^2", r"\left(-2\right)^{2}"),
    "Mul -1 Pow 2 2": ("-1*2^2", r"-1 \cdot 2^{2}"),
    "Mul -1 Add x y": ("-(x + y)", r"-\left(x + y\right)"),
    "Mul -1 Add 2 x": ("-1*(2 + x)", r"-1 \cdot \left(2 + x\right)"),
    "Mul Mul -1 x y": ("(-x)*y", r"\left(-x\right) y"),
    "Mul -1 Mul x y": ("-x*y", r"-x y"),
    "Mul x Mul y z": ("x*(y*z)", r"x \left(y z\right)"),
    "Mul Mul x y z": ("x*y*z", r"x y z"),
    "Mul 2 x": ("2*x", r"2 x"),
    "Mul x 2": ("x*2", r"x \cdot 2"),
    "Mul 2 3": ("2*3", r"2 \cdot 3"),
    "Mul x -2": ("x*(-2)", r"x \left(-2\right)"),
    "Mul Add x 1 y": ("(x + 1)*y", r"\left(x + 1\right) y"),
    "Mul x Add y 1": ("x*(y + 1)", r"x \left(y + 1\right)"),
    "Mul x Pow y -1": ("x/y", r"\frac{x}{y}"),
    "Mul Mul x y Pow Mul z w -1": ("x*y/(z*w)", r"\frac{x y}{z w}"),
    "Mul x Pow Mul y Pow z -1 -1": ("x/(y/z)", r"\frac{x}{\frac{y}{z}}"),
    "Mul Mul x Pow y -1 z": ("x/y*z", r"\frac{x}{y} z"),
    "Mul 1 Pow 2 -1": ("1*2^-1", r"1 \cdot 2^{-1}"),
    "Mul 2 Pow 4 -1": ("2/4", r"\frac{2}{4}"),
    "1/2": ("1/2", r"\frac{1}{2}"),
    "-1/2": ("-1/2", r"\frac{-1}{2}"),
    "Mul 1/2 x": ("1/2*x", r"\frac{1}{2} x"),
    "Mul x 1/2": ("x*(1/2)", r"x \cdot \frac{1}{2}"),
    "Pow 1/2 x": ("(1/2)^x", r"\left(\frac{1}{2}\right)^{x}"),
    "Pow x 1/2": ("sqrt(x)", r"\sqrt{x}"),
    "Pow x 1/3": ("x^(1/3)", r"\sqrt[3]{x}"),
    "Pow x -1": ("x^-1", r"x^{-1}"),
    "Pow x -1/2": ("x^(-1/2)", r"x^{\frac{-1}{2}}"),
    "Pow x 2/3": ("x^(2/3)", r"x^{\frac{2}{3}}"),
    "Pow x Mul -1 y": ("x^(-y)", r"x^{-y}"),
    "Pow x Add y 1": ("x^(y + 1)", r"x^{y + 1}"),
    "Pow x Pow y z": ("x^y^z", r"x^{y^{z}}"),
    "Pow Pow x y z": ("(x^y)^z", r"\left(x^{y}\right)^{z}"),
    "Pow sin x 2": ("sin(x)^2", r"\sin^{2}\left(x\right)"),
    "Pow sin x -1": ("sin(x)^-1", r"\sin\left(x\right)^{-1}"),
    "Pow sin x y": ("sin(x)^y", r"\sin\left(x\right)^{y}"),
    "sin Pow x 2": ("sin(x^2)", r"\sin\left(x^{2}\right)"),
    "Mul sin x cos y": ("sin(x)*cos(y)", r"\sin\left(x\right) \cos\left(y\right)"),
    "Mul 3 sin x": ("3*sin(x)", r"3 \sin\left(x\right)"),
    "log x e": ("ln(x)", r"\ln\left(x\right)"),
    "log x 2": ("log(x, 2)", r"\log_{2}\left(x\right)"),
    "Pow log x e 2": ("ln(x)^2", r"\ln\left(x\right)^{2}"),
    "asin x": ("asin(x)", r"\arcsin\left(x\right)"),
    "acsch Add x 1": ("acsch(x + 1)", r"\operatorname{arcsch}\left(x + 1\right)"),
    "Equality Add Pow sin x 2 Pow cos x 2 1": (
        "sin(x)^2 + cos(x)^2 = 1",
        r"\sin^{2}\left(x\right) + \cos^{2}\left(x\right) = 1",
    ),
    "theta_12": ("theta_12", r"\theta_{12}"),
    "Mul pi inf": ("pi*inf", r"\pi \infty"),
    "nan": ("nan", r"\mathrm{NaN}"),
    "_": ("_", r"\_"),
    "Add x Mul -2 Pow y -1": ("x + (-2/y)", r"x + \frac{-2}{y}"),
    "Add x Mul Mul -1 y z": ("x + (-y)*z", r"x + \left(-y\right) z"),
    "Add x Mul Add -1 y z": ("x + (-1 + y)*z", r"x + \left(-1 + y\right) z"),
    "0.70": ("0.70", r"0.70"),
    "Pow e x": ("e^x", r"e^{x}"),
    "Pow e Mul -1 Pow x 2": ("e^(-x^2)", r"e^{-x^{2}}"),
    "Add 1 -1/2": ("1 + -1/2", r"1 + \frac{-1}{2}"),
    "Add x Mul -1 1/2": ("x - 1/2", r"x - \frac{1}{2}"),
    "Mul -1 1/2": ("-1*(1/2)", r"-\frac{1}{2}"),
    "Mul -1 Mul 1/2 x": ("-1*(1/2*x)", r"-\frac{1}{2} x"),
    "Mul -1 Mul 2 Pow x -1": ("-1*(2/x)", r"-\frac{2}{x}"),
    "Add -2 Mul -1/2 100": ("-2 + (-1/2*100)", r"-2 + \frac{-1}{2} \cdot 100"),
    "Add x Mul Mul -2 Pow y -1 z": ("x + (-2/y*z)", r"x + \frac{-2}{y} z"),
    "Add x Mul -1 Mul -1/2 y": ("x - (-1/2*y)", r"x - \frac{-1}{2} y"),
    "Add x_i Pow x_max 2": ("x_i + x_{max}^2", r"x_{i} + x_{max}^{2}"),
    "Mul theta_n x_theta": ("theta_n*x_{theta}", r"\theta_{n} x_{\theta}"),
    "Pow Mul x Pow y -1 2": ("(x/y)^2", r"\left(\frac{x}{y}\right)^{2}"),
}


@pytest.mark.parametrize(("prefix", "text", "tex"), [(prefix, *written) for prefix, written in WRITTEN.items()])
def test_expressions_are_written_as_people_write_them(prefix: str, text: str, tex: str):
    e = from_prefix(prefix.split())
    assert (infix(e), latex(e)) == (str(e), e.latex()) == (text, tex)
    assert parse(text) is parse(tex) is e


# -- round trips --------------------------------------------------------------------------------------------------------

CHUNKS, MORE, EACH = 2, 18, 5000  # 10,000 expressions, and 90,000 more by make slow


@pytest.mark.parametrize("seed", [*range(CHUNKS), *(pytest.param(CHUNKS + k, marks=pytest.mark.slow) for k in range(MORE))])
def test_printing_and_parsing_again_gives_the_same_object(seed: int):
    depths, words = set(), set()
    for e in random_exprs(seed, EACH):
        assert parse(infix(e)) is e
        assert parse(latex(e)) is e
        depths.add(e.depth)
        words.update(sub.token for sub in e.subexpressions())
    assert depths == set(range(1, MAX_DEPTH + 1))
    assert words >= {f.name for f in FUNCTIONS} | {"Equality", "_", "-1", "1/2", "0.7", "theta", "x_1"} | set(CONSTANTS)


@given(expressions)
def test_printing_and_parsing_again_gives_the_same_object_for_any_expression(e: Expr):
    assert parse(infix(e)) is e
    assert parse(latex(e)) is e


# -- parentheses ---------------------------------------------------------------------------------------------------------


def without_a_pair(text: str, opening: str, closing: str, is_needed: Callable[[str, str, str], bool]) -> Iterator[str]:
    """Yield the text without one pair of parentheses, for every pair except those of calls and those kept for legibility."""
    opened: list[re.Match[str]] = []
    for bracket in re.finditer(f"{re.escape(opening)}|{re.escape(closing)}", text):
        if bracket.group() == opening:
            opened.append(bracket)
            continue
        start = opened.pop()
        before, inside, after = text[: start.start()], text[start.end() : bracket.start()], text[bracket.end() :]
        if not is_needed(before, inside, after):
            yield before + inside + after


def is_call_or_sign(before: str, inside: str, _after: str) -> bool:
    """Return whether parentheses belong to a call, sin(...), or separate two signs: 2*(-3), x - (-y)."""
    return before[-1:].isalpha() or inside[0] == "-"


def is_call_or_sign_or_base(before: str, inside: str, after: str) -> bool:
    r"""Return this for LaTeX; also for \sin^{2}\left(...\right) and for a fraction as base, \left(\frac{1}{2}\right)^{x}."""
    is_base = inside[0] == "\\" and after[:1] == "^"
    return before[-1:] == "}" or is_base or is_call_or_sign(before, inside, after)


def means(text: str) -> Expr | None:
    try:
        return parse(text)
    except ParseError:
        return None


def test_the_search_for_pairs_finds_them():
    assert list(without_a_pair("(x + 1)*sin((y))^(-2)", "(", ")", is_call_or_sign)) == [
        "x + 1*sin((y))^(-2)",
        "(x + 1)*sin(y)^(-2)",
    ]


@pytest.mark.parametrize("seed", range(4))
def test_no_parentheses_can_be_left_out(seed: int):
    pairs = 0
    for e in random_exprs(1000 + seed, 2000):
        for shorter in without_a_pair(infix(e), "(", ")", is_call_or_sign):
            assert means(shorter) is not e, f"{infix(e)} could be {shorter}"
            pairs += 1
        for shorter in without_a_pair(latex(e), r"\left(", r"\right)", is_call_or_sign_or_base):
            assert means(shorter) is not e, f"{latex(e)} could be {shorter}"
            pairs += 1
    assert pairs > 500


@given(expressions)
def test_no_parentheses_can_be_left_out_of_any_expression(e: Expr):
    for shorter in without_a_pair(infix(e), "(", ")", is_call_or_sign):
        assert means(shorter) is not e
