"""Splits are drawn by the seed; rows with the same tree are on one side, unless every tree has too many."""

from __future__ import annotations

import numpy as np

from treesmu.data.tree_files.read import trees_in_memory
from treesmu.training.drawn_splits import draw_rows

COUNTS = {"validation": 4, "test": 4}


def _order(rows: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).permutation(rows)


def test_without_equal_trees_a_split_has_the_next_rows() -> None:
    table, order = trees_in_memory([["f", i] for i in range(40)]), _order(40)
    found = draw_rows(table, order, COUNTS)
    assert found["validation"].tolist() == order[:4].tolist()
    assert found["test"].tolist() == order[4:8].tolist()


def test_equal_trees_are_on_one_side_and_no_split_is_too_large() -> None:
    trees = [["f", i % 23] for i in range(60)] + [["g", 1]] * 10
    table = trees_in_memory(trees, labels=range(70))  # the labels differ: the same tree with another label is the same tree
    for seed in range(20):
        found = draw_rows(table, _order(70, seed), COUNTS)
        side = {row: name for name, rows in found.items() for row in rows.tolist()}
        sides = {str(tree): {side.get(row, "train") for row in range(70) if trees[row] == tree} for tree in trees}
        assert all(len(some) == 1 for some in sides.values())
        assert all(0 < len(rows) <= 4 for rows in found.values())
        assert len(side) == sum(len(rows) for rows in found.values())  # no row twice


def test_trees_with_too_many_rows_are_divided_rather_than_leaving_a_split_empty() -> None:
    table = trees_in_memory([["f", 1], ["f", 2]] * 20)
    order = _order(40)
    found = draw_rows(table, order, COUNTS)
    assert found["validation"].tolist() == order[:4].tolist()
    assert found["test"].tolist() == order[4:8].tolist()


def test_pairs_are_equal_if_both_trees_are() -> None:
    pairs = [{"left": ["f", i % 5], "right": ["f", i % 3]} for i in range(30)]
    found = draw_rows(trees_in_memory(pairs), _order(30), {"validation": 4})["validation"]
    assert len({row % 15 for row in found.tolist()}) == 2  # 15 different pairs, two rows each
    assert len(found) == 4
