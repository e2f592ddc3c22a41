"""Nested tuples become arrays of nodes, and a faulty tree is reported in one line that names it."""

from __future__ import annotations

from typing import Any

import pytest

from nested import chain
from treesmu.data import DataError, Forest, Vocab
from treesmu.data.trees.flatten import flatten, heights

FUNCTIONS = {"five": 5, "neg": 1, "pair": 2, "not": 1, "three": 3, "two": 2}
LEAVES = ("a", "b", "3")
FIXED = Vocab(tuple(FUNCTIONS), tuple(FUNCTIONS.values()), LEAVES, "=", numbers=True)
ANY = Vocab(("MAX", "MIN", "f"), (5, 5, 5), LEAVES, "=", numbers=True, variadic=True)


def test_parents_come_before_their_children_and_know_them() -> None:
    vocab = Vocab(("neg", "two"), (1, 2), ("a", "b"), "=", numbers=True)
    symbol, children, roots, tokens = flatten([("=", ("two", "a", ("neg", 0.5)), "b"), ("=", "0.5", "a")], vocab)
    assert symbol.tolist() == [1, 3, 2, 0, 4, 4, 2]
    assert children.tolist() == [[2, -1, -1, 4, -1, -1, -1], [3, -1, -1, -1, -1, -1, -1]]
    assert roots.tolist() == [[0, 1], [5, 6]]
    assert tokens == ["a", "b", "0.5"]
    assert heights(children).tolist() == [2, 0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize("vocab", [FIXED, ANY], ids=["fixed", "variadic"])
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (("sinus", "a"), r"tree 2: unknown function 'sinus'; known: "),
        ("x", r"tree 2: unknown leaf 'x'; known: a, b, 3, and decimals"),
        (7, "tree 2: unknown leaf '7'"),
        (float("nan"), "tree 2: unknown leaf 'nan'"),
        (("=", "a", "b"), "tree 2: an equation among plain trees; batch the two kinds apart"),
        (("=", "a"), "tree 2: '=' takes 2 arguments, not 1"),
        (("=",), "tree 2: unknown leaf '='"),
        (None, r"tree 2: a tree is \(label, child, child, \.\.\.\) with a string for a label, not None"),
        ((), r"tree 2: a tree is .*, not \(\)"),
        (["a", "b"], r"tree 2: a tree is .*, not \['a', 'b'\]"),
        (True, "tree 2: a tree is .*, not True"),
        ((("a",), "b"), r"tree 2: a tree is .*, not \(\('a',\), 'b'\)"),
    ],
)
def test_a_tree_that_cannot_be_held_is_named(vocab: Vocab, bad: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Forest.from_trees(["a", "b", bad], vocab)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (("neg", "a", "b"), "tree 1: 'neg' takes 1 argument, not 2"),
        (("two", "a"), "tree 1: 'two' takes 2 arguments, not 1"),
        (("neg", ("three", "a", "b")), "tree 1: 'three' takes 3 arguments, not 2"),
        (("two", "a", ("neg", "x")), "tree 1: unknown leaf 'x'; known: a, b, 3, and decimals"),
        (("two", ("sinus", "a"), "a"), "tree 1: unknown function 'sinus'; known: neg, not, pair, two, three, five"),
        (("two", "neg", "a"), "tree 1: unknown leaf 'neg'"),
        (("neg", None), "tree 1: a tree is .*, not None"),
        (("neg", ("=", "a", "b")), "tree 1: an equation cannot be a part of an expression"),
    ],
)
def test_what_is_wrong_inside_a_tree_is_named(bad: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Forest.from_trees(["a", bad], FIXED)


def test_a_variadic_function_has_a_largest_number_of_arguments() -> None:
    with pytest.raises(DataError, match="tree 0: 'MAX' takes at most 5 arguments, not 6"):
        Forest.from_trees([("MAX", *"aaaaaa")], ANY)


def test_a_plain_tree_among_equations_is_refused() -> None:
    with pytest.raises(DataError, match="tree 1: a plain tree among equations"):
        Forest.from_trees([("=", "a", "b"), ("pair", "a", "b")], FIXED)


def test_no_trees_are_no_forest() -> None:
    with pytest.raises(DataError, match="nothing to plan: there are no trees"):
        Forest.from_trees([], FIXED)
    with pytest.raises(DataError, match="nothing to plan: there are no trees"):
        Forest.from_trees([])


def test_a_wrong_label_is_named_without_a_vocabulary_too_and_however_deep_its_tree() -> None:
    with pytest.raises(DataError, match=r"tree 1: a tree is .*, not None"):
        Forest.from_trees(["a", ("f", None)])
    with pytest.raises(DataError, match=r"tree 0: a tree is .*, not \(1j, \('neg', "):
        Forest.from_trees([(1j, chain("neg", 5000, ("a",)))], FIXED)
