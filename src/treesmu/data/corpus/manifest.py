"""The manifest of a corpus folder: the checksums of its files, and the check that they are those of the files."""

from __future__ import annotations

from pathlib import Path
from reprlib import repr as short
from typing import Any

from treesmu.errors import DataError
from treesmu.files import is_inside, sha256_of
from treesmu.json_files import read_json

NAME = "manifest.json"
_REMEDY = "make or copy the corpus again"
_NO_MANIFEST = f"{_REMEDY}, or remove {NAME} to use the files without checksums"


def described_files(corpus: Path) -> dict[str, Any]:
    """Return what the manifest says of each file, after checking that it is true: a run keeps these checksums.

    No manifest, one that names no files, and one that belongs to other files are a DataError.
    """
    if not (corpus / NAME).exists():
        raise DataError(f"{corpus}: there is no {NAME}; make a corpus that has one: treesmu data import {corpus} --out NEW")
    if changed := changed_files(corpus):
        raise DataError(changed[0])
    files = _files(corpus)
    if "train.parquet" not in files:
        raise DataError(f"{corpus / NAME}: does not name train.parquet; {_REMEDY}")
    return files


def changed_files(corpus: Path) -> list[str]:
    """Return one line for each file that differs from the manifest of a corpus folder; nothing if there is no manifest."""
    if not (corpus / NAME).exists():
        return []
    files = _files(corpus)
    if outside := [name for name in files if not is_inside(name)]:
        raise DataError(f"{corpus / NAME}: names {short(outside[0])}, which is not in the folder of the corpus; {_REMEDY}")
    wrong = {name: fault for name, facts in files.items() if (fault := _fault(corpus / name, facts["sha256"]))}
    return [f"{corpus / name}: {fault}; {_REMEDY}" for name, fault in wrong.items()]


def check_file(path: Path) -> None:
    """Raise a DataError if the manifest beside a file names it, and it is not the file that the manifest describes.

    So is a manifest without checksums: nobody would notice that a file has changed.
    """
    if not (path.parent / NAME).exists():
        return
    facts = _files(path.parent).get(path.name)
    if facts is not None and (fault := _fault(path, facts["sha256"])):
        raise DataError(f"{path}: {fault}; {_REMEDY}")


def _files(corpus: Path) -> dict[str, Any]:
    """Return what the manifest says of each file, its sha256 among it."""
    files = read_json(corpus / NAME, _NO_MANIFEST).get("files")
    if not isinstance(files, dict) or not all(map(_has_sha256, files.values())):
        raise DataError(f"{corpus / NAME}: has no sha256 of each file; {_NO_MANIFEST}")
    return files


def _has_sha256(facts: object) -> bool:
    return isinstance(facts, dict) and isinstance(facts.get("sha256"), str)


def _fault(path: Path, digest: str) -> str:
    """Return what is wrong with a file; "" if nothing is."""
    try:
        found = sha256_of(path)
    except OSError as error:
        return f"is in {NAME}, but cannot be read ({error.strerror})"
    return "" if found == digest else f"is not the file of {NAME} (sha256 {found[:12]}..., not {digest[:12]}...)"
