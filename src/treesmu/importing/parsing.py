"""Parse rows of text: the equation, its label, its verdict where the numeric check is asked, or why the row is bad.

Chunks of rows are independent, so they are parsed in any number of processes with the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from treesmu.expr import VARIABLES, Expr, ParseError, from_prefix, parse
from treesmu.expr.numeric.verdict import Checker, Verdict
from treesmu.generate.columns import LabelledColumns
from treesmu.generate.fingerprint import fingerprints

from .columns import read_label
from .readers import SourceRow
from .settings import ImportSettings

MOST_CHARACTERS = 100_000  # of an equation
_DEEPEST = 10_000
_KNOWN = frozenset(VARIABLES)
LABEL_OF = {"correct": 1, "incorrect": 0}
_WORDS = {1: "correct", 0: "incorrect"}


class Remark(NamedTuple):
    """A line that is listed, and why."""

    line: int
    reason: str
    text: str


@dataclass
class ParsedRows(LabelledColumns):
    """The good rows of a chunk as columns, and remarks on the others."""

    line: list[int] = field(default_factory=list)
    split: list[str] = field(default_factory=list)
    bad: list[Remark] = field(default_factory=list)
    undecided: list[Remark] = field(default_factory=list)  # without a label, and the check cannot give one
    disagreements: list[Remark] = field(default_factory=list)  # the check contradicts the label
    read: int = 0
    labelled_by_check: int = 0
    confirmed: int = 0  # labels that the check was asked for, and agrees with
    unchecked: int = 0  # labels that the check cannot decide
    renamed: int = 0  # equations whose variables were renamed, because models do not know their names


class _Row(NamedTuple):
    source: SourceRow
    equation: Expr
    label: int | None


def parse_rows(rows: Sequence[SourceRow], settings: ImportSettings) -> ParsedRows:
    """Return the good rows of a chunk as columns, with labels, depths, sizes and fingerprints."""
    found = ParsedRows(read=len(rows))
    parsed: list[_Row] = []
    for row in rows:
        try:
            parsed.append(_parse(row, found))
        except ParseError as error:
            found.bad.append(Remark(row.line, error.message, row.text))
        except ValueError as error:
            found.bad.append(Remark(row.line, str(error), row.text))
    kept = _labelled(parsed, settings, found)
    for (row, e, _), label in kept:
        found.append(e, " ".join(e.prefix()), str(e), label, row.kind or "imported")
        found.line.append(row.line)
        found.split.append(row.split)
    found.fingerprint = fingerprints(row.equation for row, _ in kept).tolist()
    return found


def _parse(row: SourceRow, found: ParsedRows) -> _Row:
    """Return a row with its equation, in variables that models know; whatever is wrong is a ValueError."""
    if row.fault:
        raise ValueError(row.fault)
    if not row.text:
        raise ValueError("there is no equation")
    if len(row.text) > MOST_CHARACTERS:
        raise ValueError(f"{len(row.text):,} characters; an equation has at most {MOST_CHARACTERS:,}")
    label = read_label(row.label)
    e = from_prefix(row.text.split()) if row.is_prefix else parse(row.text)
    if not e.is_equation:
        raise ValueError("not an equation: there is no '='")
    if e.has_blank:
        raise ValueError("an equation with a blank; fill it")
    if e.depth > _DEEPEST:
        raise ValueError(f"an equation of depth {e.depth:,}; the limit is {_DEEPEST:,}")
    names = [v.token for v in e.variables()]
    if not _KNOWN.issuperset(names):
        if len(names) > len(_KNOWN):
            raise ValueError(f"{len(names)} different variables; models know {len(_KNOWN)}")
        e = e.canonical()
        found.renamed += 1
    return _Row(row, e, label)


def _labelled(rows: list[_Row], settings: ImportSettings, found: ParsedRows) -> list[tuple[_Row, int]]:
    """Return the rows that are kept, with their labels; the others are remarked on."""
    to_check = [row.equation for row in rows if row.label is None or settings.check]
    checked = dict.fromkeys(to_check)
    verdicts = dict(zip(checked, Checker().check(list(checked)), strict=True))
    kept = []
    for row in rows:
        verdict = verdicts.get(row.equation)
        label = row.label if verdict is None else _decide(row, verdict, settings, found)
        if label is not None:
            kept.append((row, label))
    return kept


def _decide(row: _Row, verdict: Verdict, settings: ImportSettings, found: ParsedRows) -> int | None:
    """Return the label of a row that was checked; None if the row is left out."""
    line, text = row.source.line, row.source.text
    decided = LABEL_OF.get(verdict.label)
    if row.label is None:
        if decided is None:
            found.undecided.append(Remark(line, f"undecided: {verdict.reason}" if verdict.reason else "undecided", text))
        else:
            found.labelled_by_check += 1
        return decided
    if decided is None:
        found.unchecked += 1
        return row.label
    if decided == row.label:
        found.confirmed += 1
        return row.label
    reason = f"the label is {_WORDS[row.label]}, but the check says {verdict.label} ({verdict.reason})"
    found.disagreements.append(Remark(line, reason, text))
    return {"keep": row.label, "correct": decided, "drop": None}[settings.disagreements]
