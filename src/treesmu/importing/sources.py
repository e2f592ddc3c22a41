"""Sources: the files to import, found in folders too, each with its format and the split that its name says."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from treesmu.data.corpus.manifest import check_file
from treesmu.data.corpus.table_reader import NO_PATH
from treesmu.errors import DataError
from treesmu.files import sha256_of

from .columns import CORRECT, INCORRECT, split_of_word
from .text_lines import is_text, read_head, read_lines

_FORMATS = {
    **dict.fromkeys((".csv", ".tsv", ".tab"), "table"),
    **dict.fromkeys((".txt", ".text", ".tex"), "text"),
    **dict.fromkeys((".jsonl", ".ndjson"), "jsonl"),
    ".json": "json",
    ".parquet": "parquet",
}
_COMPRESSED = (".gz", ".xz", ".bz2")
_NO_EQUATIONS = ("blanks.parquet", "candidates.parquet", "manifest.json")  # further files of a corpus
KNOWN = "CSV, TSV, text, JSONL, Parquet or the authors' JSON"


@dataclass(frozen=True)
class Source:
    """A file to import."""

    path: Path
    name: str  # in messages and in the manifest: its path below the folder that was given, or the file's name
    split: str  # that its name says, or ""
    format: str  # table, text, jsonl, json or parquet
    sha256: str
    is_in_folder: bool = False  # whether a folder was given, in which it was found
    fault: str = ""  # why it cannot be read, if it is in a folder; a file that was given is refused at once

    def describe(self) -> dict[str, object]:
        """Return what the manifest says of it."""
        size = self.path.stat().st_size
        return {"name": self.name, "bytes": size, "sha256": self.sha256, "format": self.format, "split": self.split}


def find_sources(paths: Sequence[Path]) -> list[Source]:
    """Return the files to import: those given, and those in folders whose suffix is known."""
    found = [source for path in paths for source in _find(path)]
    times = Counter(resolved := [source.path.resolve() for source in found])
    if twice := [source for source, path in zip(found, resolved, strict=True) if times[path] > 1]:
        raise DataError(f"{twice[0].path}: given more than once; leave one out")
    return found


def _find(path: Path) -> list[Source]:
    if not path.exists():
        raise DataError(f"{path}: there is no such file or folder; {NO_PATH}")
    if not path.is_dir():
        return [_source(path, Path(path.name))]
    files = [file for file in sorted(path.rglob("*")) if file.is_file() and _is_wanted(file.relative_to(path))]
    if not files:
        raise DataError(f"{path}: a folder without files of equations; give {KNOWN}, or make a corpus: treesmu generate")
    return [_source(file, file.relative_to(path), is_in_folder=True) for file in files]


def _is_wanted(name: Path) -> bool:
    is_hidden = any(part.startswith(".") for part in name.parts)
    return not is_hidden and _suffix(name) in _FORMATS and name.name not in _NO_EQUATIONS


def _suffix(name: Path) -> str:
    """Return the suffix in lower case, without that of a compression."""
    suffix = name.suffix.lower()
    return Path(name.stem).suffix.lower() if suffix in _COMPRESSED else suffix


def _source(path: Path, name: Path, is_in_folder: bool = False) -> Source:
    if not path.is_file():  # a pipe cannot be read twice
        raise DataError(f"{path}: neither a file nor a folder; save the equations to a file, and give that")
    if _suffix(path) == ".parquet":
        check_file(path)  # a damaged file of a corpus is not one of somebody else's, whatever can be read of it
    try:
        digest = sha256_of(path)
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from error
    form, fault = "", ""
    try:
        form = _format_of(path)
    except DataError as error:
        if not is_in_folder:
            raise
        fault = str(error)
    return Source(path, name.as_posix(), split_of_name(name), form, digest, is_in_folder, fault)


def split_of_name(name: Path) -> str:
    """Return the split that a file's name says, such as 40k_val_shallow.json, or that of its folder; "" if none does."""
    return next((split for part in reversed(name.parts) if (split := split_of_word(part))), "")


# -- formats -----------------------------------------------------------------------------------------------------------


def _format_of(path: Path) -> str:
    """Return the format of a file, from its content where that is unmistakable, else from its suffix."""
    head = read_head(path).lstrip(b"\xef\xbb\xbf \t\r\n")
    by_suffix = _FORMATS.get(_suffix(path), "")
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"PK") or head.startswith(b"\xd0\xcf\x11\xe0"):
        raise DataError(f"{path}: a spreadsheet or a zip archive; export the equations as CSV, and give that file")
    if by_suffix == "parquet":
        raise DataError(f"{path}: not a Parquet file")
    if not is_text(head):
        raise DataError(f"{path}: neither text nor Parquet; give {KNOWN}")
    if head.startswith(b"{") and by_suffix != "text":
        return "json" if by_suffix == "json" and not _is_one_per_line(path) else "jsonl"
    if head.startswith(b"[") and by_suffix in ("", "json"):
        return "json"
    if by_suffix in ("jsonl", "json"):
        return by_suffix
    return by_suffix if by_suffix == "table" else _table_or_text(path)


def _is_one_per_line(path: Path) -> bool:
    """Return whether the first line is a JSON object of its own."""
    first = next((line for line in read_lines(path) if line.strip()), "")
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _table_or_text(path: Path) -> str:
    """Return "table" for text with tabs, with a first line of column names, or with a label at the end of the first line;
    other text is one equation per line."""
    first = next((line for line in read_lines(path) if line.strip() and not line.lstrip().startswith("#")), "")
    cells = [cell.strip(' "').lower() for cell in re.split(r"[,;|]", first)]
    has_label = cells[-1] in CORRECT | INCORRECT if "=" in first else "label" in cells
    return "table" if "\t" in first.strip() or (len(cells) > 1 and has_label) else "text"
