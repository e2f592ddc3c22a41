"""A forest that grows keeps its trees, and has the new nodes in the order of heights and functions."""

from __future__ import annotations

import numpy as np

from treesmu.data import Forest, Vocab
from treesmu.data.trees.grow_forest import NOT_PLANNED, grow_forest

VOCAB = Vocab.default()


def number(name: str) -> int:
    return VOCAB.function_id(name)


def test_new_nodes_are_trees_of_old_and_new_ones() -> None:
    forest = Forest.from_exprs(["sin(x) + y = x", "y = cos(y)"], VOCAB)
    by_label = {label: i for i, label in enumerate(forest.labels)}
    size = forest.size
    functions = np.array([number("cos"), number("Mul"), number("exp")])
    children = np.array(
        [[by_label["sin"], -1], [size, by_label["y"]], [by_label["x"], -1]]
    )  # cos(sin(x)), cos(sin(x))*y, exp(x)
    grown, place = grow_forest(forest, functions, children)
    assert grown.unbatch() == forest.unbatch()
    assert grown.size == size + 3
    with_new = Forest(**{name: getattr(grown, name) for name in grown.__slots__} | {"roots": place[[[size + 1], [size + 2]]]})
    assert with_new.unbatch() == [("Mul", ("cos", ("sin", ("x",))), ("y",)), ("exp", ("x",))]
    assert (grown.nodes[place[size:]] == NOT_PLANNED).all()
    np.testing.assert_array_equal(grown.nodes[place[:size]], forest.nodes)


def test_groups_are_those_of_heights_and_functions_and_children_come_first() -> None:
    forest = Forest.from_exprs(["sin(x) + cos(y) = x", "sin(y) = cos(sin(y))"], VOCAB)
    functions = np.array([number("sin"), number("sin"), number("Add")])
    children = np.array([[0, -1], [forest.size, -1], [forest.size, forest.size + 1]])
    grown, place = grow_forest(forest, functions, children)
    assert sorted(place.tolist()) == list(range(grown.size))
    assert ((grown.children < np.arange(grown.size)[:, None]) | (grown.children < 0)).all()
    keys = [(height, function) for height, function, _, _ in grown.groups.tolist()]
    assert keys == sorted(set(keys))
    assert grown.groups[0, 2] == len(grown.leaf)
    np.testing.assert_array_equal(grown.groups[1:, 2], grown.groups[:-1, 3])
    assert grown.groups[-1, 3] == grown.size


def test_nothing_new_changes_nothing() -> None:
    forest = Forest.from_exprs(["sin(x) + cos(y) = x"], VOCAB)
    grown, place = grow_forest(forest, np.empty(0, np.int64), np.empty((0, 2), np.int64))
    np.testing.assert_array_equal(place, np.arange(forest.size))
    np.testing.assert_array_equal(grown.groups, forest.groups)
    np.testing.assert_array_equal(grown.children, forest.children)
