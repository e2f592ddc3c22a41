"""Logarithms without a base, which are natural here: would an equation that fails be correct with base 10 or 2?"""

from __future__ import annotations

from dataclasses import replace

from ..ops import LOG
from ..tree import Expr, leaf, node
from .verdict import Verdict, check

_OTHER_BASES = ("10", "2")


def note_on_logarithms(equation: Expr, verdict: Verdict) -> Verdict:
    """Return the verdict, with a remark in its reason if the equation is correct only with another base of its logarithms."""
    if verdict.label == "correct" or not any(_is_natural(e) for e in equation.subexpressions()):
        return verdict
    for base in _OTHER_BASES:
        if check(_with_base(equation, base)).label == "correct":
            remedy = f"log(x) is the natural logarithm here; with base {base} it is correct: write log{base}(x)"
            return replace(verdict, reason=f"{verdict.reason} ({remedy})")
    return verdict


def _is_natural(e: Expr) -> bool:
    return e.op is LOG and e.right.token == "e"


def _with_base(equation: Expr, base: str) -> Expr:
    """Return the equation with another base of its natural logarithms."""
    done: dict[Expr, Expr] = {}
    for e in equation.subexpressions():
        if e.op is None:
            done[e] = e
        else:
            children = [done[c] for c in e.children]
            done[e] = node(e.op, children[0], leaf(base)) if _is_natural(e) else node(e.op, *children)
    return done[equation]
