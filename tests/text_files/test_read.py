"""Text is read whole or refused in one line, without waiting for the end of what has none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from treesmu.errors import DataError
from treesmu.text_files import content_lines, read_text


def test_text_is_read_without_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfx = \xc3\xa9\n")
    assert read_text(tmp_path / "a.txt") == "x = é\n"


def test_lines_of_any_system_end_alike(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a\r\nb\rc\n")
    assert read_text(tmp_path / "a.txt") == "a\nb\nc\n"


def test_a_device_without_an_end_is_not_read_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treesmu.text_files.MOST_STREAMED", 1000)
    with pytest.raises(DataError, match="/dev/zero: more than 1,000 bytes of a pipe or a device; save them in a file first"):
        read_text(Path("/dev/zero"))
    (tmp_path / "large.txt").write_text("x" * 2000)  # a file ends
    assert len(read_text(tmp_path / "large.txt")) == 2000


def test_a_pipe_is_read_to_its_end() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"x = x\n")
    os.close(writer)
    try:
        assert read_text(Path(f"/dev/fd/{reader}")) == "x = x\n"
    finally:
        os.close(reader)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"abc \xe9", "byte 4 is not UTF-8 text; save it as UTF-8"),
    ],
)
def test_a_file_that_is_not_text_is_named(content: bytes | None, message: str, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_text(file)
    assert str(caught.value) == f"{file}: {message}"


def test_empty_lines_and_comments_are_skipped_and_counted() -> None:
    assert list(content_lines("# first\n x = x \n\n \t\n  # more\n1 = 1 # not a comment\n")) == [
        (2, " x = x "),
        (6, "1 = 1 # not a comment"),
    ]


def test_only_line_ends_end_a_line() -> None:
    assert list(content_lines("x = x\x0c\u2028y\n1 = 1")) == [(1, "x = x\x0c\u2028y"), (2, "1 = 1")]
