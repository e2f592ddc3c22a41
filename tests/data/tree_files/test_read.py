"""Files of trees are read; a row that cannot be read is named with file, line and remedy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from treesmu.data import DataError
from treesmu.data.tree_files.read import read_trees, trees_in_memory

ROWS = [
    {"tree": ["MAX", 2, ["MIN", 4, 7]], "label": 4, "split": "train", "depth": 9},
    {"tree": "(MAX 2 3)", "label": 3, "split": "dev"},
    {"tree": "7", "label": 7, "split": "test"},
]


def _jsonl(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8")
    return path


def test_jsonl_has_trees_labels_splits_and_depths(tmp_path: Path) -> None:
    table = read_trees(_jsonl(tmp_path / "a.jsonl", [ROWS[0], "", *ROWS[1:]]))
    assert (table.answer.tolist(), table.split.tolist()) == ([4, 3, 7], ["train", "validation", "test"])
    assert (table.depth.tolist(), table.row.tolist(), table.size.tolist()) == ([9, 1, 0], [1, 3, 4], [5, 3, 1])


def test_parquet_has_the_same_columns(tmp_path: Path) -> None:
    columns = {
        "tree": ["(MAX 2 (MIN 4 7))", "(MAX 2 3)", "7"],
        "label": [4, 3, 7],
        "split": ["train", "dev", "test"],
        "other": [1, 2, 3],
    }
    pq.write_table(pa.table(columns | {"depth": [9, None, None]}), tmp_path / "a.parquet")
    found, wanted = read_trees(tmp_path / "a.parquet"), read_trees(_jsonl(tmp_path / "a.jsonl", ROWS))
    assert (found.token.tolist(), found.arity.tolist(), found.answer.tolist()) == (
        wanted.token.tolist(),
        wanted.arity.tolist(),
        [4, 3, 7],
    )
    assert (found.depth.tolist(), found.split.tolist()) == (wanted.depth.tolist(), wanted.split.tolist())


def test_brackets_are_labelled_by_the_root_and_tagged_at_every_node(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("(3 (2 It) (4 works))\n\n(1 bad)\n", encoding="utf-8")
    table = read_trees(tmp_path / "train.txt")
    assert (table.answer.tolist(), table.tag is not None and table.tag.tolist()) == (["3", "1"], ["3", "2", "4", "1"])
    assert read_trees(tmp_path).split.tolist() == ["train", "train"]  # a folder of files that are named after splits


def test_a_folder_needs_a_file_of_a_split(tmp_path: Path) -> None:
    _jsonl(tmp_path / "others.jsonl", ROWS)
    with pytest.raises(DataError, match="there is no file of trees; name files after splits"):
        read_trees(tmp_path)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "line 2: not JSON: .*; a line is one object such as"),
        ("[1]", "line 2: a row is an object such as"),
        ({"label": 1}, "line 2: a row has 'tree', or 'left' and 'right'"),
        ({"tree": "x", "left": "x", "right": "y"}, "line 2: a row has 'tree', or 'left' and 'right'"),
        ({"tree": [], "label": 1}, "line 2: an empty list is no tree"),
        ({"tree": "(f", "label": 1}, "line 2: the tree is not complete"),
        ({"tree": "x", "label": [1]}, "line 2: 'label' is text or a number"),
        ({"tree": "x", "split": "later"}, "line 2: 'split' is one of train, "),
        ({"tree": "x", "depth": -1}, "line 2: 'depth' is a whole number"),
        ({"tree": "(f x)", "tags": ["a"]}, "line 2: 'tags' has a class for each node in preorder, or null: 2 here, not 1"),
    ],
)
def test_a_bad_row_is_named_with_its_line(tmp_path: Path, row: Any, message: str) -> None:
    path = _jsonl(tmp_path / "a.jsonl", [ROWS[0], row])
    with pytest.raises(DataError, match=message) as error:
        read_trees(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_missing_and_unknown_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such file"):
        read_trees(tmp_path / "none.jsonl")
    (tmp_path / "a.docx").write_text("x", encoding="utf-8")
    with pytest.raises(DataError, match="unknown kind of file"):
        read_trees(tmp_path / "a.docx")
    (tmp_path / "a.parquet").write_text("x", encoding="utf-8")
    with pytest.raises(DataError, match="not a Parquet file"):
        read_trees(tmp_path / "a.parquet")
    with pytest.raises(DataError, match="there are no trees"):
        read_trees(_jsonl(tmp_path / "empty.jsonl", []))


def test_trees_in_memory_need_a_label_each() -> None:
    with pytest.raises(DataError, match="there are 2 trees, but 1 labels"):
        trees_in_memory(["x", "y"], [1])
    with pytest.raises(DataError, match="expected a list of trees"):
        trees_in_memory("(f x)")
    for wrong in ({"trees": None}, {"trees": ["x"], "labels": 5}, {"trees": ["x"], "tags": 5}):
        with pytest.raises(TypeError, match="a list"):
            trees_in_memory(**wrong)  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"a row has 'tree', or 'left' and 'right', .*; this one has: 1, label, tags"):
        trees_in_memory([{1: 2}])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"tree": "x", "label": NaN}', "line 2: 'label' is nan; write a finite number"),
        ('{"tree": "x", "label": Infinity}', "line 2: 'label' is inf; write a finite number"),
        ('{"tree": "x", "tags": [NaN]}', "line 2: 'tags' is nan; write a finite number"),
        ('{"tree": "x", "tags": [[1]]}', r"line 2: 'tags' is text or a number, not \[1\]"),
        ('{"tree": "x", "tags": {"a": 1}}', "line 2: 'tags' is a list of classes"),
        ('{"tree": "x", "label": "\\ud800"}', "line 2: the text .* has half a character"),
        ('{"tree": ["f", "\\ud800"], "label": 1}', "line 2: the text .* has half a character"),
    ],
)
def test_answers_and_labels_are_finite_whole_text(tmp_path: Path, row: str, message: str) -> None:
    path = _jsonl(tmp_path / "a.jsonl", [ROWS[0], row])
    with pytest.raises(DataError, match=message) as error:
        read_trees(path)
    str(error.value).encode()


def test_a_folder_names_the_file_of_a_row_in_any_case(tmp_path: Path) -> None:
    _jsonl(tmp_path / "Test.jsonl", [ROWS[1]])
    _jsonl(tmp_path / "dev.jsonl", [ROWS[0], ROWS[1]])
    table = read_trees(tmp_path)  # a test needs no training rows beside it
    assert table.split.tolist() == ["test", "validation", "validation"]
    assert table.where(2) == f"{tmp_path / 'dev.jsonl'}, line 2"


def test_two_files_of_one_split_are_not_joined(tmp_path: Path) -> None:
    _jsonl(tmp_path / "train.jsonl", ROWS[:1])
    (tmp_path / "train.txt").write_text("(3 (2 It) (4 works))\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"train\.jsonl and train\.txt are both for one split; keep one of them"):
        read_trees(tmp_path)


def test_a_number_of_thousands_of_digits_is_named_without_pythons_remedy(tmp_path: Path) -> None:
    file = _jsonl(tmp_path / "a.jsonl", ['{"tree": ["f", ' + "9" * 5_000 + '], "label": 1}'])
    with pytest.raises(DataError, match=r"line 1: a number has too many digits; write it as text, or round it$"):
        read_trees(file)


def test_a_parquet_file_without_trees_says_what_it_has(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["(f 1)"], "label": [1]}), tmp_path / "a.parquet")
    with pytest.raises(DataError, match=r"there is no column 'tree', nor 'left' and 'right'; it has: text, label$"):
        read_trees(tmp_path / "a.parquet")


def test_a_repeated_key_is_named_with_its_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"tree": "a", "label": 1}\n{"tree": "b", "label": 1, "label": 2}\n')
    with pytest.raises(DataError, match=r"a\.jsonl, line 2: the key 'label' occurs twice in one object"):
        read_trees(file)
