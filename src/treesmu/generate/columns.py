"""EquationColumns: checked equations as columns of text, labels, sizes and fingerprints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from treesmu.expr import Expr
from treesmu.expr.node import missing_from
from treesmu.expr.notation.infix import InfixMemo, infix_with_memo
from treesmu.expr.padding import Memo, count_padding

from .fingerprint import MAX_VARIABLES, Fingerprints


class CheckedEquation(NamedTuple):
    """An equation with the label that the check gave it."""

    equation: Expr
    label: int
    chain: int  # number of its chain within the shard
    kind: str  # "rewrite", "near-miss", "mutation", "slip", "filler" or "numeric"


@dataclass
class TextColumns:
    """The columns that every table has: its expressions as text."""

    prefix: list[str] = field(default_factory=list)
    infix: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.prefix)


@dataclass
class SizedColumns(TextColumns):
    """The columns of equations as text, with their depths and sizes."""

    depth: list[int] = field(default_factory=list)
    size: list[int] = field(default_factory=list)


@dataclass
class LabelledColumns(SizedColumns):
    """The columns that every table of labelled equations has."""

    label: list[int] = field(default_factory=list)
    kind: list[str] = field(default_factory=list)
    fingerprint: list[int] = field(default_factory=list)

    def append(self, e: Expr, prefix: str, infix: str, label: int, kind: str) -> None:
        """Add an equation, given as a tree and as text; fingerprints are computed for all equations together."""
        self.prefix.append(prefix)
        self.infix.append(infix)
        self.depth.append(e.depth)
        self.size.append(e.size)
        self.label.append(label)
        self.kind.append(kind)


@dataclass
class EquationColumns(LabelledColumns):
    """The columns of a table of checked equations."""

    chain: list[int] = field(default_factory=list)  # within the shard
    padding: list[int] = field(default_factory=list)  # number of nodes that are padding
    proposed: Counter[int] = field(default_factory=Counter)  # by depth, the equations that were checked
    undecided: Counter[int] = field(default_factory=Counter)  # by depth, those that the check could not decide

    def columns(self) -> list[list[Any]]:
        """Return the columns that have one entry per row."""
        return [
            self.prefix,
            self.infix,
            self.label,
            self.depth,
            self.size,
            self.chain,
            self.kind,
            self.padding,
            self.fingerprint,
        ]

    def extend(self, other: EquationColumns, chosen: list[int]) -> None:
        """Add the chosen rows of another table."""
        for column, others in zip(self.columns(), other.columns(), strict=True):
            column.extend([others[i] for i in chosen])

    def keep(self, chosen: list[int]) -> None:
        """Remove all rows but the chosen ones."""
        for column in self.columns():
            column[:] = [column[i] for i in chosen]


def make_columns(checked: Sequence[CheckedEquation], first_occurrence: bool) -> EquationColumns:
    """Return checked equations as columns, without those of more than four variables.

    first_occurrence: rename variables to x, y, z, w in the order of first occurrence.
    """
    rows = EquationColumns()
    prefixes: dict[Expr, str] = {}
    texts: InfixMemo = {}
    paddings: Memo = {}
    kept = [
        row._replace(equation=row.equation.canonical()) if first_occurrence else row
        for row in checked
        if len(row.equation.variables()) <= MAX_VARIABLES
    ]
    rows.fingerprint = Fingerprints().of([row.equation for row in kept]).tolist()
    for e, label, chain, kind in kept:
        rows.append(e, _prefix(e, prefixes), infix_with_memo(e, texts), label, kind)
        rows.chain.append(chain)
        rows.padding.append(count_padding(e, paddings))
    return rows


def _prefix(e: Expr, memo: dict[Expr, str]) -> str:
    for here in missing_from(memo, e):
        memo[here] = " ".join([here.token, *(memo[c] for c in here.children)])
    return memo[e]
