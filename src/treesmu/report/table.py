"""A table of a report: what its cells hold, and how they are written for people (formats.py) and for programs (CSV)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .numbers import Spread
from .paper import PaperValue


@dataclass(frozen=True)
class Compared:
    """A measure of ours with the paper's figure beside it, where it has one."""

    ours: Spread
    paper: PaperValue


Cell = str | int | float | Spread | Compared | None  # None: there is nothing to say, a dash


@dataclass(frozen=True)
class Column:
    """How the cells of a column are written: times scale, with so many digits. is_best: the highest of a group stands out."""

    title: str
    digits: int = 1
    scale: float = 1
    is_best: bool = False

    @classmethod
    def percent(cls, title: str, is_best: bool = False) -> Column:
        return cls(title, 1, 100, is_best)


@dataclass(frozen=True)
class Table:
    """name: of its files; keys: how many columns at the left say what a row is about, of which all but the last make groups."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    keys: int = 1
    is_wide: bool = False  # a page of its own on paper, across
    notes: tuple[str, ...] = field(default=())

    def groups(self) -> list[tuple[tuple[Cell, ...], list[tuple[Cell, ...]]]]:
        """Rows that follow one another and have the same keys but the last."""
        found: list[tuple[tuple[Cell, ...], list[tuple[Cell, ...]]]] = []
        for row in self.rows:
            head = row[: self.keys - 1]
            if not found or found[-1][0] != head:
                found.append((head, []))
            found[-1][1].append(row)
        return found

    def best(self, rows: list[tuple[Cell, ...]]) -> set[tuple[int, int]]:
        """The (row, column) of the highest means of a group, as they are written; where all are equal none stands out."""
        found: set[tuple[int, int]] = set()
        for c, column in enumerate(self.columns):
            found_means = [(r, mean(row[c])) for r, row in enumerate(rows)]
            means = {r: round(column.scale * value, column.digits) for r, value in found_means if value is not None}
            if column.is_best and len(set(means.values())) > 1:
                found |= {(r, c) for r, value in means.items() if value == max(means.values())}
        return found


def mean(cell: Cell) -> float | None:
    if isinstance(cell, Compared):
        cell = cell.ours
    if isinstance(cell, Spread):
        return cell.mean
    return cell if isinstance(cell, (int, float)) else None


def sd(cell: Cell) -> float | None:
    if isinstance(cell, Compared):
        cell = cell.ours
    return cell.sd if isinstance(cell, Spread) else None


def ours(cell: Cell, column: Column) -> str:
    """The mean as it is written."""
    value = mean(cell)
    if isinstance(cell, str):
        return cell
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(cell, int) else f"{column.scale * value:,.{column.digits}f}"


def plus_minus(cell: Cell, column: Column) -> str:
    """Its standard deviation as it is written; empty without one."""
    value = sd(cell)
    return "" if value is None else f"{column.scale * value:.{column.digits}f}"


def beside(cell: Compared, column: Column) -> tuple[str, str]:
    """The paper's figure, and how far ours is from it."""
    return str(cell.paper), f"{difference(cell, column):+.{column.digits}f}"


def difference(cell: Compared, column: Column) -> float:
    return column.scale * cell.ours.mean - cell.paper.mean
