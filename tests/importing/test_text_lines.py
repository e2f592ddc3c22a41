"""Lines are read from files in any common encoding, compressed or not."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treesmu.errors import DataError
from treesmu.importing import text_lines
from treesmu.importing.text_lines import is_text, read_head, read_lines

LINES = ["x² = x·x", "π = π", "", "y = 1"]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-32"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_encoding_with_any_line_ends(tmp_path: Path, encoding: str, end: str) -> None:
    path = tmp_path / "some.txt"
    path.write_bytes(end.join(LINES).encode(encoding))
    assert list(read_lines(path)) == LINES


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_recognised(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "some.txt"
    path.write_bytes("\n".join(LINES * 3).encode(encoding))
    assert list(read_lines(path)) == LINES * 3


def test_only_lines_that_are_not_utf8_are_read_as_windows_1252(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_bytes("x² = 1\n".encode("cp1252") + "π = π\n".encode())
    assert list(read_lines(path)) == ["x² = 1", "π = π"]


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress])
def test_compressed_files_are_read_whatever_their_name(tmp_path: Path, compress: object) -> None:
    path = tmp_path / "some.txt"
    path.write_bytes(compress("\n".join(LINES).encode()))  # type: ignore[operator]
    assert list(read_lines(path)) == LINES
    assert read_head(path, 2) == "x²".encode()[:2]


def test_a_cut_off_archive_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "some.txt.gz"
    path.write_bytes(gzip.compress(b"x = x\n" * 1000)[:-20])
    with pytest.raises(DataError, match=r"some\.txt\.gz: cannot be read"):
        list(read_lines(path))


@given(
    st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\n\ufeff\0")), min_size=1),
    st.sampled_from(ENCODINGS[:3]),
)
def test_whatever_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, lines: list[str], encoding: str) -> None:
    path = tmp_path_factory.getbasetemp() / "written.txt"
    path.write_bytes("".join(f"{line}\n" for line in lines).encode(encoding))
    assert list(read_lines(path)) == lines


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "cp1251", "latin-1"])
def test_text_in_any_encoding_is_text_and_noise_is_not(encoding: str) -> None:
    letters = "где x = é" if encoding.startswith("utf") else {"cp1251": "где x = 1", "latin-1": "é à ü = x"}[encoding]
    assert is_text(letters.encode(encoding) * 20)
    assert is_text(b"")
    assert not is_text(bytes(range(256)))
    assert not is_text(bytes(9))


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress])
def test_a_file_that_grows_without_bound_is_refused_before_it_fills_the_memory(
    tmp_path: Path, compress: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A megabyte of xz can become many gigabytes. Here: more than a megabyte, which is what any file may become."""
    monkeypatch.setattr(text_lines, "SMALL", 2**20)
    path = tmp_path / "bomb.txt"
    path.write_bytes(compress(b"x" * 2**24))  # type: ignore[operator]
    with pytest.raises(DataError, match=r"bomb\.txt: becomes more than 200 times as large; decompress it first"):
        list(read_lines(path))
    assert read_head(path, 10) == b"x" * 10  # the first bytes are harmless


def test_a_compressed_file_of_ordinary_text_is_not_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_lines, "SMALL", 0)
    lines = [f"sin({k}*x) = sin({k}*x) + {k % 7}" for k in range(20_000)]
    path = tmp_path / "many.txt.xz"
    path.write_bytes(lzma.compress("\n".join(lines).encode()))
    assert list(read_lines(path)) == lines
