"""Tables of a report: columns and cells, and the text of each cell, which formats.py arranges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from treesmu.task_names import Measure

from .figures.palette import model_name
from .numbers import Spread
from .paper import PaperValue
from .runs import SeedGroup


@dataclass(frozen=True)
class Compared:
    """A measure of ours with the paper's number."""

    ours: Spread
    paper: PaperValue


Cell = str | int | float | Spread | Compared | None  # None is shown as a dash
Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Column:
    """A column. Numbers are multiplied by scale and rounded to digits. has_best: the highest number of each block is bold."""

    title: str
    digits: int = 1
    scale: float = 1
    has_best: bool = False

    @classmethod
    def percent(cls, title: str, has_best: bool = False) -> Column:
        """Return a column of shares, shown in per cent."""
        return cls(title, 1, 100, has_best)

    @classmethod
    def of(cls, measure: Measure, title: str, has_best: bool = False) -> Column:
        """Return a column of a task's measure, or of its differences."""
        return cls(title, measure.digits, measure.scale, has_best)


@dataclass(frozen=True)
class Table:
    """A table. name: of its files; keys: how many columns identify a row; rows that agree in all but the last form a block."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    keys: int = 1
    is_wide: bool = False  # printed on a landscape page of its own
    notes: tuple[str, ...] = ()


def difference_columns(measure: Measure) -> tuple[Column, ...]:
    """Return the columns of a difference and of its interval."""
    title = "difference, points" if measure.is_share else f"difference of {measure.name}"
    return tuple(Column.of(measure, one) for one in (title, "95% from", "95% to"))


def for_measure(name: str, measure: Measure) -> str:
    """Return the name of a table with this measure; a table of accuracies has the name itself."""
    return name if measure.is_share else f"{name}-{measure.key}"


Columns = dict[Column, Callable[[SeedGroup], Cell]]
KEYS: Columns = {
    Column("corpus"): lambda group: group.condition.corpus,
    Column("recipe"): lambda group: group.condition.recipe,
    Column("model"): lambda group: model_name(group.model),
}


def groups_table(
    name: str,
    caption: str,
    groups: Iterable[SeedGroup],
    columns: Columns,
    notes: tuple[str, ...],
    keys: Columns = KEYS,
    is_wide: bool = False,
) -> Table:
    """Return a table with one row for each group of runs."""
    columns = keys | columns
    rows = tuple(tuple(cell(group) for cell in columns.values()) for group in groups)
    return Table(name, caption, tuple(columns), rows, len(keys), is_wide, notes)


# -- text --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CellText:
    """A cell as text. sd, paper, difference: empty if it has none."""

    value: str
    sd: str = ""
    paper: str = ""
    difference: str = ""
    is_best: bool = False


@dataclass(frozen=True)
class RowBlock:
    """Consecutive rows under a heading, without the columns that the heading repeats."""

    heading: str
    rows: list[list[CellText]]


def blocks(table: Table) -> Iterator[RowBlock]:
    """Yield the blocks of a table."""
    first = table.keys - 1
    for keys, group in groupby(table.rows, lambda row: row[:first]):
        rows = list(group)
        best = _best(table, rows)
        heading = " · ".join(f"{column.title} {cell}" for column, cell in zip(table.columns, keys, strict=False))
        cells = [[cell_text(row[c], table.columns[c], row[c] in best[c]) for c in range(first, len(row))] for row in rows]
        yield RowBlock(heading, cells)


def _best(table: Table, rows: list[Row]) -> list[list[Cell]]:
    """Return the cells of each column with the highest number as it is shown; none if all are equal."""
    found: list[list[Cell]] = []
    for c, column in enumerate(table.columns):
        shown = [(round(column.scale * value, column.digits), row[c]) for row in rows if (value := mean(row[c])) is not None]
        numbers = {number for number, _ in shown} if column.has_best else set()
        found.append([cell for number, cell in shown if len(numbers) > 1 and number == max(numbers)])
    return found


def cell_text(cell: Cell, column: Column, is_best: bool = False) -> CellText:
    """Return a cell as text, with the digits of its column."""
    value, deviation = mean(cell), sd(cell)
    if isinstance(cell, str):
        return CellText(cell)
    if value is None:
        return CellText("–")
    text = f"{value:,}" if isinstance(cell, int) else f"{column.scale * value:,.{column.digits}f}"
    around = "" if deviation is None else f"{column.scale * deviation:.{column.digits}f}"
    if not isinstance(cell, Compared):
        return CellText(text, around, is_best=is_best)
    return CellText(text, around, str(cell.paper), f"{difference(cell, column):+.{column.digits}f}", is_best)


# -- numbers -----------------------------------------------------------------------------------------------------------


def mean(cell: Cell) -> float | None:
    """Return the number of a cell, the mean if it has several seeds; None if it has no number."""
    cell = cell.ours if isinstance(cell, Compared) else cell
    return cell.mean if isinstance(cell, Spread) else None if isinstance(cell, str) else cell


def sd(cell: Cell) -> float | None:
    """Return the standard deviation of a cell, or None if it has none."""
    cell = cell.ours if isinstance(cell, Compared) else cell
    return cell.sd if isinstance(cell, Spread) else None


def difference(cell: Compared, column: Column) -> float:
    """Return how far our number is above the paper's."""
    return column.scale * cell.ours.mean - cell.paper.mean
