"""Tables of text (CSV, TSV): the separator, the header and the columns are found in a sample; rows keep their line numbers."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from treesmu.errors import DataError

from .columns import Columns, find_columns, is_known_name, share_of_equations
from .settings import ImportSettings

_SEPARATORS = ",;\t|"
_SAMPLE = 200  # lines
_MOST_JOINED = 20  # lines of one row: a quoted cell may contain the end of a line


class Row(NamedTuple):
    """A row of a table."""

    line: int  # where it begins, counted from 1
    cells: list[str]
    is_cut_off: bool = False  # whether a quote is not closed


@dataclass(frozen=True)
class Layout:
    """How a table is written."""

    separator: str
    names: tuple[str, ...]  # of the columns; their numbers where there is no header
    has_header: bool
    columns: Columns


def find_layout(lines: Iterable[str], settings: ImportSettings) -> Layout | None:
    """Return the layout of a table; None if no column has equations."""
    sample = list(islice((line for line in lines if line.strip()), _SAMPLE))
    found, failed = [], list[tuple[int, DataError | None]]()
    for separator in _SEPARATORS:
        try:
            if layout := _try(sample, separator, settings):
                found.append(layout)
            elif sample:
                failed.append((sample[0].count(separator), None))
        except DataError as error:  # with this separator there is no column of a name that was given
            failed.append((sample[0].count(separator), error))
    if failed and not found:
        _, fault = max(failed, key=lambda pair: pair[0])  # of the separator that occurs most
        if fault is not None:
            raise fault
    return max(found, key=lambda layout: _quality(sample, layout), default=None)


def _try(sample: list[str], separator: str, settings: ImportSettings) -> Layout | None:
    rows = [row.cells for row in split_rows(sample, separator)]
    if not rows:
        return None
    first = [cell.strip() for cell in rows[0]]
    wanted = [name for name in (settings.equation, settings.label) if name]
    has_header = any(name in first or name.partition(",")[0] in first for name in wanted) or any(map(is_known_name, first))
    if not has_header:  # unknown names are a header if no cell is an equation, and below it some are
        has_header = not any(share_of_equations(rows[:1], place) for place in range(len(first))) and len(rows) > 1
    width = len(first)
    names = tuple(first) if has_header else tuple(str(place) for place in range(1, width + 1))
    columns = find_columns(names, [row for row in rows[has_header:] if len(row) == width], settings)
    return Layout(separator, names, has_header, columns) if columns else None


def _quality(sample: list[str], layout: Layout) -> tuple[float, bool, int]:
    rows = [row.cells for row in split_rows(sample, layout.separator)][layout.has_header :]
    columns = layout.columns
    share = 1.0 if columns.is_prefix else share_of_equations(rows, *columns.equation)
    return share, columns.label is not None, -_SEPARATORS.index(layout.separator)


def split_rows(lines: Iterable[str], separator: str) -> Iterator[Row]:
    """Yield the rows of a table. A quoted cell may go on in the next lines; if it never ends, only its first line is bad."""
    remaining = _Lines(lines)
    for number, line in remaining:
        if not line.strip():
            continue
        text, cells = line, _cells(line, separator)
        joined = 0
        while cells is None and joined < _MOST_JOINED and (following := remaining.peek(joined)) is not None:
            joined += 1
            text = f"{text}\n{following}"
            cells = _cells(text, separator)
        if cells is None:
            yield Row(number, [line], is_cut_off=True)
        else:
            remaining.skip(joined)
            yield Row(number, cells)


def _cells(text: str, separator: str) -> list[str] | None:
    """Return the cells of a row; None if a quote is not closed."""
    try:
        return next(csv.reader([text], delimiter=separator, strict=True))
    except csv.Error as error:
        if "unexpected end" in str(error):
            return None
        return text.split(separator)  # a quote in the middle of a cell


class _Lines:
    """Numbered lines that can be looked at before they are taken."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines, self.ahead, self.number = iter(lines), list[str](), 0

    def __iter__(self) -> Iterator[tuple[int, str]]:
        while (line := self.peek(0)) is not None:
            self.skip(1)
            yield self.number, line

    def peek(self, place: int) -> str | None:
        """Return a line that follows; None after the end."""
        self.ahead += islice(self.lines, place + 1 - len(self.ahead)) if place >= len(self.ahead) else ()
        return self.ahead[place] if place < len(self.ahead) else None

    def skip(self, count: int) -> None:
        del self.ahead[:count]
        self.number += count
