"""Nested tuples have labels and children; a leaf may be a tuple, a string or a number."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from treesmu.data import DataError, Forest, Vocab
from treesmu.data.trees.nested_tuples import label_of, refuse_text


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


@pytest.mark.parametrize("text", ["(MAX 2 3)", "sin(x)", "f(g(x), y) "])
def test_text_that_looks_like_a_tree_is_refused(text: str) -> None:
    with pytest.raises(DataError, match=r"^tree 3: .* is text that looks like a tree; write nested tuples, "):
        refuse_text(text, 3)
    with pytest.raises(DataError, match=r"^tree 1: .* is text that looks like a tree"):
        Forest.from_trees(["a", text])
    with pytest.raises(DataError, match=r"^tree 0: .* is text that looks like a tree"):
        Forest.from_trees(text)
    with pytest.raises(DataError, match=r"^tree 1: .* is text that looks like a tree"):
        Vocab.from_trees([("f", "a"), text])


@pytest.mark.parametrize("tree", ["a", "x + 1", "(", ("f(x)", "a"), 3])
def test_labels_are_not_taken_for_text(tree: Any) -> None:
    refuse_text(tree, 0)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Forest.from_trees("f"), "from_trees takes a list of trees: from_trees([tree]), not 'f'"),
        (lambda: Forest.from_trees([("a",)], 3), "vocab must be a Vocab, such as Vocab.from_trees(trees), not 3"),
        (lambda: Forest.from_exprs(["x"], "v"), "vocab must be a Vocab, such as Vocab.from_trees(trees), not 'v'"),
        (lambda: Forest.from_exprs(None), "expected a list of expressions or of their texts, such as ['sin(x) + 1'], not None"),
        (lambda: Forest.from_exprs("x"), "expected a list of expressions or of their texts, such as ['sin(x) + 1'], not 'x'"),
        (lambda: Forest.from_exprs(["x", 3]), "expression 1: expected an expression or its text, such as 'sin(x) + 1', not 3"),
    ],
)
def test_an_odd_argument_is_one_line_that_names_it(make: Callable[[], object], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=f"^{re.escape(said)}$"):
        make()


def test_what_is_no_list_is_a_wrong_type() -> None:
    with pytest.raises(TypeError, match=r"from_trees takes a list of trees: from_trees\(\[tree\]\), not None"):
        Forest.from_trees(None)  # type: ignore[arg-type]
