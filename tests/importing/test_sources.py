"""Files are found in folders, their format is known by content and suffix, and their names say their split."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora import write_corpus, write_manifest
from treesmu.errors import DataError
from treesmu.importing.sources import find_sources, split_of_name


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("40k_train.json", "train"), ("40k_val_shallow.json", "validation"), ("40k_test.json", "test"),
        ("Dev.csv", "validation"),
        ("training-2.csv", "train"), ("valid.tsv", "validation"), ("equations.csv", ""), ("latest.csv", ""),
        ("contrain.csv", ""),
        ("train_test.csv", ""), ("train/part1.csv", "train"), ("train/test.csv", "test"), ("eval.csv", ""),
    ],
)  # fmt: skip
def test_the_split_is_a_word_of_the_name(name: str, split: str) -> None:
    assert split_of_name(Path(name)) == split


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        ("a.csv", "equation,label\n", "table"), ("a.tsv", "x = x\t1\n", "table"), ("a.txt", "x = x\n", "text"),
        ("a.txt", "x = x\t1\n", "table"), ("a.txt", "equation;label\nx = x;1\n", "table"), ("a.txt", "log(x, 2) = y\n", "text"),
        ("a.txt", "x = x, 1\n", "table"), ("a.txt", "x = y; no\n", "table"), ("a.txt", "y = log(x, 1)\n", "text"),
        ("a.jsonl", '{"a": 1}\n', "jsonl"), ("a.json", '{"a": 1}\n{"a": 2}\n', "jsonl"), ("a.json", "[[]]", "json"),
        ("a.json", '{\n"a": 1}', "json"), ("a", '[{"a": 1}]', "json"), ("a.dat", "x = x\n", "text"), ("a.CSV", "x\n", "table"),
        ("a.dat", '{"a": 1}\n', "jsonl"), ("a.json", "", "json"),
    ],
)  # fmt: skip
def test_the_format_is_known(tmp_path: Path, name: str, content: str, wanted: str) -> None:
    (tmp_path / name).write_text(content)
    (source,) = find_sources([tmp_path / name])
    assert source.format == wanted
    digest = hashlib.sha256(content.encode()).hexdigest()
    assert source.describe() == {"name": name, "bytes": len(content), "sha256": digest, "format": wanted, "split": ""}


def test_parquet_is_known_by_its_content(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "data.bin")
    assert find_sources([tmp_path / "data.bin"])[0].format == "parquet"


@pytest.mark.parametrize("within", [".", "corpus", "corpus/test.parquet"])
def test_a_file_of_a_corpus_with_another_checksum_is_not_taken_for_a_file_of_equations(within: str, tmp_path: Path) -> None:
    write_manifest(write_corpus(tmp_path / "corpus"))
    assert find_sources([tmp_path / within])
    pq.write_table(pa.table({"equation": ["x = x"]}), tmp_path / "corpus" / "test.parquet")
    with pytest.raises(DataError, match=r"test\.parquet: is not the file of manifest\.json .*; make or copy the corpus again"):
        find_sources([tmp_path / within])


def test_folders_are_searched_for_known_files_in_order(tmp_path: Path) -> None:
    for name in ("b.csv", "a/test.txt", "README.md", ".hidden.csv", "manifest.json", "candidates.parquet", "c.json.xz"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = x\n")
    assert [(s.name, s.split) for s in find_sources([tmp_path])] == [("a/test.txt", "test"), ("b.csv", ""), ("c.json.xz", "")]


def test_what_cannot_be_imported_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "book.xlsx").write_bytes(b"PK\x03\x04")
    (tmp_path / "a.parquet").write_text("no")
    (tmp_path / "empty").mkdir()
    (tmp_path / "noise.csv").write_bytes(bytes(range(256)))
    os.mkfifo(tmp_path / "pipe.csv")
    for name, message in {
        "none.csv": "there is no such file or folder", "book.xlsx": "export the equations as CSV",
        "a.parquet": "not a Parquet file",
        "empty": "a folder without files of equations", "noise.csv": "neither text nor Parquet; give CSV",
        "pipe.csv": "neither a file nor a folder; save the equations to a file",
    }.items():  # fmt: skip
        with pytest.raises(DataError, match=message):
            find_sources([tmp_path / name])
    (tmp_path / "a.csv").write_text("x = x\n")
    with pytest.raises(DataError, match="given more than once"):
        find_sources([tmp_path / "a.csv", tmp_path / "empty" / ".." / "a.csv"])


def test_each_of_many_files_is_resolved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        (tmp_path / f"{number}.csv").write_text("x = x\n")
    resolved, resolve = list[Path](), Path.resolve
    monkeypatch.setattr(Path, "resolve", lambda path: resolved.append(path) or resolve(path))  # type: ignore[func-returns-value]
    assert len(find_sources([tmp_path])) == len(resolved) == 20
