"""Completions of a question as a table and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treesmu.expr import Expr
    from treesmu.models.completion.completions import Completion

PLAIN_MARKS = {"correct": "yes", "incorrect": "no", "undecided": "?"}  # for an output that cannot encode the others
NAMED = 3  # how many fillers of equal value a line names


def records(completions: list[Completion]) -> list[dict[str, Any]]:
    """Return everything as values for JSON, one record per completion."""
    return [
        {
            "rank": rank,
            "filler": str(c.filler),
            "equation": str(c.filled),
            "found_by": c.found_by,
            "logit": c.logit,
            "score": c.score,
            "probability": c.probability,
            "numeric": c.verdict.label,
            "points": c.verdict.points,
            "counterexample": c.verdict.counterexample,
            "equal": [str(e) for e in c.equal],
        }
        for rank, c in enumerate(completions, 1)
    ]


def table(completions: list[Completion]) -> str:
    """Return one line per completion, with how it was found and other fillers of the same value at its end."""
    from treesmu.expr.numeric.verdict import MARKS  # loads NumPy

    marks = MARKS if _can_print(MARKS.values()) else PLAIN_MARKS
    fillers, equations = [str(c.filler) for c in completions], [str(c.filled) for c in completions]
    wide, wider = max(6, *map(len, fillers)), max(8, *map(len, equations))
    lines = [f"rank  {'filler':{wide}}  P(correct)  numeric  {'equation':{wider}}".rstrip()]
    for rank, (c, filler, text) in enumerate(zip(completions, fillers, equations, strict=True), 1):
        percent = f"{100 * c.probability:.1f}%"
        line = f"{rank:4}  {filler:{wide}}  {percent:>10}  {marks[c.verdict.label]:7}  {text:{wider}}  {_remarks(c)}"
        lines.append(line.rstrip())
    return "\n".join(lines)


def _remarks(c: Completion) -> str:
    """Return how a filler was found, unless the model proposed it, and which others are equal."""
    return "  ".join(part for part in ("found by search" * (c.found_by == "search"), _name_equal(c.equal)) if part)


def _name_equal(equal: tuple[Expr, ...]) -> str:
    """Name the smallest fillers of equal value."""
    named = [str(e) for e in sorted(equal, key=lambda e: e.size)[:NAMED]]
    more = f" and {len(equal) - NAMED} more" if len(equal) > NAMED else ""
    return f"or {', '.join(named)}{more}" if named else ""


def _can_print(marks: Iterable[str]) -> bool:
    try:
        "".join(marks).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
