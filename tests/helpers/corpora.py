"""Small corpora for the tests, in the documented schema, written without the code under test."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from treesmu.expr import Expr, parse

ROWS = [  # in the order of depth, as in a corpus
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
    """Write one Parquet file of equations."""
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
    """Write a corpus folder whose three splits are the same."""
    folder.mkdir(exist_ok=True)
    for split in ("train", "validation", "test"):
        write_split(folder / f"{split}.parquet", rows)
    return folder


def write_jsonl(path: Path, *records: object) -> Path:
    """Write one JSON value per line."""
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def write_manifest(folder: Path) -> Path:
    """Write the manifest of a corpus folder, with the hashes of its files only."""
    files = {p.name: {"sha256": hashlib.sha256(p.read_bytes()).hexdigest()} for p in sorted(folder.glob("*.parquet"))}
    (folder / "manifest.json").write_text(json.dumps({"files": files}))
    return folder


def many_rows(count: int, first: int = 0) -> list[tuple[str, int, str]]:
    """Return distinct small equations, always the same: half of them correct, some with decimals."""
    functions, names = ("sin", "cos", "exp", "tanh", "asinh", "sech", "atan"), "xyzwuvabcd"
    found = []
    for i in range(first, first + count):
        f, g = functions[i // 2 % 7], functions[i // 14 % 7]
        a, b, c = names[i // 2 % 9], names[(i // 2 + i // 98) % 10], names[(i // 2 + 1) % 9]
        wrong = i % 2
        left = f"{f}({a})*2.{i % 89 + 1}" if i % 11 == 0 else f"{f}({a} + {i // 980})" if i % 13 else f"{f}({a})"
        shown = left if not wrong else left.replace(f"({a}", f"({c}")
        right = f"{g}({b})" if i % 13 else b  # some are shallower
        found.append((f"{left} + {right} = {right} + {shown}", 1 - wrong, "rewrite" if not wrong else "near-miss"))
    return found


def write_small_corpus(folder: Path, train: int = 96, validation: int = 24, test: int = 24) -> Path:
    """Write a corpus that takes a moment to train on."""
    folder.mkdir(exist_ok=True)
    first = 0
    for split, count in {"train": train, "validation": validation, "test": test}.items():
        write_split(folder / f"{split}.parquet", many_rows(count, first))
        first += count
    return write_manifest(folder)
