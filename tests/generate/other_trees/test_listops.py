"""ListOps has the operators and sizes of the original, and labels that an independent evaluation confirms."""

from __future__ import annotations

import statistics
from collections import Counter
from random import Random
from typing import Any

import pytest

from treesmu.data import DataError
from treesmu.generate.other_trees.listops import ListOpsSettings, apply, depth_of, random_tree, rows, value

SMALL = ListOpsSettings(train=300, validation=20, test=40)


def _value(tree: Any) -> int:
    if not isinstance(tree, list):
        return int(tree)
    operator, *arguments = tree
    values = [_value(argument) for argument in arguments]
    known = {"MAX": max, "MIN": min, "MED": lambda v: int(statistics.median(v)), "SM": lambda v: sum(v) % 10}
    return int(known[operator](values))


def _depth(tree: Any) -> int:
    return 1 + max(_depth(child) for child in tree[1:]) if isinstance(tree, list) else 0


def test_labels_and_depths_are_right_and_no_tree_occurs_twice() -> None:
    found = list(rows(SMALL))
    assert Counter(row["split"] for row in found) == {"train": 300, "validation": 20, "test": 40}
    assert all(row["label"] == _value(row["tree"]) and row["depth"] == _depth(row["tree"]) for row in found)
    assert len({str(row["tree"]) for row in found}) == len(found)
    assert {len(row["tree"]) - 1 for row in found} == {2, 3, 4, 5}
    assert {row["tree"][0] for row in found} == {"MAX", "MIN", "MED", "SM"}


def test_the_same_seed_gives_the_same_trees() -> None:
    assert list(rows(SMALL)) == list(rows(SMALL)) != list(rows(ListOpsSettings(train=300, validation=20, test=40, seed=1)))


def test_splits_by_depth() -> None:
    found = list(rows(ListOpsSettings(train=50, validation=5, test=4, train_depths=(1, 2), test_depths=(3, 9))))
    assert {row["depth"] for row in found if row["split"] != "test"} == {1, 2}
    assert Counter(row["depth"] for row in found if row["split"] == "test") == dict.fromkeys(range(3, 10), 4)


def test_an_even_number_of_arguments_has_a_median_rounded_down() -> None:
    assert apply("MED", [1, 4]) == 2
    assert apply("MED", [9, 1, 4]) == 4


def test_depth_is_not_limited_by_recursion() -> None:
    tree = random_tree(Random(0), 3_000, 3_000)
    assert depth_of(tree) == 3_000
    assert 0 <= value(tree) <= 9


def test_impossible_depths_are_refused() -> None:
    with pytest.raises(DataError, match="too few different trees"):
        list(rows(ListOpsSettings(train=1, validation=0, test=0, train_depths=(0, 0))))
