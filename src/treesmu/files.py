"""Write files and folders atomically, read text line by line, lock folders, and describe files by their checksums."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import ENOTDIR
from os import strerror
from pathlib import Path
from typing import Any

from treesmu.errors import DataError


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a temporary path next to ``path`` to write to; it replaces ``path`` at the end, or is removed after an error."""
    temporary = path.parent / f"{path.name}.{secrets.token_hex(4)}.part"
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise DataError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # it is gone once it has been renamed
            temporary.unlink()


@contextmanager
def fresh_folder(out: Path) -> Iterator[Path]:
    """Yield a temporary folder to write to; it becomes ``out`` at the end, or is removed after an error."""
    out = out.resolve()
    if out.exists() and (not out.is_dir() or any(out.iterdir()) or out == Path.cwd()):
        raise FileExistsError(f"{out} exists already; choose another folder, or remove it first")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:  # a file is in the way; the other FileExistsError is for a folder that is not empty
        raise NotADirectoryError(ENOTDIR, strerror(ENOTDIR), str(out.parent)) from error
    partial = out.parent / f".{out.name}.partial-{secrets.token_hex(4)}"
    partial.mkdir()
    try:
        yield partial
        if out.exists():
            out.rmdir()
        os.replace(partial, out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock a folder, or raise a DataError if another process has locked it. The lock of a killed process is released."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DataError(f"{folder}: another process is using this folder; wait for it, or choose another folder") from None
        yield
    finally:
        os.close(descriptor)


def read_text(path: Path) -> str:
    """Return the text of a file, or raise a DataError that names it. A byte order mark is left out."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: byte {error.start} is not UTF-8 text; save it as UTF-8") from error


def content_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their numbers, without empty lines and lines that begin with #."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def write_json(path: Path, content: Any) -> None:
    """Write JSON to a file atomically."""
    with atomic_write(path) as temporary:
        temporary.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 checksum of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def column_names(path: Path) -> set[str] | None:
    """Return the names of the columns of a Parquet file; None if it is no Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return set(pq.read_schema(path).names)
    except (OSError, pa.ArrowException):
        return None


def describe_table(path: Path) -> dict[str, Any]:
    """Return the number of rows, the size and the checksum of a Parquet file, for the manifest of a corpus."""
    import pyarrow.parquet as pq

    return {"rows": pq.read_metadata(path).num_rows, "bytes": path.stat().st_size, "sha256": sha256_of(path)}
