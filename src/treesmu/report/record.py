"""The record of a folder: all that its report is made from, as one small archive to be kept or published with it."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

from treesmu.files import atomic_write

from .folder import RUN_FILES, Folder

NAME = "record.tar.xz"


def write_record(folder: Folder) -> Path:
    """No corpora, no weights. Unpacked, ``treesmu report`` makes the same report of it; the same files give the same bytes.

    It has what the folder had when it was read: a run that has ended since is neither in the report nor in its record.
    """
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:xz", format=tarfile.PAX_FORMAT) as archive:
        for file in _files(folder):
            group = tarfile.TarInfo(file.relative_to(folder.path).as_posix())  # of no owner and no time
            group.size = file.stat().st_size
            archive.addfile(group, io.BytesIO(file.read_bytes()))
    with atomic_write(folder.path / NAME) as temporary:
        temporary.write_bytes(content.getvalue())
    return folder.path / NAME


def _files(folder: Folder) -> Iterator[Path]:
    yield folder.path / "plan.json"
    for run in sorted(folder.runs, key=lambda run: run.name):
        yield from (folder.path / "runs" / run.name / file for file in RUN_FILES)
    for study in folder.studies:
        yield from (folder.analysis(study.name, run) for run in sorted(study.analyses))
