"""JSON files are read as objects, or refused in one line that names the file and the remedy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treesmu.errors import DataError
from treesmu.json_files import json_or_text, read_json, read_json_lines, write_json, write_json_lines

DAMAGED = [b"", b'{"a":', b"garbage", b"[]", b"5", b"null", b'"a"', b"\xff\xfe", b"[" * 200_000, b'{"a": ' + b"9" * 5000 + b"}"]


def test_json_is_written_with_a_line_end(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"a": [1, 2.5, None]})
    text = (tmp_path / "a.json").read_text()
    assert json.loads(text) == {"a": [1, 2.5, None]}
    assert text.endswith("}\n")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    lines = [{"a": [1, 2.5, None]}, {"b": "é\u2028"}]
    write_json(tmp_path / "a.json", lines[1])
    write_json_lines(tmp_path / "a.jsonl", lines)
    assert read_json(tmp_path / "a.json", "remedy") == lines[1]
    assert read_json_lines(tmp_path / "a.jsonl", "remedy") == lines


@pytest.mark.parametrize("content", DAMAGED, ids=lambda content: content[:6])
def test_a_file_that_is_not_a_json_object_is_named_with_the_remedy(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_json(file, "make it again")
    assert str(caught.value) == f"{file}: damaged, not a JSON object; make it again"


@pytest.mark.parametrize("content", [content for content in DAMAGED if content], ids=lambda content: content[:6])
def test_a_line_that_is_not_a_json_object_is_named_by_its_number(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'{"a": 1}\n' + content)
    with pytest.raises(DataError) as caught:
        read_json_lines(file, "make it again")
    assert str(caught.value) == f"{file}, line 2: damaged, not a JSON object; make it again"


def test_a_file_that_cannot_be_read_is_named_with_the_remedy(tmp_path: Path) -> None:
    for read in (read_json, read_json_lines):
        with pytest.raises(DataError, match=f"^{tmp_path}: cannot be read: Is a directory; make it again$"):
            read(tmp_path, "make it again")


@pytest.mark.parametrize(
    ("text", "value"),
    [("3", 3), ("1e-3", 0.001), ("true", True), ('"3"', "3"), ("[1, 2]", [1, 2]), (" dot ", "dot"), ("", ""), ("1,2", "1,2")],
)
def test_a_typed_value_is_json_or_text(text: str, value: object) -> None:
    assert json_or_text(text) == value


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5000])
def test_a_typed_value_that_json_cannot_hold_is_text(text: str) -> None:
    assert json_or_text(text) == text
