"""The levels, blocks and groups of a small forest, by hand."""

from __future__ import annotations

import pytest
import torch

from treesmu.data import Forest, Vocab
from treesmu.models.forest.layout import Layout

VOCAB = Vocab(("f", "h", "g"), (1, 1, 2), ("a", "b"))
# Leaves a, b: 0, 1. Height 1: f(a), h(b), g(a, b): 2, 3, 4. Height 2: f(h(b)), g(f(a), b): 5, 6.
TREES = [("g", ("f", "a"), "b"), ("f", ("h", "b")), ("g", "a", "b")]


@pytest.fixture
def layout() -> Layout:
    return Layout(Forest.from_trees(TREES, VOCAB), torch.device("cpu"))


def test_levels_are_counted_without_the_leaves(layout: Layout) -> None:
    assert (layout.leaves, layout.inner, layout.nodes) == (2, 5, 7)
    assert (layout.level_starts, layout.level_sizes) == ([0, 3], [3, 2])
    assert layout.max_arity == 2
    assert layout.functions.tolist() == [0, 1, 2, 0, 2]


def test_blocks_are_the_nodes_of_one_height_and_arity(layout: Layout) -> None:
    blocks = [(block.arity, block.start, block.nodes, block.groups) for level in layout.blocks for block in level]
    assert blocks == [(1, 0, 2, [(0, 1), (1, 1)]), (2, 2, 1, [(2, 1)]), (1, 3, 1, [(0, 1)]), (2, 4, 1, [(2, 1)])]
    children = [block.children.tolist() for level in layout.blocks for block in level]
    assert children == [[0, 1], [0, 1], [3], [2, 1]]


def test_children_of_each_level_are_those_of_the_nodes_that_have_one(layout: Layout) -> None:
    assert [some.tolist() for some in layout.children(0)] == [[0, 1, 0], [3, 2]]
    assert [some.tolist() for some in layout.children(1)] == [[1], [1]]
    assert layout.first_with_child == [[0, 0], [2, 1]]


def test_rows_of_a_buffer_are_found_by_child_and_by_group(layout: Layout) -> None:
    buffer = torch.arange(5)
    assert [some.tolist() for some in layout.rows_with_child(buffer, 0)] == [[0, 1, 2], [3, 4]]
    assert [some.tolist() for some in layout.rows_with_child(buffer, 1)] == [[2], [4]]
    assert [some.tolist() for some in layout.groups_of_arity(buffer, 1)] == [[0], [1], [3]]
    assert [some.tolist() for some in layout.groups_of_arity(buffer, 2)] == [[2], [4]]


def test_an_absent_child_is_the_place_after_the_last_node() -> None:
    vocab = Vocab(("few",), (3,), ("a", "b"), variadic=True)
    layout = Layout(Forest.from_trees([("few", "a", "b")], vocab), torch.device("cpu"))
    assert layout.below.tolist() == [[0, 1, 3]]
