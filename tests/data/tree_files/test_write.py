"""Rows that are written are read again as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treesmu.data.tree_files.read import read_trees, trees_in_memory
from treesmu.data.tree_files.table import TreeTable
from treesmu.data.tree_files.write import write_trees

LABELS = ["(MAX 2 (MIN 4 7 1) 3)", "a", ["a (b)"], ["f", "", 'say "x"', ["g", "two words", "\N{EM SPACE}", "ü\\n"]]]


def _rows(table: TreeTable) -> dict[str, Any]:
    """Return everything but where the rows come from."""
    labels = [None if token < 0 else table.labels[token] for token in table.token.tolist()]
    names = ("arity", "starts", "answer", "depth")
    tags = None if table.tag is None else table.tag.tolist()
    return {"labels": labels, "tags": tags, **{name: getattr(table, name).tolist() for name in names}}


@pytest.mark.parametrize(
    "table",
    [
        trees_in_memory(LABELS, [1, True, "x", None]),
        trees_in_memory([{"left": tree, "right": LABELS[0]} for tree in LABELS], [1.5, 2e-300, 10**30, "same"]),
        trees_in_memory(["(f a (g b))", "c"], tags=[["A", None, 2, None], [None]]),
    ],
    ids=["trees", "pairs", "tags"],
)
def test_trees_pairs_and_tags_are_read_again(table: TreeTable, tmp_path: Path) -> None:
    write_trees(table, tmp_path / "a.jsonl")
    assert _rows(read_trees(tmp_path / "a.jsonl")) == _rows(table)


def test_brackets_depths_and_selected_rows_are_kept_and_splits_are_not(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("(3 (2 It) (4 works))\n(1 (0 No) (1 (1 never) (1 mind)))\n")
    table = read_trees(tmp_path / "a.txt")
    write_trees(table, tmp_path / "a.jsonl")
    assert _rows(read_trees(tmp_path / "a.jsonl")) == _rows(table)
    (tmp_path / "b.jsonl").write_text('{"tree": "a", "depth": 9, "split": "test"}\n{"tree": "b", "depth": 4}\n')
    table = read_trees(tmp_path / "b.jsonl")
    write_trees(table.take(table.depth == 9), tmp_path / "c.jsonl")
    assert json.loads((tmp_path / "c.jsonl").read_text()) == {"tree": "(a)", "depth": 9}


def test_a_deep_tree_is_written_without_recursion(tmp_path: Path) -> None:
    tree: Any = "a"
    for _ in range(50_000):
        tree = ["f", tree]
    write_trees(trees_in_memory([tree], [1]), tmp_path / "a.jsonl")
    assert read_trees(tmp_path / "a.jsonl").depth.tolist() == [50_000]
