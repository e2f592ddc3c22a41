"""The cache of imported files: a file or folder given in place of a corpus is imported once, and found again by its content."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from treesmu.data import Dataset
from treesmu.data.corpus.columns import SEPARATORS
from treesmu.data.corpus.manifest import NAME, changed_files
from treesmu.errors import DataError, cannot_write
from treesmu.files import fresh_folder, lock_folder
from treesmu.json_files import read_json
from treesmu.parquet_files import column_names, local_path

from .columns import SPLITS
from .corpus import IMPORTER, TABLE, Progress, RunInOrder, import_corpus, import_table
from .report import ImportReport, count_of
from .settings import ImportSettings
from .sources import Source, find_sources
from .text_lines import read_lines

_REMEDY = "remove it, or set TREESMU_CACHE to another folder"
_PATIENCE = 60  # seconds to wait for a process that removes a damaged import
Tell = Callable[[str], None]  # called with each line for the user


def cache_folder() -> Path:
    """Return the folder of imported files: that of TREESMU_CACHE, or treesmu in the user's cache."""
    if own := os.environ.get("TREESMU_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "treesmu"


def is_corpus(path: Path) -> bool:
    """Return whether a path is a corpus folder: one with a manifest, or with the Parquet file of a split as we write it."""
    files = [path / f"{split}.parquet" for split in SPLITS]
    return path.is_dir() and ((path / NAME).exists() or any(file.exists() and not needs_import(file) for file in files))


def needs_import(path: Path) -> bool:
    """Return whether a file must be imported before Dataset.read can read it: whether it is no table as we write it.

    Where a file is not what its suffix says, Dataset.read says so.
    """
    if not path.is_file() or path.suffix not in _NAMES_IN:
        return path.exists()
    names = _NAMES_IN[path.suffix](path)
    return names is not None and not (names >= {"label", "depth", "size"} and names & {"prefix", "infix"})


def _names_in_jsonl(path: Path) -> set[str] | None:
    """Return the names in the first line; None if it is not JSON."""
    try:
        first = json.loads(next((line for line in read_lines(path) if line.strip()), "{}"))
        return set(first) if isinstance(first, dict) else set()
    except (ValueError, RecursionError):
        return None


def _names_in_text(path: Path) -> set[str]:
    """Return the names in the first line of CSV or TSV."""
    first = next(read_lines(path), "")
    return set(first.rstrip("\n").split(SEPARATORS[path.suffix]))


_NAMES_IN: dict[str, Callable[[Path], set[str] | None]] = {
    ".parquet": column_names,
    ".jsonl": _names_in_jsonl,
    ".csv": _names_in_text,
    ".tsv": _names_in_text,
}


def corpus_of(path: Path, run: RunInOrder, tell: Tell, progress: Progress = lambda _: None) -> Path:
    """Return a corpus folder for a path: the path itself, or the import of a file or a folder of files, made once."""
    if is_corpus(path):
        return path
    folder, manifest = _imported(path, import_corpus, run, progress)
    _tell_about(path, folder, manifest, tell)
    return folder


def read_equations(path: Path, run: RunInOrder, tell: Tell, progress: Progress = lambda _: None) -> Dataset:
    """Return all equations of a file, in its order; their ``row`` is the line in the file."""
    import pyarrow.parquet as pq

    folder, manifest = _imported(path, import_table, run, progress)
    _tell_about(path, folder, manifest, tell)
    line = pq.read_table(local_path(folder / TABLE), columns=["line"])["line"].to_numpy()
    return replace(Dataset.read(folder / TABLE, with_infix=True), source=str(path), row=line)


def _imported(path: Path, make: Callable[..., dict[str, Any]], run: RunInOrder, progress: Progress) -> tuple[Path, Any]:
    """Return the folder of an import in the cache and its manifest; it is made if it is not there, or is damaged."""
    sources, settings = find_sources([path]), ImportSettings()
    folder = cache_folder() / "imported" / _key(sources, settings, make.__name__)
    if manifest := _stored(folder):
        return folder, manifest
    try:
        _remove_damaged(folder)
        with fresh_folder(folder) as partial:
            manifest = make(sources, settings, partial, run, progress)
    except FileExistsError as error:  # another process was faster, or what is damaged cannot be removed
        if not (manifest := _stored(folder)):
            raise DataError(f"{folder}: a damaged import; {_REMEDY}") from error
    except OSError as error:
        fault = cannot_write(folder, error)
        raise type(fault)(f"{fault}; set TREESMU_CACHE to another folder") from error
    return folder, manifest


def _remove_damaged(folder: Path) -> None:
    """Remove a damaged import. Only one process does, after it has looked again: another one may have made it anew."""
    if folder.exists():
        with lock_folder(folder.parent, _PATIENCE):
            if not _stored(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _stored(folder: Path) -> dict[str, Any] | None:
    """Return the manifest of an import; None if there is none, or if it or one of its files is damaged."""
    try:
        manifest = read_json(folder / NAME, _REMEDY)
        is_whole = _summary(manifest)[1] > 0 and not changed_files(folder)
    except (DataError, LookupError, TypeError, AttributeError):
        return None
    return manifest if is_whole else None


def _key(sources: Sequence[Source], settings: ImportSettings, purpose: str) -> str:
    """Return the name of an import in the cache, which says which file it is of and depends on all that matters."""
    content = [(source.name, source.sha256) for source in sources]
    text = json.dumps([IMPORTER, purpose, asdict(settings), content])
    return f"{Path(sources[0].name).name[:40]}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _tell_about(path: Path, folder: Path, manifest: dict[str, Any], tell: Tell) -> None:
    report, rows = _summary(manifest)
    for line in report.lines():
        tell(line)
    tell(f"{path}: {count_of(rows, 'equation')} imported -> {folder}")


def _summary(manifest: dict[str, Any]) -> tuple[ImportReport, int]:
    """Return the report of an import and the number of its equations."""
    tables = (TABLE, *(f"{split}.parquet" for split in SPLITS))
    rows = sum(facts["rows"] for name, facts in manifest["files"].items() if name in tables)
    return ImportReport.from_json(manifest["import"]), rows
