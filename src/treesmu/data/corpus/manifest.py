"""The manifest of a corpus folder: the checksums of its files, and the check that they are those of the files."""

from __future__ import annotations

import json
from pathlib import Path
from reprlib import repr as short
from typing import Any

from treesmu.errors import DataError
from treesmu.files import is_inside, sha256_of

NAME = "manifest.json"
_REMEDY = "make or copy the corpus again"


def described_files(corpus: Path) -> dict[str, Any]:
    """Return what the manifest says of each file, after checking that it is true: a run keeps these checksums.

    No manifest, one that names no files, and one that belongs to other files are a DataError.
    """
    if not (corpus / NAME).exists():
        raise DataError(f"{corpus}: there is no {NAME}; make a corpus that has one: treesmu data import {corpus} --out NEW")
    if changed := changed_files(corpus):
        raise DataError(changed[0])
    files: dict[str, Any] = _read(corpus)["files"]
    if "train.parquet" not in files:
        raise DataError(f"{corpus / NAME}: does not name train.parquet; {_REMEDY}")
    return files


def changed_files(corpus: Path) -> list[str]:
    """Return one line for each file that differs from the manifest of a corpus folder; nothing if there is no manifest."""
    if not (corpus / NAME).exists():
        return []
    try:
        expected = {name: facts["sha256"] for name, facts in _read(corpus)["files"].items()}
    except (LookupError, TypeError, AttributeError) as error:
        raise DataError(f"{corpus / NAME}: has no sha256 of each file; {_REMEDY}") from error
    if outside := [name for name in expected if not is_inside(name)]:
        raise DataError(f"{corpus / NAME}: names {short(outside[0])}, which is not in the folder of the corpus; {_REMEDY}")
    wrong = {name: fault for name, digest in expected.items() if (fault := _fault(corpus / name, digest))}
    return [f"{corpus / name}: {fault}; {_REMEDY}" for name, fault in wrong.items()]


def check_file(path: Path) -> None:
    """Raise a DataError if the manifest beside a file names it, and it is not the file that the manifest describes."""
    if not (path.parent / NAME).exists():
        return
    try:
        digest = _read(path.parent)["files"][path.name]["sha256"]
    except (LookupError, TypeError):
        return  # it does not name the file, or is not a manifest at all: described_files says so where it matters
    if fault := _fault(path, digest):
        raise DataError(f"{path}: {fault}; {_REMEDY}")


def _read(corpus: Path) -> Any:
    """Return the content of the manifest; None if it is not JSON."""
    try:
        return json.loads((corpus / NAME).read_bytes())
    except OSError as error:
        raise DataError(f"{corpus / NAME}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError):
        return None


def _fault(path: Path, digest: object) -> str:
    """Return what is wrong with a file; "" if nothing is."""
    try:
        found = sha256_of(path)
    except OSError as error:
        return f"is in {NAME}, but cannot be read ({error.strerror})"
    return "" if found == digest else f"is not the file of {NAME} (sha256 {found[:12]}..., not {str(digest)[:12]}...)"
