"""The record of a report: one small archive of everything that the report is computed from."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

from treesmu.errors import DataError
from treesmu.files import atomic_write

from .folder import RUN_FILES, Folder

NAME = "record.tar.xz"


def require_unpacked(folder: Folder) -> None:
    """Raise a DataError if a folder has the record of runs but not the runs: its report and record would become empty."""
    if not folder.runs and _has_runs(folder.path / NAME):
        remedy = f"unpack it first: tar -xf {NAME} (in that folder, or in a copy of it)"
        raise DataError(f"{folder.path}: has no runs; those of its report are in {NAME}; {remedy}")


def write_record(folder: Folder) -> Path:
    """Write the record; ``treesmu report`` makes the same report from it once it is unpacked.

    It contains no corpora and no weights, and only what the folder contained when it was read: a run that has finished since
    is neither in the report nor in its record. The same files give the same bytes.
    """
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:xz", format=tarfile.PAX_FORMAT) as archive:
        for file in _files(folder):
            info = tarfile.TarInfo(file.relative_to(folder.path).as_posix())  # without owner and time
            info.size = file.stat().st_size
            archive.addfile(info, io.BytesIO(file.read_bytes()))
    with atomic_write(folder.path / NAME) as temporary:
        temporary.write_bytes(content.getvalue())
    return folder.path / NAME


def _has_runs(record: Path) -> bool:
    try:
        with tarfile.open(record) as archive:
            return any(name.startswith("runs/") for name in archive.getnames())
    except (OSError, tarfile.TarError):  # there is none, or it is damaged
        return False


def _files(folder: Folder) -> Iterator[Path]:
    yield folder.path / "plan.json"
    for run in sorted(folder.runs, key=lambda run: run.name):
        yield from (folder.path / "runs" / run.name / file for file in RUN_FILES)
    for study in folder.studies:
        yield from (folder.analysis_file(study.name, run) for run in sorted(study.analyses))
