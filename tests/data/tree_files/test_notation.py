"""Trees in all notations become the same flat rows; what cannot be read is refused with a remedy."""

from __future__ import annotations

from typing import Any

import pytest

from treesmu.data import DataError
from treesmu.data.tree_files.notation import DEEP, add_brackets, add_expression, add_tree, label_text
from treesmu.data.tree_files.table import TableBuilder

TREE = ["MAX", 2, ["MIN", 4, 7]]


def _read(tree: Any) -> tuple[list[str], list[int], int]:
    builder = TableBuilder("here")
    depth = add_tree(builder, tree)
    names = list(builder.place)
    return [names[token] for token in builder.token], builder.arity, depth


@pytest.mark.parametrize(
    "tree",
    [TREE, ("MAX", "2", ("MIN", "4", "7")), "(MAX 2 (MIN 4 7))", " ( MAX 2\t(MIN (4) 7) ) ", ["MAX", [2], ["MIN", "4", 7]]],
)
def test_a_tree_is_read_in_preorder_from_every_notation(tree: Any) -> None:
    assert _read(tree) == (["MAX", "2", "MIN", "4", "7"], [2, 0, 2, 0, 0], 2)


def test_a_single_label_is_a_leaf() -> None:
    assert _read("New York") == (["New York"], [0], 0)
    assert _read(["x"]) == (["x"], [0], 0)


def test_labels_that_are_no_text_have_one_spelling() -> None:
    assert [label_text(x) for x in (3, 2.5, 1e20, True, None, "x")] == [
        "3",
        "2.5",
        "100000000000000000000.0",
        "true",
        "null",
        "x",
    ]


def test_quoted_labels_may_have_spaces_and_parentheses() -> None:
    assert _read('(f "a (b)" "\\"")')[0] == ["f", "a (b)", '"']


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(MAX 2", "a '\\)' is missing at its end"),
        ("(MAX 2))", "a '\\)' without a '\\('"),
        ("(MAX) 2", "after the end of the tree"),
        ("((f) x)", "a label must follow '\\('"),
        ("()", "a label must follow '\\('"),
        ('(f "x)', "a quotation mark without its end"),
        ('(a "\\q")', "an unknown escape in"),
    ],
)
def test_a_faulty_expression_is_refused(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        add_expression(TableBuilder("here"), text)


@pytest.mark.parametrize("tree", [[], ["f", []], [["f"], 1], ["f", {"a": 1}], ["f", float("nan")]])
def test_a_faulty_list_is_refused(tree: Any) -> None:
    with pytest.raises(DataError, match=r"a tree is|a label is"):
        add_tree(TableBuilder("here"), tree)


def test_brackets_have_a_class_at_every_node() -> None:
    builder = TableBuilder("here")
    assert add_brackets(builder, '(3 (2 It) (4 (2 ") (1 New York)))') == ("3", 2)
    names = list(builder.place)
    assert [names[token] for token in builder.token] == ["node", "It", "node", '"', "New York"]
    assert (builder.arity, builder.tag) == ([2, 0, 2, 0, 0], ["3", "2", "4", "2", "1"])


@pytest.mark.parametrize("text", ["(3 (2 It)", "3 It", "(3 (2))", "(3 x) (2 y)", "()", "", "(2 x))", "(3 very (2 good))"])
def test_faulty_brackets_are_refused(text: str) -> None:
    with pytest.raises(DataError):
        add_brackets(TableBuilder("here"), text)


def test_depth_and_width_are_not_limited_by_recursion() -> None:
    deep: Any = 1
    for _ in range(20_000):
        deep = ("f", deep)
    assert _read(deep)[2] == 20_000
    assert _read("(f " * 20_000 + "1" + ")" * 20_000)[2] == 20_000
    assert _read(("f", *range(10_000)))[1][0] == 10_000
    builder = TableBuilder("here")
    assert add_brackets(builder, "(1 " * 5_000 + "x" + ")" * 5_000)[1] == 4_999


@pytest.mark.parametrize("tree", ["", " ", ")a(", "a (b)"])
def test_a_text_that_is_neither_a_label_nor_an_expression_is_refused(tree: str) -> None:
    with pytest.raises(DataError, match="is no tree; write"):
        add_tree(TableBuilder("here"), tree)


def test_a_list_that_contains_itself_is_refused() -> None:
    direct: list[Any] = ["f", "a"]
    direct.append(direct)
    within: list[Any] = ["f", "a"]
    within += [["g", "b", ("h", within)], within]
    for tree in (direct, within):
        with pytest.raises(DataError, match=r"a list contains itself: .*; a tree is \[label, child, child, \.\.\.\]"):
            add_tree(TableBuilder("x"), tree)


def test_a_deep_tree_may_have_the_same_list_in_many_places() -> None:
    shared, tree = ["g", "a"], ["f", "a"]
    for _ in range(DEEP + 5):
        tree = ["f", shared, tree, shared]
    assert add_tree(TableBuilder("x"), tree) == DEEP + 6
