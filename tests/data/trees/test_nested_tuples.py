"""Nested tuples have labels and children; a leaf may be a tuple, a string or a number."""

from __future__ import annotations

from typing import Any

import pytest

from treesmu.data import DataError
from treesmu.data.trees.nested_tuples import label_of


@pytest.mark.parametrize(
    ("tree", "label", "children"),
    [
        (("f", "a", ("g", "b")), "f", ("a", ("g", "b"))),
        (("a",), "a", ()),
        ("a", "a", ()),
        (3, "3", ()),
        (0.5, "0.5", ()),
        (1e-7, "0.0000001", ()),  # a decimal has no exponent
        ((2.0, "a"), "2.0", ("a",)),
    ],
)
def test_the_label_and_the_children_of_a_tree(tree: Any, label: str, children: tuple[Any, ...]) -> None:
    assert label_of(tree, 0) == (label, children)


@pytest.mark.parametrize("tree", [None, (), True, ["a"], (("a",), "b")])
def test_what_is_no_tree_is_refused_with_its_row(tree: Any) -> None:
    with pytest.raises(DataError, match=r"^tree 7: a tree is \(label, child, child, \.\.\.\) with a string for a label, not "):
        label_of(tree, 7)
