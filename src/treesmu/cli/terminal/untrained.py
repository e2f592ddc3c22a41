"""Remarks on symbols: equations that a model cannot read, and symbols which its training equations do not have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .messages import say

_NAMED = 8  # symbols


def untrained_symbols(found: Sequence[tuple[str, ...]] | None) -> list[str] | None:
    """Return the distinct symbols of some expressions without trained weights; None if it is not known which these are."""
    return None if found is None else list(dict.fromkeys(symbol for symbols in found for symbol in symbols))


def untrained_facts(**found: Sequence[tuple[str, ...]] | None) -> dict[str, Any] | None:
    """Return the symbols and how many expressions of each group have one, for JSON; None if it is not known."""
    groups = {name: symbols for name, symbols in found.items() if symbols is not None}
    if not groups:
        return None
    everything = [row for symbols in groups.values() for row in symbols]
    return {"symbols": untrained_symbols(everything)} | {name: sum(map(bool, rows)) for name, rows in groups.items()}


def warn_of_untrained(found: Sequence[tuple[str, ...]] | None, noun: str) -> None:
    """Print one line if there are such symbols. found: those of each expression; noun: what the expressions are."""
    symbols = untrained_symbols(found)
    if not found or not symbols:
        return
    from treesmu.importing.report import count_of

    names = ", ".join(symbols[:_NAMED]) + (f" and {len(symbols) - _NAMED} more" if len(symbols) > _NAMED else "")
    are = "does" if len(symbols) == 1 else "do"
    affected = count_of(sum(map(bool, found)), noun)
    say(f"warning: {names} {are} not occur in the training equations of the model: it reads {affected} with untrained weights")


def say_unreadable(reasons: Sequence[str]) -> None:
    """Print one line if a model cannot read some equations. reasons: one for each of them."""
    if not reasons:
        return
    from treesmu.importing.report import count_of

    are = "which is" if len(reasons) == 1 else "which are"
    say(f"the model cannot read {count_of(len(reasons), 'equation')}, {are} left out: {reasons[0]}")
