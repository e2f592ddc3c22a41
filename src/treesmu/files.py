"""Files that are there whole or not at all."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from treesmu.errors import DataError


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """A temporary name for a file that appears under its own when it is complete."""
    temporary = path.parent / f"{path.name}.{secrets.token_hex(4)}.part"
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise DataError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # after the renaming it is gone
            temporary.unlink()


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """No other process is at work in this folder meanwhile, or a DataError. Who is killed gives it free."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DataError(f"{folder}: another process is at work in there; wait for it, or give a new folder") from None
        yield
    finally:
        os.close(descriptor)


def write_json(path: Path, content: Any) -> None:
    with atomic_write(path) as temporary:
        temporary.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
