r"""Print expressions as LaTeX, which :func:`treesmu.parse` reads back as the same object."""

from __future__ import annotations

from ..leaves import GREEK
from ..node import Node
from ..ops import ADD, EQUALITY, LOG, MUL, POW
from .render import ANY, ATOM, FACTOR, NEGATION, POWER, PRODUCT, Part, Written, render
from .shapes import (
    as_negative,
    as_quotient,
    begins_with_digit,
    equation_or_sum,
    leaf_binding,
    left_factor,
    root_degree,
    subtrahend,
)


def latex(e: Node) -> str:
    r"""Return LaTeX for a maths environment: ``\sin^{2}\left(x\right) + \frac{x}{2}``."""
    return render(e, _latex, (r"\left(", r"\right)"))


def _latex(e: Node) -> Written:
    if e.op is None:
        return _leaf(e)
    if e.op is EQUALITY or e.op is ADD:
        return equation_or_sum(e, draws_fractions=True)
    if pair := as_quotient(e):
        return FACTOR, [r"\frac{", (pair[0], ANY), "}{", (pair[1], ANY), "}"]
    if negative := as_negative(e, draws_fractions=True):
        return NEGATION, ["-", subtrahend(negative, draws_fractions=True)]
    if e.op is MUL:
        dot = r" \cdot " if begins_with_digit(e.right) else " "
        return PRODUCT, [left_factor(e.left), dot, (e.right, FACTOR)]
    if e.op is POW:
        return _power(e)
    return ATOM, [*_name(e), r"\left(", (e.left, ANY), r"\right)"]


def _leaf(e: Node) -> Written:
    name, _, index = e.token.partition("_")
    if e.number is not None and "/" in e.token:
        top, bottom = e.token.split("/")
        return FACTOR, [rf"\frac{{{top}}}{{{bottom}}}"]
    if name in GREEK or name == "pi":
        name = f"\\{name}"
    special = {"": r"\_", "inf": r"\infty", "nan": r"\mathrm{NaN}"}
    if index in GREEK or index == "pi":
        index = f"\\{index}"
    return leaf_binding(e), [special.get(name, name) + (f"_{{{index}}}" if index else "")]


def _name(e: Node) -> list[Part]:
    """Return the name of a function, with the base of a logarithm."""
    assert e.op is not None
    if e.op is LOG:
        return [r"\ln"] if e.right.token == "e" else [r"\log_{", (e.right, ANY), "}"]
    return [e.op.latex]


def _power(e: Node) -> Written:
    base, exponent = e.children
    if n := root_degree(e):
        return ATOM, [r"\sqrt{" if n == 2 else rf"\sqrt[{n}]{{", (base, ANY), "}"]
    raised: list[Part] = ["^{", (exponent, ANY), "}"]
    if base.op not in (None, ADD, MUL, POW, LOG) and exponent.token.isdigit():
        return POWER, [*_name(base), *raised, r"\left(", (base.left, ANY), r"\right)"]  # \sin^{2}(x)
    return POWER, [(base, ATOM), *raised]
