"""The columns of a table of labelled equations (docs/reference/corpus.md): their types, and what a file may leave out.

This module and those that read and write tables load pyarrow; a Dataset imports them when it needs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from reprlib import repr as short
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from treesmu.errors import DataError
from treesmu.expr import Expr, ParseError, from_prefix, parse

ArrowTable = Any  # pyarrow has no types

SCHEMA = pa.schema(
    [
        ("prefix", pa.large_string()),  # large: in memory there may be more than 2 GB of text
        ("infix", pa.large_string()),
        ("label", pa.int8()),
        ("depth", pa.int16()),
        ("size", pa.int32()),
        ("chain", pa.int64()),
        ("split", pa.large_string()),
        ("kind", pa.large_string()),
    ]
)
FILE_SCHEMA = pa.schema([pa.field(f.name, pa.string() if pa.types.is_large_string(f.type) else f.type) for f in SCHEMA])
SEPARATORS = {".csv": ",", ".tsv": "\t"}  # of the cells of a table in text
_DEFAULTS = {"chain": -1, "split": "", "kind": ""}
CHUNK = 10_000  # rows that are Python objects at the same time


def file_format(path: Path) -> str:
    """Return the format of a file, which is its suffix; raise a DataError for an unknown one."""
    if path.suffix not in (".parquet", ".jsonl", ".csv", ".tsv", ".json"):
        raise DataError(
            f"{path}: unknown kind of file; give a corpus folder, .parquet, .jsonl, .csv, .tsv or .json (the authors')"
        )
    return path.suffix


def table_from_exprs(equations: Iterable[Expr], labels: Iterable[int], kind: str = "", split: str = "") -> ArrowTable:
    """Return equations in memory as a table; ``fill_columns`` adds the columns that it lacks."""
    found = list(equations)
    columns = {
        "prefix": pa.array((" ".join(e.prefix()) for e in found), pa.large_string()),
        "label": pa.array(map(int, labels), pa.int64()),  # fill_columns has the message about a number that is too large
        "depth": pa.array((e.depth for e in found), pa.int64()),
        "size": pa.array((e.size for e in found), pa.int64()),
        "split": pa.array([split] * len(found), pa.large_string()),
        "kind": pa.array([kind] * len(found), pa.large_string()),
    }
    return pa.table(columns)


def fill_columns(table: ArrowTable, source: str) -> ArrowTable:
    """Return the table with every column of SCHEMA, of its type and without nulls, and with the column ``row``.

    ``infix`` is optional: it is left out where a row lacks it. source: the name of the table in errors.
    """
    names = table.column_names
    if "label" not in names or not {"prefix", "infix"} & set(names):
        raise DataError(f"{source}: not a table of labelled equations: needed are 'label', and 'prefix' or 'infix'")
    columns = {name: _cast(table[name], name, source) for name in names}
    _require_labels(columns["label"], source)
    if "prefix" not in names or columns["prefix"].null_count:
        columns["prefix"] = _prefix_from_infix(columns, source)
    if columns.get("infix") is not None and columns["infix"].null_count:
        del columns["infix"]
    starts = pc.starts_with(columns["prefix"], "Equality ")
    if (row := pc.index(starts, False).as_py()) >= 0:
        raise DataError(f"{source}, row {row}: not an equation: {short(columns['prefix'][row].as_py())}")
    if any(name not in columns or columns[name].null_count for name in ("depth", "size")):
        columns["depth"], columns["size"] = _measure(columns["prefix"], source)
    rows = table.num_rows
    for name, value in _DEFAULTS.items():
        given = columns.get(name)
        columns[name] = pa.chunked_array([pa.array([value] * rows)]) if given is None else pc.fill_null(given, value)
    columns = {name: _cast(columns[name], name, source) for name in SCHEMA.names if name in columns}
    return pa.table({**columns, "row": np.arange(rows)})


def _cast(column: Any, name: str, source: str) -> Any:
    """Return a column cast to its type; an error names the first value that cannot be cast, found by bisection."""
    wanted = SCHEMA.field(name).type
    if _can_cast(column, wanted):
        return column.cast(wanted)
    if not _can_cast(column.slice(0, 0), wanted):
        raise DataError(f"{source}: the column {name!r} is of type {column.type}; make it {wanted}")
    good, bad = 0, len(column)  # rows before `good` can be cast, and one before `bad` cannot
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if _can_cast(column.slice(good, middle - good), wanted) else (good, middle)
    value = short(column[good].as_py())
    raise DataError(
        f"{source}, row {good}: {name!r} is {value}, which is not of type {wanted}; correct the row or leave it out"
    )


def _can_cast(column: Any, wanted: Any) -> bool:
    try:
        column.cast(wanted)
    except pa.ArrowException:
        return False
    return True


def _require_labels(labels: Any, source: str) -> None:
    known = pc.fill_null(pc.is_in(labels, value_set=pa.array([-1, 0, 1], pa.int8())), False)
    if (row := pc.index(known, False).as_py()) >= 0:
        raise DataError(f"{source}, row {row}: the label is {labels[row].as_py()}; give 1 (correct) or 0 (incorrect)")


def _prefix_from_infix(columns: dict[str, Any], source: str) -> Any:
    """Return the column ``prefix``, with missing entries made from ``infix``."""
    given: list[str | None] = columns["prefix"].to_pylist() if "prefix" in columns else [None] * len(columns["label"])
    texts = columns["infix"].to_pylist() if "infix" in columns else [None] * len(given)
    for row, text in enumerate(texts):
        if given[row] is not None:
            continue
        if text is None:
            raise DataError(f"{source}, row {row}: no equation: give 'infix' or 'prefix'")
        try:
            given[row] = " ".join(parse(text).prefix())
        except ParseError as error:
            raise DataError(f"{source}, row {row}: {error.message}: {short(text)}") from error
    return pa.chunked_array([pa.array(given, pa.large_string())])


def _measure(prefix: Any, source: str) -> tuple[Any, Any]:
    """Return the depths and the sizes of equations."""
    found: list[tuple[int, int]] = []
    for text in _values(prefix):
        try:
            e = from_prefix(text.split())
        except ValueError as error:
            raise DataError(f"{source}, row {len(found)}: {error}") from error
        found.append((e.depth, e.size))
    both = np.array(found, np.int64).reshape(-1, 2)
    return pa.chunked_array([both[:, 0]]), pa.chunked_array([both[:, 1]])


def _values(column: Any) -> Iterator[Any]:
    """Yield the values of a column as Python objects, one chunk of rows in memory at a time."""
    for start in range(0, len(column), CHUNK):
        yield from column.slice(start, CHUNK).to_pylist()
