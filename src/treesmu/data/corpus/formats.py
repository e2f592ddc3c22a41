"""Files <-> the columns of a Dataset: a corpus folder, Parquet, JSONL and the authors' JSON. docs/corpus.md has the columns."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from reprlib import repr as short
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from treesmu.errors import DataError
from treesmu.expr import VARIABLES, Expr, ParseError, from_prefix, parse
from treesmu.files import atomic_write

from .authors import by_depth, read_authors, write_authors

if TYPE_CHECKING:
    from .dataset import Dataset

ArrowTable = Any  # pyarrow has no types

SPLITS = ("train", "validation", "test")
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
_FILE_SCHEMA = pa.schema([pa.field(f.name, pa.string() if pa.types.is_large_string(f.type) else f.type) for f in SCHEMA])
_DEFAULTS = {"chain": -1, "split": "", "kind": ""}
_CHUNK = 10_000  # rows that are Python objects at the same time


def read(path: str | os.PathLike[str], split: str, with_infix: bool) -> ArrowTable:
    """The table of a file or of a corpus folder, complete: all columns of SCHEMA (infix if asked for) and ``row``."""
    path = Path(path)
    if not path.is_dir():
        return _read_file(path, with_infix)
    if split not in (*SPLITS, "all"):
        raise DataError(f"{path}: there is no split {split!r}; known: {', '.join(SPLITS)}, all")
    there = [name for name in SPLITS if (path / f"{name}.parquet").exists()]
    if not there:
        expected = ", ".join(f"{name}.parquet" for name in SPLITS)
        raise DataError(f"{path}: not a corpus folder (expected {expected}); make one with treesmu generate, or give a file")
    wanted = [name for name in SPLITS if split in (name, "all")]
    if missing := [name for name in wanted if name not in there]:
        raise DataError(f"{path}: there is no {missing[0]}.parquet; take a split that is there: {', '.join(there)}")
    tables = [_read_file(path / f"{name}.parquet", with_infix) for name in wanted]
    common = [name for name in tables[0].column_names if all(name in t.column_names for t in tables)]
    return pa.concat_tables([t.select(common) for t in tables])


def _read_file(path: Path, with_infix: bool) -> ArrowTable:
    readers: dict[str, Callable[[Path], ArrowTable]] = {
        ".parquet": lambda p: _read_parquet(p, with_infix),
        ".jsonl": _read_jsonl,
        ".json": _read_json,
    }
    if not path.exists():
        raise DataError(f"{path}: there is no such file or folder")
    try:
        table = readers[_suffix(path)](path)
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 text (byte {error.start})") from error
    return complete(table, str(path))


def _suffix(path: Path) -> str:
    """What kind of file it is."""
    if path.suffix not in (".parquet", ".jsonl", ".json"):
        raise DataError(f"{path}: unknown kind of file; give a corpus folder, .parquet, .jsonl or .json (the authors')")
    return path.suffix


def _read_parquet(path: Path, with_infix: bool) -> ArrowTable:
    try:
        with pq.ParquetFile(path) as file:
            given = file.schema_arrow.names
            names = [name for name in SCHEMA.names if name in given]
            if twice := [name for name in names if given.count(name) > 1]:
                raise DataError(f"{path}: there are {given.count(twice[0])} columns {twice[0]!r}; keep one of them")
            if with_infix or not {"prefix", "infix"} <= set(names):
                return file.read(columns=names)
            table = file.read(columns=[name for name in names if name != "infix"])
            return file.read(columns=names) if table["prefix"].null_count else table
    except pa.ArrowException as error:
        raise DataError(f"{path}: not a Parquet file: {str(error).splitlines()[0]}") from error


def _read_jsonl(path: Path) -> ArrowTable:
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise DataError(f"{path}, line {number}: not JSON: {error}; one object a line is expected") from error
            if not isinstance(record, dict):
                raise DataError(f"{path}, line {number}: not a JSON object with 'infix' or 'prefix', and 'label'")
            for name, column in columns.items():
                column.append(record.get(name))
    return pa.table(
        {name: _array(column, name, str(path)) for name, column in columns.items() if any(v is not None for v in column)}
    )


def _array(column: list[Any], name: str, source: str) -> Any:
    """A column of JSON values with our type."""
    wanted = str if pa.types.is_large_string(SCHEMA.field(name).type) else int
    for row, value in enumerate(column):
        if value is not None and (fault := _fault(value, wanted)):
            raise DataError(f"{source}, row {row}: {name!r} is {short(value)}, {fault}")
    return pa.array([int(v) if isinstance(v, bool) else v for v in column], pa.int64() if wanted is int else pa.large_string())


def _fault(value: Any, wanted: type) -> str:
    """Why a JSON value cannot be in a column of text or of whole numbers."""
    if not isinstance(value, wanted):
        return f"not {'text' if wanted is str else 'a whole number'}"
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return "too large a number; give one of at most 64 bits"
    if isinstance(value, str) and not value.isascii() and (found := re.search("[\ud800-\udfff]", value)):
        return f"not Unicode text; take {found.group()!r} out"
    return ""


def _read_json(path: Path) -> ArrowTable:
    examples = list(chain.from_iterable(read_authors(path)))
    return table_of((x.equation for x in examples), (int(x.label) for x in examples))


def table_of(equations: Iterable[Expr], labels: Iterable[int], kind: str = "", split: str = "") -> ArrowTable:
    """A table of equations that are already in memory."""
    found = list(equations)
    columns = {
        "prefix": pa.array((" ".join(e.prefix()) for e in found), pa.large_string()),
        "label": pa.array(map(int, labels), pa.int64()),  # `complete` knows what to say of a number that is too large
        "depth": pa.array((e.depth for e in found), pa.int64()),
        "size": pa.array((e.size for e in found), pa.int64()),
        "split": pa.array([split] * len(found), pa.large_string()),
        "kind": pa.array([kind] * len(found), pa.large_string()),
    }
    return pa.table(columns)


# -- what is missing ---------------------------------------------------------------------------------------------------


def complete(table: ArrowTable, source: str) -> ArrowTable:
    """The table with every column of SCHEMA, of its type and without nulls."""
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
    raise DataError(f"{source}, row {good}: {name!r} is {value}, which is no {wanted}; correct the row or leave it out")


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
    """The depths and the sizes of equations."""
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
    for start in range(0, len(column), _CHUNK):
        yield from column.slice(start, _CHUNK).to_pylist()


# -- writing -----------------------------------------------------------------------------------------------------------


def write(data: Dataset, path: str | os.PathLike[str]) -> None:
    """The data as a file, by the suffix of the path; wholly or not at all."""
    path = Path(path)
    if _suffix(path) == ".json":
        _write_json(data, path)
        return
    with atomic_write(path) as temporary:
        if path.suffix == ".parquet":
            with pq.ParquetWriter(temporary, _FILE_SCHEMA, compression="zstd") as file:
                for table in _tables(data):
                    file.write_table(table)
        else:
            with temporary.open("w", encoding="utf-8") as lines:
                for table in _tables(data):
                    lines.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in table.to_pylist())


def _tables(data: Dataset) -> Iterator[ArrowTable]:
    """The rows as tables, some at a time."""
    for start in range(0, len(data), _CHUNK):
        part = data.take(np.arange(start, min(start + _CHUNK, len(data))))
        columns = {name: pa.array(getattr(part, name)) for name in SCHEMA.names if name != "infix"}
        yield pa.table({**columns, "infix": part.texts()}).select(SCHEMA.names).cast(_FILE_SCHEMA)


def _write_json(data: Dataset, path: Path) -> None:
    numbered = {*VARIABLES}
    equations = (e if all(v.token in numbered for v in e.variables()) else e.canonical() for e in data.iter_expressions())
    labels = [None if label < 0 else bool(label) for label in data.label.tolist()]
    write_authors(path, by_depth(zip(equations, labels, strict=True)))
