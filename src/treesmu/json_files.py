"""JSON files: read as objects, or refused in one line that names the file and the remedy; written atomically. Typed values."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from treesmu.errors import DataError, reason_of
from treesmu.files import atomic_write


def read_json(path: Path, remedy: str) -> dict[str, Any]:
    """Return the object in a JSON file. A file without one is a DataError of one line that ends with the remedy."""
    return _parse_object(_read_bytes(path, remedy), str(path), remedy)


def read_json_lines(path: Path, remedy: str) -> list[dict[str, Any]]:
    """Return the objects in a file with one of them per line. A line that is none is a DataError with its number."""
    lines = _read_bytes(path, remedy).splitlines()
    return [_parse_object(line, f"{path}, line {number}", remedy) for number, line in enumerate(lines, 1)]


def json_or_text(text: str) -> Any:
    """Return the value that somebody has typed: that of the JSON, if it can be read as such, otherwise the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()


def write_json(path: Path, content: Any) -> None:
    """Write JSON to a file atomically."""
    with atomic_write(path) as temporary:
        temporary.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def write_json_lines(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """Write objects to a file atomically, one per line."""
    with atomic_write(path) as temporary:
        temporary.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def _read_bytes(path: Path, remedy: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {reason_of(error)}; {remedy}") from error


def _parse_object(data: bytes, place: str, remedy: str) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):  # also text that is not UTF-8; lists nested too deep
        found = None
    if not isinstance(found, dict):
        raise DataError(f"{place}: damaged, not a JSON object; {remedy}")
    return found
