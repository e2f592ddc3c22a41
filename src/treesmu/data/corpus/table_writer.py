"""Write labelled equations as Parquet, JSONL, CSV, TSV or the authors' JSON; a file is replaced completely or not at all."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path

import pyarrow.parquet as pq

from treesmu.expr import VARIABLES, Expr
from treesmu.files import atomic_write
from treesmu.parquet_files import local_path

from .authors import by_depth, write_authors
from .columns import FILE_SCHEMA, SEPARATORS, ArrowTable

IN_TEXT = ("infix", "label", "depth", "size", "kind", "split", "chain", "prefix")  # the columns of CSV and TSV, in this order


def write_tables(path: Path, tables: Iterable[ArrowTable]) -> None:
    """Write tables one after the other to a Parquet, JSONL, CSV or TSV file. They have the columns of FILE_SCHEMA."""
    with atomic_write(path) as temporary:
        if path.suffix == ".parquet":
            with pq.ParquetWriter(local_path(temporary), FILE_SCHEMA, compression="zstd") as file:
                for table in tables:
                    file.write_table(table)
        elif path.suffix in SEPARATORS:
            with temporary.open("w", encoding="utf-8", newline="") as text:
                rows = csv.DictWriter(text, IN_TEXT, delimiter=SEPARATORS[path.suffix], lineterminator="\n")
                rows.writeheader()
                for table in tables:
                    rows.writerows(table.to_pylist())
        else:
            with temporary.open("w", encoding="utf-8") as lines:
                for table in tables:
                    lines.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in table.to_pylist())


def write_authors_json(path: Path, equations: Iterable[Expr], labels: Iterable[int]) -> None:
    """Write equations and labels (-1: not known). An equation with a variable that has no number in the format is renamed."""
    numbered = {*VARIABLES}
    named = (e if all(v.token in numbered for v in e.variables()) else e.canonical() for e in equations)
    truth = (None if label < 0 else bool(label) for label in labels)
    write_authors(path, by_depth(zip(named, truth, strict=True)))
