"""Read a corpus folder, a Parquet, JSONL, CSV or TSV file or the authors' JSON as a table with all columns."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from reprlib import repr as short
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from treesmu.errors import DataError, one_line, reason_of
from treesmu.parquet_files import check_rows, local_path, valid_table

from .authors import read_authors
from .columns import SCHEMA, SEPARATORS, ArrowTable, file_format, fill_columns, table_from_exprs
from .manifest import check_file

SPLITS = ("train", "validation", "test")
LONGEST_CELL = 2**31 - 1  # characters; the csv module stops at 131,072 otherwise, and deep equations are longer
NO_PATH = "give a file of equations, or a corpus folder (of treesmu generate or treesmu data import)"


def read_table(path: str | os.PathLike[str], split: str, with_infix: bool) -> ArrowTable:
    """Return the table of a file or of a corpus folder, with all columns of SCHEMA (``infix`` if asked for) and ``row``."""
    path = Path(path)
    if not path.is_dir():
        return _read_file(path, with_infix)
    if split not in (*SPLITS, "all"):
        raise DataError(f"{path}: there is no split {split!r}; known: {', '.join(SPLITS)}, all")
    present = [name for name in SPLITS if (path / f"{name}.parquet").exists()]
    if not present:
        expected = ", ".join(f"{name}.parquet" for name in SPLITS)
        remedy = "give a file, or make a corpus: treesmu data import from your equations, treesmu generate from ours"
        raise DataError(f"{path}: not a corpus folder (expected {expected}); {remedy}")
    wanted = [name for name in SPLITS if split in (name, "all")]
    if missing := [name for name in wanted if name not in present]:
        raise DataError(f"{path}: there is no {missing[0]}.parquet; take a split that is there: {', '.join(present)}")
    tables = [_read_file(path / f"{name}.parquet", with_infix) for name in wanted]
    common = [name for name in tables[0].column_names if all(name in t.column_names for t in tables)]
    return pa.concat_tables([t.select(common) for t in tables])


def _read_file(path: Path, with_infix: bool) -> ArrowTable:
    readers: dict[str, Callable[[Path], ArrowTable]] = {
        ".parquet": lambda p: _read_parquet(p, with_infix),
        ".jsonl": _read_jsonl,
        ".csv": _read_text_table,
        ".tsv": _read_text_table,
        ".json": _read_json,
    }
    if not path.exists():
        raise DataError(f"{path}: there is no such file or folder; {NO_PATH}")
    try:
        return fill_columns(readers[file_format(path)](path), str(path))  # values of Parquet are decoded only now
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {reason_of(error)}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 text (byte {error.start})") from error


def _read_parquet(path: Path, with_infix: bool) -> ArrowTable:
    check_file(path)
    try:
        with pq.ParquetFile(local_path(path)) as file:
            check_rows(path, file.metadata.num_rows)
            given = file.schema_arrow.names
            names = [name for name in SCHEMA.names if name in given]
            if twice := [name for name in names if given.count(name) > 1]:
                raise DataError(f"{path}: there are {given.count(twice[0])} columns {twice[0]!r}; keep one of them")
            if with_infix or not {"prefix", "infix"} <= set(names):
                return valid_table(file.read(columns=names))
            table = valid_table(file.read(columns=[name for name in names if name != "infix"]))
            return valid_table(file.read(columns=names)) if table["prefix"].null_count else table
    except pa.ArrowException as error:
        raise DataError(f"{path}: not a Parquet file: {one_line(error)}") from error


def _read_jsonl(path: Path) -> ArrowTable:
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise DataError(f"{path}, line {number}: not JSON: {error}; expected one object per line") from error
            if not isinstance(record, dict):
                raise DataError(f"{path}, line {number}: not a JSON object with 'infix' or 'prefix', and 'label'")
            for name, column in columns.items():
                column.append(record.get(name))
    return pa.table(
        {name: _array(column, name, str(path)) for name, column in columns.items() if any(v is not None for v in column)}
    )


def _read_text_table(path: Path) -> ArrowTable:
    """Read CSV or TSV with the names of the columns in the first line, as :mod:`.table_writer` writes it."""
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
    csv.field_size_limit(LONGEST_CELL)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file, delimiter=SEPARATORS[path.suffix], strict=True)
        try:
            for record in rows:
                if None in record or None in record.values():
                    raise DataError(f"{path}, line {rows.line_num}: not as many cells as the first line has names")
                for name, column in columns.items():
                    column.append(_cell(record.get(name) or None, name))
        except csv.Error as error:
            fault = "a quote that is not closed, or text after a closing one; write a quote inside a cell twice"
            raise DataError(f"{path}, line {rows.reader.line_num}: {fault}") from error
    return pa.table(
        {name: _array(column, name, str(path)) for name, column in columns.items() if any(v is not None for v in column)}
    )


def _cell(text: str | None, name: str) -> Any:
    """Return the value of a cell: a whole number where the column has these, if it is one."""
    is_number = text is not None and pa.types.is_integer(SCHEMA.field(name).type) and re.fullmatch("[+-]?[0-9]{1,19}", text)
    return int(text) if text is not None and is_number else text


def _array(column: list[Any], name: str, source: str) -> Any:
    """Return a column of JSON values as text or as whole numbers."""
    wanted = str if pa.types.is_large_string(SCHEMA.field(name).type) else int
    for row, value in enumerate(column):
        if value is not None and (fault := _fault(value, wanted)):
            raise DataError(f"{source}, row {row}: {name!r} is {short(value)}, {fault}")
    return pa.array([int(v) if isinstance(v, bool) else v for v in column], pa.int64() if wanted is int else pa.large_string())


def _fault(value: Any, wanted: type) -> str:
    """Return why a JSON value cannot be in a column of text or of whole numbers; "" if it can."""
    if not isinstance(value, wanted):
        return f"not {'text' if wanted is str else 'a whole number'}"
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return "too large a number; give one of at most 64 bits"
    if isinstance(value, str) and not value.isascii() and (found := re.search("[\ud800-\udfff]", value)):
        return f"not Unicode text; remove {found.group()!r}"
    return ""


def _read_json(path: Path) -> ArrowTable:
    examples = list(chain.from_iterable(read_authors(path)))
    return table_from_exprs((x.equation for x in examples), (int(x.label) for x in examples))
