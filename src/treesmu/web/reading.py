"""Read what a person typed, within the limits of the service."""

from __future__ import annotations

from treesmu.expr import Expr, ParseError, parse

from . import limits
from .answers import Formula, ReadAnswer
from .refusal import Refusal

BLANK_REMEDY = "write _ for the missing part, as in tan(x) = sin(x)/_"


def read_text(text: str) -> Expr:
    """Return the expression that a text describes; raise a Refusal if there is none or it is too large."""
    try:
        e = parse(text)
    except ParseError as error:
        raise Refusal.from_error(error) from None
    if e.size > limits.NODES:
        raise Refusal(400, f"the expression has {e.size:,} nodes; the limit is {limits.NODES}", "enter a part of it")
    if e.depth > limits.DEPTH:
        raise Refusal(400, f"the expression has depth {e.depth:,}; the limit is {limits.DEPTH}", "enter a part of it")
    return e


def read_complete(text: str) -> Expr:
    """Return an expression or equation without a blank."""
    e = read_text(text)
    if e.has_blank:
        raise Refusal(400, "there is a blank", "fill it, or use Complete")
    return e


def read_equation(text: str) -> Expr:
    """Return an equation without a blank."""
    e = read_complete(text)
    if not e.is_equation:
        raise Refusal(400, "this is an expression, not an equation", "write left = right")
    return e


def read_question(text: str) -> Expr:
    """Return an equation with a blank."""
    e = read_text(text)
    if not e.is_equation:
        raise Refusal(400, "this is an expression, not an equation", "write left = right, with _ for the missing part")
    if not e.has_blank:
        raise Refusal(400, "there is no blank", BLANK_REMEDY)
    return e


def describe(e: Expr) -> ReadAnswer:
    """Return what was read, in all notations."""
    return ReadAnswer(
        expression=str(e),
        latex=e.latex(),
        mathml=e.mathml(),
        prefix=e.prefix(),
        depth=e.depth,
        size=e.size,
        is_equation=e.is_equation,
        has_blank=e.has_blank,
        variables=[str(v) for v in e.variables()],
    )


def formula(e: Expr) -> Formula:
    """Return an expression as text and as MathML."""
    return Formula(expression=str(e), mathml=e.mathml())
