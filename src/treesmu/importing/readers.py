"""Readers of all formats: from a source to rows of text, each with its line, its label and its split as they are written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from reprlib import repr as short
from typing import Any, NamedTuple

from treesmu.data.corpus.authors import iter_equations
from treesmu.errors import DataError, one_line
from treesmu.parquet_files import check_rows, local_path

from .columns import Columns, find_columns, split_of_word
from .settings import ImportSettings
from .sources import Source
from .tables import find_layout, split_rows
from .text_lines import open_bytes, read_lines

_SAMPLE = 200  # records
_BATCH = 10_000  # rows of a Parquet file in memory


class SourceRow(NamedTuple):
    """An equation as it is written in a file."""

    line: int  # in the file, counted from 1; a row of Parquet, an example of JSON
    text: str
    label: str = ""  # "": there is none
    split: str = ""
    kind: str = ""
    is_prefix: bool = False
    fault: str = ""  # what is wrong with the line, if that is known already


@dataclass
class OpenSource:
    """The rows of a source, how it was understood, and what its lines are called in messages."""

    rows: Iterator[SourceRow]
    columns: str = ""  # for the report
    unit: str = "line"


def open_source(source: Source, settings: ImportSettings) -> OpenSource:
    """Open a file for reading rows; columns that cannot be found are a DataError."""
    if source.fault:
        raise DataError(source.fault)
    readers = {"table": _table, "text": _text, "jsonl": _jsonl, "json": _json, "parquet": _parquet}
    try:
        return readers[source.format](source, settings)
    except DataError as error:
        message = str(error)
        raise error if str(source.path) in message else DataError(f"{source.path}: {message}") from error


# -- text --------------------------------------------------------------------------------------------------------------


def _text(source: Source, settings: ImportSettings) -> OpenSource:
    del settings
    lines = ((number, line.strip()) for number, line in enumerate(read_lines(source.path), 1))
    rows = (SourceRow(number, line) for number, line in lines if line and not line.startswith("#"))
    return OpenSource(rows, "one equation per line; the check gives the label")


def _table(source: Source, settings: ImportSettings) -> OpenSource:
    layout = find_layout(read_lines(source.path), settings)
    if layout is None:
        first = next((line for line in read_lines(source.path) if line.strip()), "")
        raise _no_equations([first[:60]] if first else [])
    columns, width = layout.columns, len(layout.names)

    def rows() -> Iterator[SourceRow]:
        for row in islice(split_rows(read_lines(source.path), layout.separator), int(layout.has_header), None):
            cells = row.cells
            while len(cells) > width and not cells[-1].strip():
                cells.pop()
            if row.is_cut_off:
                yield SourceRow(row.line, cells[0], fault="a quote that is not closed")
            elif len(cells) > width:
                fault = f"{len(cells)} columns instead of {width}; put a cell that contains {layout.separator!r} in quotes"
                yield SourceRow(row.line, layout.separator.join(cells), fault=fault)
            else:
                yield _row(row.line, cells + [""] * (width - len(cells)), columns)

    return OpenSource(rows(), columns.described(layout.names))


def _row(line: int, cells: list[str], columns: Columns) -> SourceRow:
    """Return a row of a table with the columns that matter."""
    sides = [cells[place].strip() for place in columns.equation]
    label, split, kind = (cells[p].strip() if p is not None else "" for p in (columns.label, columns.split, columns.kind))
    if len(sides) == 2 and not all(sides):
        return SourceRow(line, " = ".join(sides), fault=f"there is no {'right' if sides[0] else 'left'} side")
    fault = f"the split is {short(split)}; write train, validation or test" if split and not split_of_word(split) else ""
    return SourceRow(line, " = ".join(sides), label, split_of_word(split), kind, columns.is_prefix, fault)


# -- records -----------------------------------------------------------------------------------------------------------


def _jsonl(source: Source, settings: ImportSettings) -> OpenSource:
    return _records(((n, _loads(line)) for n, line in enumerate(read_lines(source.path), 1) if line.strip()), settings)


def _loads(line: str) -> Any:
    """Return the value of a line of JSON, or an Exception that says what is wrong with it."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        return ValueError(f"not JSON: {error}")


def _json(source: Source, settings: ImportSettings) -> OpenSource:
    with open_bytes(source.path) as file:
        content = file.read()
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DataError(f"not JSON: {error}") from error
    if isinstance(data, list) and data and all(isinstance(x, dict) and isinstance(x.get("equation"), dict) for x in data):
        data = [data]  # the authors' examples in one list
    if isinstance(data, list) and all(isinstance(group, list) for group in data):
        return OpenSource(_examples(data), "the authors' format", "example")
    if isinstance(data, list):
        opened = _records(enumerate(data, 1), settings)
        return OpenSource(opened.rows, opened.columns, "record")
    raise DataError("neither a list of records nor the authors' lists of examples by depth")


def _examples(data: list[list[Any]]) -> Iterator[SourceRow]:
    for number, found in enumerate(iter_equations(data), 1):
        if isinstance(found, ValueError):
            yield SourceRow(number, "", fault=str(found))
        else:
            equation, label = found
            yield SourceRow(number, " ".join(equation.prefix()), _text_of(label), is_prefix=True)


def _records(numbered: Iterable[tuple[int, Any]], settings: ImportSettings) -> OpenSource:
    remaining = iter(numbered)
    sample = list(islice(remaining, _SAMPLE))
    names = list(dict.fromkeys(str(name) for _, record in sample if isinstance(record, dict) for name in record))
    texts = [[_text_of(record.get(name)) for name in names] for _, record in sample if isinstance(record, dict)]
    columns = find_columns(names, texts, settings) if names else Columns((0,))
    if columns is None:
        raise _no_equations(names)

    def rows() -> Iterator[SourceRow]:
        for number, record in chain(sample, remaining):
            if isinstance(record, Exception):
                yield SourceRow(number, "", fault=str(record))
            elif isinstance(record, str):
                yield SourceRow(number, record.strip())
            elif isinstance(record, dict) and names:
                yield _row(number, [_text_of(record.get(name)) for name in names], columns)
            else:
                yield SourceRow(number, str(record)[:100], fault="not an object with an equation and a label")

    return OpenSource(rows(), columns.described(names) if names else "one equation per line; the check gives the label")


def _text_of(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else value if isinstance(value, str) else str(value)


def _parquet(source: Source, settings: ImportSettings) -> OpenSource:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def records() -> Iterator[tuple[int, Any]]:
        try:
            with pq.ParquetFile(local_path(source.path)) as file:
                check_rows(source.path, file.metadata.num_rows)
                names = file.schema_arrow.names
                if twice := next((name for name in names if names.count(name) > 1), None):
                    raise DataError(f"{names.count(twice)} columns are named {twice!r}; rename or remove all but one")
                batches = (batch.to_pylist() for batch in file.iter_batches(_BATCH))
                yield from enumerate(chain.from_iterable(batches), 1)
        except (OSError, UnicodeDecodeError, pa.ArrowException) as error:
            raise DataError(f"{source.path}: not a Parquet file: {one_line(error)}") from error

    opened = _records(records(), settings)
    return OpenSource(opened.rows, opened.columns, "row")


def _no_equations(names: list[str]) -> DataError:
    if not names:
        return DataError("there are no equations: the file is empty")
    return DataError(f"no column of equations among: {', '.join(names)}; name it: treesmu data import ... --equation COLUMN")
