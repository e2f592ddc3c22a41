"""Lines of text files: compressed or not, in UTF-8, UTF-16 or the encoding of old Windows programs."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from treesmu.errors import DataError

_COMPRESSIONS: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\x00": lzma.open, b"BZh": bz2.open}
EXPANSION = 200  # times that a compressed file may grow; text of equations grows 10 to 40 times
SMALL = 64 * 2**20  # bytes that any compressed file may become
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark is the beginning of this one
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_NOT_UTF8 = re.compile("[\udc80-\udcff]")  # what surrogateescape makes of bytes that are not UTF-8


@contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading bytes, decompressed if it is compressed; whatever goes wrong is a DataError."""
    try:
        with path.open("rb") as file:
            head = file.read(6)
        opener = next((opener for magic, opener in _COMPRESSIONS.items() if head.startswith(magic)), None)
        with (opener or open)(path, "rb") as file:
            yield file if opener is None else io.BufferedReader(_Bounded(file, path))
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise DataError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


class _Bounded(io.RawIOBase):
    """What a compressed file becomes, up to a size: a few bytes can become more than any memory holds."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self.file, self.path = file, path
        self.left = max(SMALL, EXPANSION * path.stat().st_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self.file.read(len(buffer))
        self.left -= len(content)
        if self.left < 0:
            raise DataError(f"{self.path}: becomes more than {EXPANSION} times as large; decompress it first, if you trust it")
        buffer[: len(content)] = content
        return len(content)


def read_head(path: Path, size: int = 4096) -> bytes:
    """Return the first bytes of a file, decompressed."""
    with open_bytes(path) as file:
        return file.read(size)


def is_text(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is text: whether it has hardly any control characters."""
    characters = head.decode(_encoding_of(head), "replace")
    return sum(ord(c) < 32 and c not in "\t\n\r\f\v" for c in characters) <= max(1, len(characters) // 30)


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file without their ends. A line that is not UTF-8 is read as Windows-1252."""
    encoding = _encoding_of(read_head(path))
    errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
    with open_bytes(path) as file, io.TextIOWrapper(file, encoding, errors) as lines:
        for line in lines:
            text = line.rstrip("\n")
            yield text if text.isascii() or not _NOT_UTF8.search(text) else _from_windows(text)


def _from_windows(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("cp1252", "replace")


def _encoding_of(head: bytes) -> str:
    """Return the encoding that a file's first bytes show: its byte order mark, or the zeros of UTF-16 without one."""
    for mark, encoding in _MARKS.items():
        if head.startswith(mark):
            return encoding
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if max(even, odd) > len(head) // 4:  # ASCII text in UTF-16: every second byte is zero
        return "utf-16-le" if odd > even else "utf-16-be"
    return "utf-8"
