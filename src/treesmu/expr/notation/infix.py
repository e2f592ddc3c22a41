"""Print expressions as infix text, which :func:`treesmu.parse` reads back as the same object."""

from __future__ import annotations

from ..node import Node, missing_from
from ..ops import ADD, EQUALITY, LOG, MUL, POW
from .render import ANY, ATOM, FACTOR, NEGATION, POWER, PRODUCT, Written, render
from .shapes import as_negative, as_quotient, equation_or_sum, leaf_binding, left_factor, subtrahend

InfixMemo = dict[Node, tuple[float, str]]  # for each sub-expression how strongly it binds, and its text


def infix(e: Node) -> str:
    """Return an expression as people type it: ``sin(x)^2 + cos(x)^2 = 1``."""
    return render(e, _infix, ("(", ")"))


def infix_with_memo(e: Node, memo: InfixMemo) -> str:
    """Return infix(e) for one of many expressions with common parts: each part is written once and kept in the memo."""
    for here in missing_from(memo, e):
        binding, parts = _infix(here)
        words = [part if isinstance(part, str) else _parenthesized(*memo[part[0]], part[1]) for part in parts]
        memo[here] = binding, "".join(words)
    return memo[e][1]


def _parenthesized(binding: float, text: str, weakest: float) -> str:
    return text if binding >= weakest else f"({text})"


def _infix(e: Node) -> Written:
    if e.op is None:
        return leaf_binding(e), [_leaf(e.token)]
    if e.op is EQUALITY or e.op is ADD:
        return equation_or_sum(e)
    if pair := as_quotient(e):
        return PRODUCT, [left_factor(pair[0]), "/", (pair[1], FACTOR)]
    if negative := as_negative(e):
        return NEGATION, ["-", subtrahend(negative)]
    if e.op is MUL:
        return PRODUCT, [left_factor(e.left), "*", (e.right, FACTOR)]
    if e.op is POW:
        return _power(e)
    if e.op is LOG and e.right.token == "e":
        return ATOM, ["ln(", (e.left, ANY), ")"]
    if e.op is LOG:
        return ATOM, ["log(", (e.left, ANY), ", ", (e.right, ANY), ")"]
    return ATOM, [e.token, "(", (e.left, ANY), ")"]


def _leaf(token: str) -> str:
    """Return the text of a leaf; a subscript of several letters is in braces, since x_ij may also be meant as x_i*j."""
    name, underscore, index = token.partition("_")
    return f"{name}_{{{index}}}" if underscore and len(index) > 1 and not index.isdigit() else token


def _power(e: Node) -> Written:
    base, exponent = e.children
    if exponent.token == "1/2":
        return ATOM, ["sqrt(", (base, ANY), ")"]
    is_plain_number = exponent.number is not None and "/" not in exponent.token
    return POWER, [(base, ATOM), "^", (exponent, ANY if is_plain_number else POWER)]
