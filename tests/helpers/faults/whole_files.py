"""Whether every file of a folder is whole, what a finished folder promises to be equal, and what is left unfinished in it."""

from __future__ import annotations

import io
import json
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

TIMES = ("seconds", "equations_per_second", "nodes_per_second")
DEPENDS_ON_TIME = (  # what may differ between two runs: all else is promised to be equal, byte by byte
    "resume.safetensors",  # the seconds of each epoch
    "optuna.db",  # the times of trials, and how often each was begun
    "report.html", "record.tar.xz",  # the speed of training, and when the studies were begun
    "speed.md", "speed.csv", "speed.tex", "machines.md", "machines.csv", "machines.tex",
)  # fmt: skip


def unfinished(folder: Path) -> list[str]:
    """Return the temporary files and folders below a folder."""
    found = (path for path in folder.rglob("*") if path.name.endswith(".part") or ".partial-" in path.name)
    return sorted(str(path.relative_to(folder)) for path in found)


def require_whole(folder: Path) -> None:
    """Read every file below a folder but temporary ones; half a file fails."""
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        if path.is_file() and not path.name.endswith(".part") and not any(".partial-" in part for part in parts):
            _READERS.get(path.suffix, _text)(path)


def outcome(folder: Path) -> dict[str, Any]:
    """Return the files below a folder by name, without what depends on the time."""
    found: dict[str, Any] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = str(path.relative_to(folder))
        if path.name == "metrics.jsonl":
            lines = [json.loads(line) for line in path.read_text().splitlines()]
            found[name] = [{key: value for key, value in line.items() if key not in TIMES} for line in lines]
        elif path.name == "plan.json":
            found[name] = {key: value for key, value in json.loads(path.read_text()).items() if key != "begun"}
        else:
            found[name] = None if path.name in DEPENDS_ON_TIME else path.read_bytes()
    return found


def require_same(folder: Path, expected: dict[str, Any]) -> None:
    """Compare the files below a folder with an outcome, and name those that differ."""
    found = outcome(folder)
    missing, added = sorted(expected.keys() - found.keys()), sorted(found.keys() - expected.keys())
    changed = sorted(name for name in expected.keys() & found.keys() if found[name] != expected[name])
    assert not missing + added + changed, f"{folder.name}: missing {missing}, added {added}, changed {changed}"


def finished_parts(folder: Path) -> dict[str, bytes]:
    """Return what must never be lost: corpora that are made, runs that are tested, analyses, and all weights of tested runs."""
    found = [*folder.rglob("manifest.json"), *folder.glob("analyses/**/*.json")]
    for test in folder.rglob("test.json"):
        found += [test, test.with_name("model.safetensors"), test.with_name("predictions.parquet")]
    is_kept = (path for path in found if not any(".partial-" in part for part in path.parts))
    return {str(path.relative_to(folder)): path.read_bytes() for path in is_kept}


def _text(path: Path) -> None:
    assert path.read_text(encoding="utf-8").endswith("\n"), path


def _json(path: Path) -> None:
    json.loads(path.read_text())


def _lines(path: Path) -> None:
    for line in path.read_text().splitlines():
        json.loads(line)


def _weights(path: Path) -> None:
    from safetensors.torch import load  # loads PyTorch

    load(path.read_bytes())


def _ending(*ends: bytes) -> Callable[[Path], None]:
    def check(path: Path) -> None:
        assert path.read_bytes().rstrip().endswith(ends), path

    return check


def _database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:  # its own context manager leaves the file open
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)], path


def _archive(path: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes())) as archive:
        assert archive.getnames()


_READERS: dict[str, Callable[[Path], None]] = {
    ".json": _json,
    ".jsonl": _lines,
    ".parquet": lambda path: pq.read_table(path).validate(full=True),
    ".safetensors": _weights,
    ".html": _ending(b"</html>"),
    ".svg": _ending(b"</svg>"),
    ".pdf": _ending(b"%%EOF"),
    ".png": _ending(b"IEND\xaeB`\x82"),
    ".db": _database,
    ".db-journal": lambda _: None,  # SQLite's own: it undoes half a transaction
    ".xz": _archive,
}
