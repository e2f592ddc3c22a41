"""Rows are written as JSONL, deep trees as text, and a tree belongs to one split."""

from __future__ import annotations

from pathlib import Path

from treesmu.data.tree_files.read import read_trees
from treesmu.generate.other_trees import arithmetic
from treesmu.generate.other_trees.arithmetic import ArithmeticSettings
from treesmu.generate.other_trees.write import split_of, to_text, write_rows


def test_a_tree_belongs_to_one_split() -> None:
    found = [split_of(str(i)) for i in range(2_000)]
    assert 0.03 < found.count("validation") / 2_000 < 0.07
    assert 0.07 < found.count("test") / 2_000 < 0.13


def test_deep_trees_are_written_as_text_and_read_again(tmp_path: Path) -> None:
    settings = ArithmeticSettings(train=2, validation=2, test=0, train_depths=(3_000, 3_000))
    found = list(arithmetic.rows(settings))
    write_rows(found, tmp_path / "deep.jsonl")
    table = read_trees(tmp_path / "deep.jsonl")
    assert table.depth.tolist() == [3_000] * len(found)
    assert [table.labels[token] for token in table.token[:3]] == to_text(found[0]["tree"]).replace("(", "").split()[:3]
    assert to_text(["MAX", 2, ["MIN", 4, 7]]) == "(MAX 2 (MIN 4 7))"
