r"""Expressions as infix text, LaTeX or MathML, without superfluous parentheses.

The only ones that could be left out are around a minus sign behind an operator: ``2*(-3)``, ``x^(-y)``.

A notation says how one node is written: its binding strength and its parts, which are strings and children. The walk
that puts the parts together, and the parentheses around children that bind too weakly, is the same for all three,
and uses a stack of its own: depth is no limit. What infix and LaTeX print, :func:`treesmu.parse` reads back as the same object.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from ..leaves import GREEK
from ..ops import ADD, EQUALITY, LOG, MUL, POW
from ..tree import Expr, leaf, unseen
from .quotient import is_fraction

Part = str | tuple[Expr, float]  # text as it is, or a child with the least binding that needs no parentheses
Notation = Callable[[Expr], tuple[float, list[Part]]]

ANY, SUM, NEGATION, PRODUCT, FACTOR, POWER, ATOM = range(7)
_MINUS_ONE, _HALF, _ONE, _E = leaf("-1"), leaf("1/2"), leaf("1"), leaf("e")


def infix(e: Expr) -> str:
    """As people type it: ``sin(x)^2 + cos(x)^2 = 1``."""
    return _write(e, _infix, ("(", ")"))


def latex(e: Expr) -> str:
    r"""LaTeX for a maths environment: ``\sin^{2}\left(x\right) + \frac{x}{2}``."""
    return _write(e, _latex, (r"\left(", r"\right)"))


def mathml(e: Expr) -> str:
    """A ``<math>`` element, which browsers show without any script."""
    body = _write(e, _mathml, ("<mrow><mo>(</mo>", "<mo>)</mo></mrow>"))
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">{body}</math>'


def _write(e: Expr, notation: Notation, brackets: tuple[str, str]) -> str:
    pieces: list[str] = []
    stack: list[Part] = [(e, ANY)]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            pieces.append(part)
            continue
        child, least = part
        binding, parts = notation(child)
        if binding < least:
            parts = [brackets[0], *parts, brackets[1]]
        stack.extend(reversed(parts))
    return "".join(pieces)


def infix_with(memo: dict[Expr, tuple[float, str]], e: Expr) -> str:
    """The same as infix(), for many expressions with common parts: each part is written once and remembered."""
    for here in unseen(e, memo):
        binding, parts = _infix(here)
        words = [part if isinstance(part, str) else _bracketed(*memo[part[0]], part[1]) for part in parts]
        memo[here] = binding, "".join(words)
    return memo[e][1]


def _bracketed(binding: float, text: str, least: float) -> str:
    return text if binding >= least else f"({text})"


# -- shapes that all notations recognise -----------------------------------------------------------------------------------


def _as_difference(e: Expr) -> tuple[Expr, Expr] | None:
    """a - b, which is Add(a, Mul(-1, b))."""
    if e.op is ADD and e.right.op is MUL and e.right.left is _MINUS_ONE:
        return e.left, e.right.right
    return None


def _as_quotient(e: Expr) -> tuple[Expr, Expr] | None:
    """a / b, which is Mul(a, Pow(b, -1)); but 1 * 2^-1 is not the fraction 1/2."""
    if e.op is MUL and e.right.op is POW and e.right.right is _MINUS_ONE and not is_fraction(e.left, e.right.left):
        return e.left, e.right.left
    return None


def _as_negative(e: Expr) -> Expr | None:
    """-a, which is Mul(-1, a), where a does not begin with a digit: -2 is a number."""
    return e.right if e.op is MUL and e.left is _MINUS_ONE and not _begins_with_digit(e.right) else None


def _begins_with_digit(e: Expr) -> bool:
    while e.op in (ADD, MUL, POW):
        e = e.left
    return e.op is None and e.token[0].isdigit()


def _begins_with_minus(e: Expr) -> bool:
    while e.op in (ADD, MUL):
        if _as_negative(e) is not None:
            return True
        if e.op is MUL and (e.left.op is ADD or _as_negative(e.left) is not None):
            return False  # such a factor begins with a parenthesis
        e = e.left
    return e.op is None and e.token[0] == "-"


def _as_root(e: Expr) -> int:
    """n where e is an n-th root written with a fraction: Pow(a, 1/n); else 0."""
    if e.op is not POW or e.right.number is None or e.right.is_decimal:
        return 0
    n = e.right.number
    return n.denominator if n.numerator == 1 and n.denominator > 1 else 0


def _binding_of_leaf(e: Expr) -> int:
    if e.number is None:
        return ATOM
    return PRODUCT if "/" in e.token else NEGATION if e.token[0] == "-" else ATOM


def _left_factor(e: Expr) -> Part:
    """The left factor of a product: a number needs no parentheses there, be it negative or a fraction."""
    return (e, ANY if e.number is not None else PRODUCT)


def _right_term(e: Expr) -> Part:
    return (e, FACTOR if e.op is not None and _begins_with_minus(e) else NEGATION)


def _subtrahend(e: Expr) -> Part:
    return (e, FACTOR if _begins_with_minus(e) else PRODUCT)


# -- infix ------------------------------------------------------------------------------------------------------------


def _infix(e: Expr) -> tuple[float, list[Part]]:
    if e.op is None:
        return _binding_of_leaf(e), [e.token]
    if e.op is EQUALITY:
        return ANY, [(e.left, SUM), " = ", (e.right, SUM)]
    if pair := _as_difference(e):
        return SUM, [(pair[0], SUM), " - ", _subtrahend(pair[1])]
    if e.op is ADD:
        return SUM, [(e.left, SUM), " + ", _right_term(e.right)]
    if pair := _as_quotient(e):
        return PRODUCT, [_left_factor(pair[0]), "/", (pair[1], FACTOR)]
    if negative := _as_negative(e):
        return NEGATION, ["-", _subtrahend(negative)]
    if e.op is MUL:
        return PRODUCT, [_left_factor(e.left), "*", (e.right, FACTOR)]
    if e.op is POW:
        return _infix_power(e)
    if e.op is LOG:
        return ATOM, ["ln(", (e.left, ANY), ")"] if e.right is _E else ["log(", (e.left, ANY), ", ", (e.right, ANY), ")"]
    return ATOM, [e.token, "(", (e.left, ANY), ")"]


def _infix_power(e: Expr) -> tuple[float, list[Part]]:
    base, exponent = e.children
    if exponent is _HALF:
        return ATOM, ["sqrt(", (base, ANY), ")"]
    whole = exponent.number is not None and "/" not in exponent.token
    return POWER, [(base, ATOM), "^", (exponent, ANY if whole else POWER)]


# -- LaTeX ------------------------------------------------------------------------------------------------------------


def _latex_leaf(e: Expr) -> tuple[float, list[Part]]:
    name, _, index = e.token.partition("_")
    if e.number is not None and "/" in e.token:
        top, bottom = e.token.split("/")
        return FACTOR, [rf"\frac{{{top}}}{{{bottom}}}"]
    if name in GREEK or name == "pi":
        name = f"\\{name}"
    special = {"": r"\_", "inf": r"\infty", "nan": r"\mathrm{NaN}"}
    return _binding_of_leaf(e), [special.get(name, name) + (f"_{{{index}}}" if index else "")]


def _latex(e: Expr) -> tuple[float, list[Part]]:
    if e.op is None:
        return _latex_leaf(e)
    if e.op is EQUALITY:
        return ANY, [(e.left, SUM), " = ", (e.right, SUM)]
    if pair := _as_difference(e):
        return SUM, [(pair[0], SUM), " - ", _subtrahend(pair[1])]
    if e.op is ADD:
        return SUM, [(e.left, SUM), " + ", _right_term(e.right)]
    if pair := _as_quotient(e):
        return FACTOR, [r"\frac{", (pair[0], ANY), "}{", (pair[1], ANY), "}"]
    if negative := _as_negative(e):
        return NEGATION, ["-", _subtrahend(negative)]
    if e.op is MUL:
        dot = r" \cdot " if _begins_with_digit(e.right) else " "
        return PRODUCT, [_left_factor(e.left), dot, (e.right, FACTOR)]
    if e.op is POW:
        return _latex_power(e)
    return ATOM, [*_latex_name(e), r"\left(", (e.left, ANY), r"\right)"]


def _latex_name(e: Expr) -> list[Part]:
    assert e.op is not None
    if e.op is LOG:
        return [r"\ln"] if e.right is _E else [r"\log_{", (e.right, ANY), "}"]
    return [e.op.latex]


def _latex_power(e: Expr) -> tuple[float, list[Part]]:
    base, exponent = e.children
    if n := _as_root(e):
        return ATOM, [r"\sqrt{" if n == 2 else rf"\sqrt[{n}]{{", (base, ANY), "}"]
    raised: list[Part] = ["^{", (exponent, ANY), "}"]
    if base.op not in (None, ADD, MUL, POW, LOG) and exponent.token.isdigit():
        return POWER, [*_latex_name(base), *raised, r"\left(", (base.left, ANY), r"\right)"]  # \sin^{2}(x)
    return POWER, [(base, ATOM), *raised]


# -- MathML -----------------------------------------------------------------------------------------------------------

_SYMBOLS = dict(zip(GREEK, "αβγδεζηθικλμνξρστυφχψωΓΔΘΛΞΣΥΦΨΩ", strict=True)) | {"pi": "π", "inf": "∞", "nan": "NaN", "": "□"}


def _row(*parts: Part) -> list[Part]:
    return ["<mrow>", *parts, "</mrow>"]


def _operator(symbol: str) -> str:
    return f"<mo>{symbol}</mo>"


def _mathml_leaf(e: Expr) -> tuple[float, list[Part]]:
    if e.number is not None:
        top, _, bottom = e.token.lstrip("-").partition("/")
        text = f"<mfrac><mn>{top}</mn><mn>{bottom}</mn></mfrac>" if bottom else f"<mn>{top}</mn>"
        negative = e.token[0] == "-"
        return NEGATION if negative else FACTOR if bottom else ATOM, _row(_operator("−"), text) if negative else [text]
    name, _, index = e.token.partition("_")
    symbol = f"<mi>{escape(_SYMBOLS.get(name, name))}</mi>"
    return ATOM, [f"<msub>{symbol}<mn>{index}</mn></msub>" if index else symbol]


def _mathml(e: Expr) -> tuple[float, list[Part]]:
    if e.op is None:
        return _mathml_leaf(e)
    if e.op is EQUALITY:
        return ANY, _row((e.left, SUM), _operator("="), (e.right, SUM))
    if pair := _as_difference(e):
        return SUM, _row((pair[0], SUM), _operator("−"), _subtrahend(pair[1]))
    if e.op is ADD:
        return SUM, _row((e.left, SUM), _operator("+"), _right_term(e.right))
    if pair := _as_quotient(e):
        return FACTOR, ["<mfrac>", *_row((pair[0], ANY)), *_row((pair[1], ANY)), "</mfrac>"]
    if negative := _as_negative(e):
        return NEGATION, _row(_operator("−"), _subtrahend(negative))
    if e.op is MUL:
        times = _operator("⋅" if _begins_with_digit(e.right) else "&#x2062;")  # the invisible times sign
        return PRODUCT, _row(_left_factor(e.left), times, (e.right, FACTOR))
    if e.op is POW:
        return _mathml_power(e)
    return ATOM, _row(*_mathml_name(e), _operator("&#x2061;"), "<mrow><mo>(</mo>", (e.left, ANY), "<mo>)</mo></mrow>")


def _mathml_name(e: Expr) -> list[Part]:
    assert e.op is not None
    if e.op is LOG:
        return ["<mi>ln</mi>"] if e.right is _E else ["<msub><mi>log</mi>", *_row((e.right, ANY)), "</msub>"]
    name = e.op.aliases[0] if e.op.aliases else e.op.name
    return [f"<mi>{name}</mi>"]


def _mathml_power(e: Expr) -> tuple[float, list[Part]]:
    base, exponent = e.children
    if n := _as_root(e):
        inside = _row((base, ANY))
        return ATOM, ["<msqrt>", *inside, "</msqrt>"] if n == 2 else ["<mroot>", *inside, f"<mn>{n}</mn></mroot>"]
    return POWER, ["<msup>", *_row((base, ATOM)), *_row((exponent, ANY)), "</msup>"]
