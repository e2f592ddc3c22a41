"""Sentences that explain a verdict: why an equation has no values, and which letters are variables here."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..ops import POW
from ..tree import Expr
from .values import ValueTable

_NOTES = {
    "i": "i is a variable here, not the imaginary unit",
    "I": "I is a variable here, not the imaginary unit",
    "E": "E is a variable here; Euler's number is e",
}
_LARGEST_SHOWN = 40  # nodes of an expression inside a sentence


def note_on_names(variables: Iterable[str]) -> str:
    """Return a remark on variables that are constants in other programs, in parentheses; empty if there are none."""
    notes = [_NOTES[name] for name in variables if name in _NOTES]
    return f" ({'; '.join(notes)})" if notes else ""


def why_undecided(e: Expr, table: ValueTable) -> str:
    """Return why an equation has too few points for a verdict: the first part without a real value, if there is one."""
    parts = [part for side in e.children for part in side.subexpressions()]
    plain = dict(zip(parts, table.values(parts).plain, strict=True))
    for part, values in plain.items():
        if np.isnan(values).all() and not any(np.isnan(plain[c]).all() for c in part.children):
            shown = str(part) if part.size <= _LARGEST_SHOWN else f"a part of {part.size} nodes"
            if not _is_outside_domain(part, [plain[c] for c in part.children]):
                return f"{shown} has no value that can be computed"
            return f"{shown} has no real {'principal value' if _is_odd_root(part) else 'value'}{_root_hint([part])}"
    return f"too few real points at which both sides have a value that can be computed{_root_hint(parts)}"


def _is_outside_domain(part: Expr, arguments: list[np.ndarray]) -> bool:
    """Return whether a function is undefined wherever its arguments are defined; otherwise its values are only too large."""
    if part.op is None:
        return True
    is_given = ~np.isnan(arguments).any(axis=0)
    with np.errstate(all="ignore"):
        inside = part.op.domain(*arguments)
    return bool(is_given.any() and not (inside & is_given).any())


def _is_odd_root(part: Expr) -> bool:
    exponent = part.right.number if part.op is POW else None
    return exponent is not None and not part.right.is_decimal and exponent.denominator % 2 == 1 and exponent.denominator > 1


def _root_hint(parts: list[Expr]) -> str:
    root = next((part for part in parts if _is_odd_root(part)), None)
    if root is None:
        return ""
    return f"; for the real root of a negative number -a, write -(a^({root.right})): a^({root.right}) needs a >= 0"
