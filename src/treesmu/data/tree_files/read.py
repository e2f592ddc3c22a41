"""Read files of trees into a TreeTable: JSONL, Parquet, brackets, a folder with a file for each split, or trees in memory.

A row has ``tree``, or ``left`` and ``right``; ``label``; and perhaps ``tags`` (a class for each node in preorder), ``split``
and ``depth``. A row that cannot be read is a DataError that names the file, the line and the remedy.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

import numpy as np

from treesmu.errors import DataError, one_line
from treesmu.parquet_files import check_rows, local_path
from treesmu.text_files import read_text

from .json_text import read_json
from .notation import add_brackets, add_tree
from .table import SPLITS, TableBuilder, TreeTable, check_text, joined

FORMATS = (".jsonl", ".ndjson", ".parquet", ".txt")
SPLIT_NAMES = {"train": "train", "training": "train", "dev": "validation", "valid": "validation", "val": "validation"} | {
    name: name for name in SPLITS
}
COLUMNS = ("tree", "left", "right", "label", "tags", "split", "depth")
_ROW = '{"tree": ["MAX", 2, ["MIN", 4, 7]], "label": 4}'
Row = Mapping[str, Any]


def read_trees(path: str | os.PathLike[str]) -> TreeTable:
    """Read a file, or a folder of files named after splits: train.jsonl, dev.jsonl, test.jsonl."""
    path = Path(path)
    if path.is_dir():
        return _read_folder(path)
    if not path.exists():
        raise DataError(f"{path}: there is no such file; give a file of trees: {', '.join(FORMATS)}")
    if path.suffix not in FORMATS:
        raise DataError(f"{path}: unknown kind of file of trees; known: {', '.join(FORMATS)}")
    if path.suffix in (".jsonl", ".ndjson"):
        table = _build(path, _json_rows(path), "line", add_row)
    elif path.suffix == ".parquet":
        table = _build(path, _parquet_rows(path), "row", add_row)
    else:
        table = _build(path, _lines(path), "line", _add_bracket_row)
    if not len(table):
        raise DataError(f"{path}: there are no trees; each row has one, such as {_ROW}")
    return table


def trees_in_memory(trees: Iterable[Any], labels: Iterable[Any] | None = None, tags: Any = None) -> TreeTable:
    """Return a table of trees in memory; a pair of trees is ``{"left": ..., "right": ...}``."""
    if isinstance(trees, str) or not isinstance(trees, Iterable):
        kind = DataError if isinstance(trees, str) else TypeError
        raise kind(f"expected a list of trees, such as [('MAX', 2, ('MIN', 4, 7))], not {shortened(trees)}")
    listed = list(trees)
    answers = [None] * len(listed) if labels is None else list_of("labels", labels)
    of_nodes = [None] * len(listed) if tags is None else list_of("tags", tags)
    for name, given in (("labels", answers), ("tags", of_nodes)):
        if len(given) != len(listed):
            raise DataError(f"there are {len(listed):,} trees, but {len(given):,} {name}; give one for each tree")
    rows = [
        (place, {**(tree if isinstance(tree, Mapping) else {"tree": tree}), "label": plain(answer), "tags": some})
        for place, (tree, answer, some) in enumerate(zip(listed, answers, of_nodes, strict=True))
    ]
    return _build("trees", iter(rows), "tree", add_row)


def list_of(name: str, given: Any) -> list[Any]:
    """Return answers as a list; anything else is a TypeError."""
    if not isinstance(given, Iterable):
        raise TypeError(f"{name} are a list with one for each tree, not {shortened(given)}")
    return list(given)


def _read_folder(folder: Path) -> TreeTable:
    tables = []
    for file in split_files(folder):
        table = read_trees(file)
        tables.append(replace(table, split=np.full(len(table), SPLIT_NAMES[file.stem.lower()])))
    return joined(tables, str(folder))


def split_files(folder: Path) -> list[Path]:
    """Return the files of a folder that are named after splits; a DataError if there are none, or two of one split."""
    files = [file for file in sorted(folder.iterdir()) if file.suffix in FORMATS and file.stem.lower() in SPLIT_NAMES]
    if not files:
        remedy = "name files after splits, such as train.jsonl, dev.jsonl and test.jsonl, or give one file"
        raise DataError(f"{folder}: there is no file of trees; {remedy}")
    of_split: dict[str, Path] = {}
    for file in files:
        other = of_split.setdefault(SPLIT_NAMES[file.stem.lower()], file)
        if other is not file:
            raise DataError(f"{folder}: {other.name} and {file.name} are both for one split; keep one of them")
    return files


# -- rows ----------------------------------------------------------------------------------------------------------------


def _build(path: Any, rows: Iterator[tuple[int, Any]], unit: str, add: Callable[[TableBuilder, Any, int], None]) -> TreeTable:
    """Return the table of all rows; a faulty one is named. add: adds a row to the builder."""
    builder = TableBuilder(str(path), unit)
    for number, row in rows:
        try:
            add(builder, row, number)
        except DataError as error:
            raise DataError(f"{path}, {unit} {number}: {error}") from None
    return builder.table()


def add_row(builder: TableBuilder, row: Row, number: int) -> None:
    """Add the row of a table: a mapping with the columns of the module's docstring."""
    if not isinstance(row, Mapping):
        raise DataError(f"a row is an object such as {_ROW}, not {shortened(row)}")
    tree, left, right = (row.get(name) for name in ("tree", "left", "right"))
    if (tree is None) == (left is None or right is None):
        raise DataError(
            f"a row has 'tree', or 'left' and 'right', such as {_ROW}; this one has: {', '.join(map(str, row)) or 'nothing'}"
        )
    first = len(builder.token)
    if tree is not None:
        depth = add_tree(builder, tree)
    else:
        builder.begin_pair()
        depth = max(add_tree(builder, left), add_tree(builder, right))
    if row.get("tags") is not None:
        _set_tags(builder, first, row["tags"])
    builder.finish_row(_answer(row.get("label")), _depth(row.get("depth"), depth), _split(row.get("split")), number)


