"""A table keeps the nodes of each row together, whatever is taken from it."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.data import DataError
from treesmu.data.tree_files.read import trees_in_memory
from treesmu.data.tree_files.table import joined

TREES = ["(f a b)", "(g (f a a))", "b"]


def _nodes(table, row):  # type: ignore[no-untyped-def]
    return [table.labels[token] for token in table.token[table.starts[row] : table.starts[row + 1]]]


def test_rows_keep_their_nodes_when_some_are_taken() -> None:
    table = trees_in_memory(TREES, [1, 2, 3])
    taken = table.take(np.array([2, 1, 1]))
    assert [_nodes(taken, row) for row in range(3)] == [["b"], ["g", "f", "a", "a"], ["g", "f", "a", "a"]]
    assert (taken.answer.tolist(), taken.row.tolist(), taken.depth.tolist()) == ([3, 2, 2], [2, 1, 1], [0, 2, 2])
    assert table.take(np.array([True, False, True])).size.tolist() == [3, 1]


def test_rows_are_selected_by_depth() -> None:
    table = trees_in_memory(TREES, [1, 2, 3])
    assert table.select((1, 2)).row.tolist() == [0, 1]
    assert table.select(None) is table


def test_tables_with_different_labels_are_joined() -> None:
    one, two = trees_in_memory(TREES, [1, 2, 3]), trees_in_memory(["(z b)"], ["x"])
    both = joined([one, two], "both")
    assert _nodes(both, 3) == ["z", "b"]
    assert both.answer.tolist() == [1, 2, 3, "x"]


def test_pairs_and_single_trees_do_not_mix() -> None:
    pair = {"left": "(f a)", "right": "b"}
    assert trees_in_memory([pair]).is_pairs
    with pytest.raises(DataError, match="some rows have one tree and others two"):
        trees_in_memory([pair, "b"])
    with pytest.raises(DataError, match="some files have one tree per row and others two"):
        joined([trees_in_memory([pair]), trees_in_memory(["b"])], "both")
