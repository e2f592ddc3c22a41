"""A tiny corpus for the tests, in the documented schema, written without the code under test."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from treesmu.expr import Expr, parse

ROWS = [  # by depth, as in a corpus
    ("x + y = y + x", 1, "rewrite"),
    ("x + y = y + z", 0, "near-miss"),
    ("sin(2.5) = 0.6", 1, "numeric"),
    ("sin(2.5) = 0.7", 0, "numeric"),
    ("sin(x)^2 + cos(x)^2 = 1", 1, "rewrite"),
    ("sin(x)^2 + cos(y)^2 = 1", 0, "mutation"),
    ("tan(x) = sin(x)/cos(x)", 1, "rewrite"),
    ("tan(x) = cos(x)/sin(x)", 0, "near-miss"),
]


def equations(rows: list[tuple[str, int, str]] | None = None) -> list[Expr]:
    return [parse(text) for text, _, _ in rows or ROWS]


def write_split(path: Path, rows: list[tuple[str, int, str]] | None = None) -> Path:
    """One Parquet file of equations."""
    found = equations(rows)
    columns = {
        "prefix": [" ".join(e.prefix()) for e in found],
        "infix": [str(e) for e in found],
        "label": pa.array([label for _, label, _ in rows or ROWS], pa.int8()),
        "depth": pa.array([e.depth for e in found], pa.int16()),
        "size": pa.array([e.size for e in found], pa.int32()),
        "chain": pa.array(range(len(found)), pa.int64()),
        "split": [path.stem] * len(found),
        "kind": [kind for _, _, kind in rows or ROWS],
    }
    pq.write_table(pa.table(columns), path, compression="zstd")
    return path


def write_corpus(folder: Path, rows: list[tuple[str, int, str]] | None = None) -> Path:
    """A corpus folder whose three splits are the same."""
    folder.mkdir(exist_ok=True)
    for split in ("train", "validation", "test"):
        write_split(folder / f"{split}.parquet", rows)
    return folder


def write_manifest(folder: Path) -> Path:
    """The manifest of a corpus folder, as far as it is about files."""
    files = {p.name: {"sha256": hashlib.sha256(p.read_bytes()).hexdigest()} for p in sorted(folder.glob("*.parquet"))}
    (folder / "manifest.json").write_text(json.dumps({"files": files}))
    return folder
