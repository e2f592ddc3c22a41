"""Print expressions as MathML, for browsers."""

from __future__ import annotations

from html import escape

from ..leaves import GREEK
from ..node import Node
from ..ops import ADD, EQUALITY, LOG, MUL, POW
from .render import ANY, ATOM, FACTOR, NEGATION, POWER, PRODUCT, SUM, Part, Written, render
from .shapes import (
    as_difference,
    as_negative,
    as_quotient,
    begins_with_digit,
    left_factor,
    right_term,
    root_degree,
    subtrahend,
)

_SYMBOLS = dict(zip(GREEK, "αβγδεζηθικλμνξρστυφχψωΓΔΘΛΞΣΥΦΨΩ", strict=True)) | {"pi": "π", "inf": "∞", "nan": "NaN", "": "□"}


def mathml(e: Node) -> str:
    """Return a ``<math>`` element, which browsers show without any script."""
    body = render(e, _mathml, ("<mrow><mo>(</mo>", "<mo>)</mo></mrow>"))
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">{body}</math>'


def _mathml(e: Node) -> Written:
    if e.op is None:
        return _leaf(e)
    if e.op is EQUALITY:
        return ANY, _row((e.left, SUM), _operator("="), (e.right, SUM))
    if pair := as_difference(e):
        return SUM, _row((pair[0], SUM), _operator("−"), subtrahend(pair[1]))
    if e.op is ADD:
        return SUM, _row((e.left, SUM), _operator("+"), right_term(e.right))
    if pair := as_quotient(e):
        return FACTOR, ["<mfrac>", *_row((pair[0], ANY)), *_row((pair[1], ANY)), "</mfrac>"]
    if negative := as_negative(e):
        return NEGATION, _row(_operator("−"), subtrahend(negative))
    if e.op is MUL:
        times = _operator("⋅" if begins_with_digit(e.right) else "&#x2062;")  # the invisible times sign
        return PRODUCT, _row(left_factor(e.left), times, (e.right, FACTOR))
    if e.op is POW:
        return _power(e)
    return ATOM, _row(*_name(e), _operator("&#x2061;"), "<mrow><mo>(</mo>", (e.left, ANY), "<mo>)</mo></mrow>")


def _leaf(e: Node) -> Written:
    if e.number is not None:
        top, _, bottom = e.token.lstrip("-").partition("/")
        text = f"<mfrac><mn>{top}</mn><mn>{bottom}</mn></mfrac>" if bottom else f"<mn>{top}</mn>"
        if e.token[0] == "-":
            return NEGATION, _row(_operator("−"), text)
        return FACTOR if bottom else ATOM, [text]
    name, _, index = e.token.partition("_")
    symbol = f"<mi>{escape(_SYMBOLS.get(name, name))}</mi>"
    if not index:
        return ATOM, [symbol]
    below = f"<mn>{index}</mn>" if index.isdigit() else f"<mi>{_SYMBOLS.get(index, index)}</mi>"
    return ATOM, [f"<msub>{symbol}{below}</msub>"]


def _name(e: Node) -> list[Part]:
    """Return the name of a function, with the base of a logarithm."""
    assert e.op is not None
    if e.op is LOG:
        return ["<mi>ln</mi>"] if e.right.token == "e" else ["<msub><mi>log</mi>", *_row((e.right, ANY)), "</msub>"]
    name = e.op.aliases[0] if e.op.aliases else e.op.name
    return [f"<mi>{name}</mi>"]


def _power(e: Node) -> Written:
    base, exponent = e.children
    if n := root_degree(e):
        inside = _row((base, ANY))
        return ATOM, ["<msqrt>", *inside, "</msqrt>"] if n == 2 else ["<mroot>", *inside, f"<mn>{n}</mn></mroot>"]
    return POWER, ["<msup>", *_row((base, ATOM)), *_row((exponent, ANY)), "</msup>"]


def _row(*parts: Part) -> list[Part]:
    return ["<mrow>", *parts, "</mrow>"]


def _operator(symbol: str) -> str:
    return f"<mo>{symbol}</mo>"