def _add_bracket_row(builder: TableBuilder, text: str, number: int) -> None:
    root, depth = add_brackets(builder, text)
    builder.finish_row(root, depth, "", number)


def _set_tags(builder: TableBuilder, first: int, tags: Any) -> None:
    """Set the classes of the nodes of the last row. tags: one for each node in preorder, null where there is none."""
    nodes = len(builder.token) - first
    tags = tags.tolist() if isinstance(tags, np.ndarray) else tags
    if not isinstance(tags, list | tuple):
        raise DataError(f"'tags' is a list of classes, one for each node in preorder, not {shortened(tags)}")
    if len(tags) != nodes:
        raise DataError(f"'tags' has a class for each node in preorder, or null: {nodes} here, not {len(tags)}")
    builder.tag[first:] = [_answer(tag, "tags") for tag in tags]


def _answer(label: Any, name: str = "label") -> Any:
    label = plain(label)
    if isinstance(label, float) and not math.isfinite(label):
        raise DataError(f"{name!r} is {label}; write a finite number or a text, or null where there is none")
    if isinstance(label, str):
        check_text(label)
    elif label is not None and not isinstance(label, bool | int | float):
        raise DataError(f"{name!r} is text or a number, not {shortened(label)}")
    return label


def plain(value: Any) -> Any:
    """Return a scalar of NumPy as one of Python."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", None) == 0 else value


def _depth(given: Any, found: int) -> int:
    given = plain(given)
    if given is None:
        return found
    if type(given) is not int or not 0 <= given < 2**31:
        raise DataError(f"'depth' is a whole number that is not negative, not {shortened(given)}")
    return given


def _split(given: Any) -> str:
    if given is None or given == "":
        return ""
    if not isinstance(given, str) or given.lower() not in SPLIT_NAMES:
        raise DataError(f"'split' is one of {', '.join(SPLIT_NAMES)}, not {shortened(given)}")
    return SPLIT_NAMES[given.lower()]


# -- files -----------------------------------------------------------------------------------------------------------------


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if line.strip():
            yield number, line


def _json_rows(path: Path) -> Iterator[tuple[int, Any]]:
    for number, line in _lines(path):
        try:
            yield number, read_json(line)
        except json.JSONDecodeError as error:
            raise DataError(
                f"{path}, line {number}: not JSON: {one_line(error)}; a line is one object such as {_ROW}"
            ) from None
        except DataError as error:
            raise DataError(f"{path}, line {number}: {error}") from None
        except ValueError:  # Python refuses to read integers of thousands of digits
            raise DataError(f"{path}, line {number}: a number has too many digits; write it as text, or round it") from None


def _parquet_rows(path: Path) -> Iterator[tuple[int, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(local_path(path)) as file:
            check_rows(path, file.metadata.num_rows)
            names = [name for name in file.schema_arrow.names if name in COLUMNS]
            if not {"tree", "left", "right"} & {*names}:
                found = ", ".join(file.schema_arrow.names) or "nothing"
                raise DataError(f"{path}: there is no column 'tree', nor 'left' and 'right'; it has: {found}")
            number = 0
            for batch in file.iter_batches(10_000, columns=names):
                for row in batch.to_pylist():
                    yield number, row
                    number += 1
    except (OSError, UnicodeDecodeError, pa.ArrowException) as error:
        raise DataError(f"{path}: not a Parquet file: {one_line(error)}") from error
