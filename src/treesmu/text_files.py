"""Text files: read as UTF-8, or refused in one line; pipes and devices, which may have no end, up to a size."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from treesmu.errors import DataError, reason_of

MOST_STREAMED = 2**28  # bytes that are read from a pipe or a device


def read_text(path: Path) -> str:
    """Return the text of a file, or raise a DataError that names it. A byte order mark is left out.

    Of a pipe or a device, which may have no end, at most MOST_STREAMED bytes are read.
    """
    try:
        with path.open("rb") as file:
            is_regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            return _decode(file.read(), str(path)) if is_regular else read_stream(file, str(path))
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {reason_of(error)}") from error


def read_stream(file: IO[bytes], name: str) -> str:
    """Return the text of an open file that may have no end, or raise a DataError that names it."""
    content = file.read(MOST_STREAMED + 1)
    if len(content) > MOST_STREAMED:
        raise DataError(f"{name}: more than {MOST_STREAMED:,} bytes of a pipe or a device; save them in a file first")
    return _decode(content, name)


def _decode(content: bytes, name: str) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{name}: byte {error.start} is not UTF-8 text; save it as UTF-8") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def content_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their numbers, without empty lines and lines that begin with #."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line
