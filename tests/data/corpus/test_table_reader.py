"""Corpus folders and files of every format are read as columns, and a faulty file is reported in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora import ROWS, equations, write_corpus, write_jsonl, write_split
from treesmu.data import DataError, by_depth, write_authors
from treesmu.data.corpus.dataset import Dataset
from treesmu.expr import parse


def test_a_split_of_a_corpus_folder_is_read_as_columns(tmp_path: Path) -> None:
    data = Dataset.read(write_corpus(tmp_path), split="train")
    assert len(data) == len(ROWS)
    assert data.expressions() == equations()
    assert data.label.tolist() == [label for _, label, _ in ROWS]
    assert data.kind.tolist() == [kind for _, _, kind in ROWS]
    assert data.depth.tolist() == [e.depth for e in equations()]
    assert data.size.tolist() == [e.size for e in equations()]
    assert data.chain.tolist() == data.row.tolist() == list(range(len(ROWS)))
    assert set(data.split.tolist()) == {"train"}
    assert [data.label.dtype, data.depth.dtype, data.size.dtype, data.chain.dtype] == [np.int8, np.int16, np.int32, np.int64]


def test_all_splits_are_read_together_and_rows_keep_their_place(tmp_path: Path) -> None:
    data = Dataset.read(write_corpus(tmp_path), split="all")
    assert len(data) == 3 * len(ROWS)
    assert data.where(len(ROWS) + 2) == f"{tmp_path}, validation row 2"


def test_the_authors_files_are_read(tmp_path: Path) -> None:
    rows = [(e, bool(label)) for e, (_, label, _) in zip(equations(), ROWS, strict=True)]
    write_authors(tmp_path / "theirs.json", by_depth(rows))
    data = Dataset.read(tmp_path / "theirs.json")
    assert set(zip(data.expressions(), data.label.tolist(), strict=True)) == set(rows)
    assert np.all(np.diff(data.depth) >= 0)


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"infix": "x = x", "label": 1}, {"infix": "sin(x = 1", "label": 1}], "row 1: expected ')' before '=': 'sin(x = 1'"),
        ([{"infix": "x = x", "label": 2}], "row 0: the label is 2; give 1 (correct) or 0 (incorrect)"),
        ([{"infix": "x = x", "label": "yes"}], "row 0: 'label' is 'yes', not a whole number"),
        ([{"infix": "x = x", "label": 1}, {"infix": "x = x"}], "row 1: the label is None; give 1 (correct) or 0 (incorrect)"),
        ([{"label": 1, "infix": "x = x"}, {"label": 1}], "row 1: no equation: give 'infix' or 'prefix'"),
        ([{"infix": "x + 1", "label": 1}], "row 0: not an equation: 'Add x 1'"),
        ([{"prefix": "Equality x", "label": 1}], "row 0: Equality lacks an argument in 'Equality x'"),
        (
            [{"infix": "x = x", "label": 1, "depth": 1, "size": 3}] * 5
            + [{"infix": "x = x", "label": 1, "depth": 10**9, "size": 3}] * 3,
            "row 5: 'depth' is 1000000000, which is not of type int16; correct the row or leave it out",
        ),
        (
            [{"infix": "x = x", "label": 1}, {"infix": "x = x", "label": 1, "chain": 2**63}],
            "row 1: 'chain' is 9223372036854775808, too large a number; give one of at most 64 bits",
        ),
        ([{"infix": "\ud800 = x", "label": 1}], r"row 0: 'infix' is '\ud800 = x', not Unicode text; remove '\ud800'"),
        (
            [{"infix": "x = x", "label": 1}, {"prefix": "Equality x " + "sin " * 40_000 + "x", "label": 1}],
            "row 1: 'depth' is 40001, which is not of type int16; correct the row or leave it out",
        ),
        ([{"text": "x = x"}], "not a table of labelled equations: needed are 'label', and 'prefix' or 'infix'"),
        ([["x = x", 1]], "line 1: not a JSON object with 'infix' or 'prefix', and 'label'"),
    ],
)
def test_a_bad_jsonl_file_is_one_line_that_names_the_row(records: list[Any], message: str, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "bad.jsonl", *records)
    with pytest.raises(DataError) as error:
        Dataset.read(path)
    assert message in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def write_columns(path: Path, names: list[str], *columns: Any) -> Path:
    pq.write_table(pa.Table.from_arrays([pa.array(column) for column in columns], names=names), path)
    return path


@pytest.mark.parametrize(
    ("names", "columns", "message"),
    [
        (["prefix", "label", "label"], [["Equality x x"], [1], [0]], "there are 2 columns 'label'; keep one of them"),
        (["prefix", "label"], [["Equality x x"], [[1]]], "the column 'label' is of type list<element: int64>; make it int8"),
        (["prefix", "label"], [["Equality x x"] * 2, ["1", "yes"]], "row 1: 'label' is 'yes', which is not of type int8"),
        (["prefix", "label"], [["Equality " + "sin " * 40_000 + "x x"], [1]], "row 0: 'depth' is 40001, which is not of type"),
    ],
)
def test_a_bad_parquet_file_is_one_line(names: list[str], columns: list[Any], message: str, tmp_path: Path) -> None:
    path = write_columns(tmp_path / "bad.parquet", names, *columns)
    with pytest.raises(DataError) as error:
        Dataset.read(path)
    assert message in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_column_that_is_not_ours_may_be_there_twice(tmp_path: Path) -> None:
    path = write_columns(tmp_path / "some.parquet", ["prefix", "label", "note", "note"], ["Equality x x"], [1], ["a"], ["b"])
    assert Dataset.read(path).expressions() == [parse("x = x")]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.parquet", None, "there is no such file or folder"),
        ("some.xlsx", b"x", "unknown kind of file; give a corpus folder, .parquet, .jsonl, .csv, .tsv or .json (the authors')"),
        ("some.csv", b"x", "not a table of labelled equations: needed are 'label', and 'prefix' or 'infix'"),
        ("some.csv", b"infix,label\nx = x,1\nx = y\n", "line 3: not as many cells as the first line has names"),
        ("some.csv", b"infix,label\nx = x,yes\n", "row 0: 'label' is 'yes', not a whole number"),
        ("some.tsv", b'infix\tlabel\n"x = x" 1\t1\n', "line 2: a quote that is not closed, or text after a closing one; "),
        ("some.tsv", b"infix\tlabel\nx = x\t3\n", "row 0: the label is 3; give 1 (correct) or 0 (incorrect)"),
        ("some.parquet", b"no parquet at all", "not a Parquet file"),
        ("some.jsonl", b"{", "line 1: not JSON"),
        ("some.jsonl", b"\xff\xfe", "not UTF-8 text"),
        ("some.json", b"{}", "not a list of lists of examples"),
    ],
)
def test_what_is_no_data_is_said_in_one_line(name: str, content: bytes | None, message: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError) as error:
        Dataset.read(tmp_path / name)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_an_unknown_or_missing_split_is_named(tmp_path: Path) -> None:
    write_split(tmp_path / "test.parquet")
    with pytest.raises(DataError, match="there is no split 'tset'; known: train, validation, test, all"):
        Dataset.read(tmp_path, split="tset")
    for split in ("train", "all"):
        with pytest.raises(DataError, match=r"there is no train\.parquet; take a split that is there: test$"):
            Dataset.read(tmp_path, split=split)


def test_a_folder_without_tables_is_no_corpus(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing here")
    with pytest.raises(DataError) as error:
        Dataset.read(tmp_path)
    assert str(error.value) == (
        f"{tmp_path}: not a corpus folder (expected train.parquet, validation.parquet, test.parquet); "
        "give a file, or make a corpus: treesmu data import from your equations, treesmu generate from ours"
    )
