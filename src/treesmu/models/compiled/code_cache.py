"""Where compiled code is stored: in a folder whose name depends on all sources that were compiled.

Numba itself compares only the file of the function that Python calls, and would go on using old code after a change elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import numba

SOURCES = Path(__file__).parent


def source_digest() -> str:
    """Return a hash of everything that compiled code depends on: our sources and the version of Numba."""
    digest = sha256(numba.__version__.encode())
    for path in [SOURCES.parent / "normalise.py", *sorted(SOURCES.rglob("*.py"))]:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def code_folder() -> Path | None:
    """Return the folder of compiled code: beside the sources or, where they cannot be written to, in the user's cache."""
    name = source_digest()
    user_cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    for folder in (SOURCES / "__pycache__" / name, user_cache / "treesmu" / "compiled" / name):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return None


FOLDER = code_folder()


@contextmanager
def cache_folder() -> Iterator[bool]:
    """Let functions that are declared in this context be stored in the folder. Yields whether there is one."""
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(FOLDER or "")
    try:
        yield FOLDER is not None
    finally:
        numba.config.CACHE_DIR = before
