"""A file in place of a corpus is imported once, found again by its content, and made again if it is damaged."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from own_files import write_csv
from treesmu.data import Dataset
from treesmu.engine import open_executor
from treesmu.errors import DataError
from treesmu.expr import parse
from treesmu.importing.cache import cache_folder, corpus_of, is_corpus, needs_import, read_equations


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TREESMU_CACHE", str(tmp_path / "cache"))
    write_csv(tmp_path / "mine.csv", 40)
    return tmp_path / "mine.csv"


def call(function: Callable[..., Any], path: Path) -> tuple[Any, list[str]]:
    said: list[str] = []
    with open_executor("local", 1) as executor:
        return function(path, executor.in_order, said.append), said


def test_the_folder_of_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREESMU_CACHE", "/some/where")
    assert cache_folder() == Path("/some/where")
    monkeypatch.delenv("TREESMU_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_folder() == Path("/xdg/treesmu")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "treesmu"


def test_a_corpus_is_itself(file: Path) -> None:
    corpus, said = call(corpus_of, file)
    assert (is_corpus(corpus), is_corpus(file), is_corpus(file.parent)) == (True, False, False)
    assert said[-1] == f"{file}: 40 equations imported -> {corpus}"
    assert call(corpus_of, corpus) == (corpus, [])


def test_a_folder_of_parquet_files_with_other_columns_is_imported(file: Path) -> None:
    folder = file.parent / "hub"
    folder.mkdir()
    for split, number in (("train", 1), ("test", 7)):
        rows = [{"text": f"x + {number} = {number} + x", "target": 1}, {"text": f"x + {number} = x", "target": 0}] * 2
        pq.write_table(pa.Table.from_pylist(rows), folder / f"{split}.parquet")
    assert not is_corpus(folder)
    corpus, _ = call(corpus_of, folder)
    assert Dataset.read(corpus, "test").texts()[:2] == ["x + 7 = 7 + x", "x + 7 = x"]
    Dataset.of([parse("x = x")], [1]).write(folder / "train.parquet")
    assert is_corpus(folder)


def test_the_same_content_is_imported_once_and_other_content_anew(file: Path) -> None:
    first, said = call(corpus_of, file)
    made = (first / "train.parquet").stat().st_mtime_ns
    again, said_again = call(corpus_of, file)
    assert (again, said_again, (again / "train.parquet").stat().st_mtime_ns) == (first, said, made)
    write_csv(file, 44)
    other, _ = call(corpus_of, file)
    assert other != first
    assert len(Dataset.read(other, "all")) == 44
    assert len(list((file.parent / "cache" / "imported").iterdir())) == 2


DAMAGES = [("train.parquet", ""), *(("manifest.json", text) for text in ("", "[]", "{}", '{"files": {}, "import": {}}'))]


@pytest.mark.parametrize(("damage", "content"), DAMAGES)
def test_a_damaged_import_is_made_again(file: Path, damage: str, content: str) -> None:
    corpus, _ = call(corpus_of, file)
    before = {p.name: p.read_bytes() for p in corpus.iterdir()}
    (corpus / damage).write_text(content)
    call(corpus_of, file)
    assert {p.name: p.read_bytes() for p in corpus.iterdir()} == before


@pytest.mark.parametrize(("damage", "content"), DAMAGES)
def test_a_damaged_import_that_cannot_be_removed_is_not_used(
    file: Path, damage: str, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, _ = call(corpus_of, file)
    (corpus / damage).write_text(content)
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)
    with pytest.raises(DataError, match=f"^{corpus}: a damaged import; remove it, or set TREESMU_CACHE to another folder$"):
        call(corpus_of, file)


def test_a_file_is_read_in_its_order_with_its_line_numbers(file: Path) -> None:
    data, said = call(read_equations, file)
    assert (data.source, data.row.tolist()) == (str(file), list(range(2, 42)))
    assert data.texts()[0].startswith("sin(x)*2.1")
    assert data.where(3) == f"{file}, row 5"
    assert said[-1].startswith(f"{file}: 40 equations imported -> ")


def test_an_unwritable_cache_is_named_with_the_remedy(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREESMU_CACHE", str(file))  # a file is no folder
    with pytest.raises(DataError, match=r"cannot be written: .*; set TREESMU_CACHE to another folder"):
        call(corpus_of, file)


def test_a_failed_import_leaves_nothing(file: Path) -> None:
    file.write_text("equation,label\nx + 1,1\n")
    with pytest.raises(DataError, match="no equations could be read"):
        call(corpus_of, file)
    assert list((file.parent / "cache" / "imported").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        ("a.csv", "", True), ("a.txt", "", True), ("a.json.xz", "", True),
        ("a.jsonl", '{"infix": "x = x", "label": 1, "depth": 1, "size": 3}\n', False),
        ("a.jsonl", '{"infix": "x = x", "label": 1}\n', True), ("a.jsonl", '{"equation": "x = x", "label": 1}\n', True),
        ("a.jsonl", '{"infix": "x = x"}\n', True), ("a.jsonl", "no", False), ("a.parquet", "no", False),
        ("a.csv", "infix,label,depth,size\nx = x,1,1,3\n", False), ("a.tsv", "prefix\tlabel\tdepth\tsize\n", False),
        ("a.csv", "infix,label\nx = x,1\n", True), ("a.tsv", "infix,label,depth,size\nx = x,1,1,3\n", True),
        ("a.json", "[\n [], [", True), ("a.json", "no", True),
    ],
)  # fmt: skip
def test_only_tables_with_our_columns_are_read_as_they_are(tmp_path: Path, name: str, content: str, wanted: bool) -> None:
    (tmp_path / name).write_text(content)
    assert needs_import(tmp_path / name) is wanted
    assert not needs_import(tmp_path / "none.csv")
