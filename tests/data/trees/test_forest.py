"""A forest holds any trees by height and function, returns them again, and reports in one line what it cannot hold."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forests import FIXED, FUNCTIONS, as_tuples, both_ways, check_forest, kinds, variadic
from nested import Tree, chain, subtrees, trees_with
from strategies import random_tree
from treesmu.data import CorpusPlan, DataError, Forest, Vocab
from treesmu.expr import equation, parse

# -- from nested tuples ------------------------------------------------------------------------------------------------


@both_ways
@settings(max_examples=60)
@given(st.data())
def test_plain_trees_come_back(share: bool, data: st.DataObject) -> None:
    vocab, strategy = data.draw(kinds)
    trees = data.draw(st.lists(strategy, min_size=1, max_size=8))
    forest = Forest.from_trees(trees, vocab, share)
    assert forest.unbatch() == [as_tuples(tree) for tree in trees]
    assert (len(forest), forest.is_equations, forest.roots.shape) == (len(trees), False, (len(trees), 1))
    check_forest(forest, [as_tuples(tree) for tree in trees], share)


@both_ways
@settings(max_examples=40)
@given(st.data())
def test_equations_come_back(share: bool, data: st.DataObject) -> None:
    vocab, strategy = data.draw(kinds)
    trees = data.draw(st.lists(st.tuples(st.just("="), strategy, strategy), min_size=1, max_size=5))
    forest = Forest.from_trees(trees, vocab, share)
    assert forest.unbatch() == [as_tuples(tree) for tree in trees]
    assert (len(forest), forest.is_equations, forest.roots.shape) == (len(trees), True, (len(trees), 2))
    check_forest(forest, [as_tuples(side) for _, *sides in trees for side in sides], share)


@settings(max_examples=40)
@given(st.lists(variadic, min_size=1, max_size=6))
def test_without_a_vocabulary_every_label_is_known(trees: list[Any]) -> None:
    forest = Forest.from_trees(iter(trees))
    assert forest.vocab == Vocab.from_trees(trees)
    check_forest(forest, [as_tuples(tree) for tree in trees], share=True)


@settings(max_examples=60)
@given(st.lists(trees_with(FUNCTIONS, st.sampled_from([("a",), ("0.5",), ("3",)])), min_size=1, max_size=6), st.booleans())
def test_nested_tuples_and_prefix_strings_make_the_same_forest(trees: list[Tree], share: bool) -> None:
    texts = [" ".join(s[0] for s in subtrees(tree)) for tree in trees]
    ours, plan = Forest.from_trees(trees, FIXED, share), CorpusPlan.from_prefix(texts, FIXED).batch(range(len(trees)), share)
    assert ours.unbatch() == plan.unbatch()
    np.testing.assert_array_equal(ours.groups, plan.groups)
    assert Counter(ours.leaf.tolist()) == Counter(plan.leaf.tolist())


def test_identical_sub_trees_are_one_node_or_as_many_as_there_are_places() -> None:
    pair = ("pair", "a", ("neg", "b"))
    trees = [("two", pair, pair), pair]
    assert Forest.from_trees(trees, FIXED).size == 5  # a, b, neg b, pair, two
    assert Forest.from_trees(trees, FIXED, share=False).size == 9 + 4
    assert Forest.from_trees(trees, FIXED).roots.tolist() == [[4], [3]]


@both_ways
def test_functions_of_a_level_are_in_the_order_of_arity(share: bool) -> None:
    trees = [("five", *"aaaaa"), ("neg", "a"), ("three", *"aaa"), ("two", "a", "a"), ("pair", "a", "b"), ("not", "a")]
    forest = Forest.from_trees(trees, FIXED, share)
    assert [forest.vocab.functions[f] for f in forest.functions] == ["neg", "not", "pair", "two", "three", "five"]
    assert forest.levels[:, 0].tolist() == [1]


@both_ways
def test_one_leaf_is_a_forest_without_levels(share: bool) -> None:
    forest = Forest.from_trees(["a", ("a",)], FIXED, share)
    assert (forest.size, len(forest.groups), len(forest.levels), len(forest.functions)) == (1 if share else 2, 0, 0, 0)
    assert forest.unbatch() == [("a",), ("a",)]
    assert forest.preorder().tolist() == ([0, 0] if share else [0, 1])


def test_a_vocabulary_of_leaves_alone_is_enough_for_leaves() -> None:
    assert Forest.from_trees(["a", "b", "a"]).leaf.tolist() == [0, 1]


# -- functions with any number of arguments ----------------------------------------------------------------------------


@both_ways
def test_a_variadic_function_takes_as_many_arguments_as_it_is_given(share: bool) -> None:
    trees = [("MAX", "2", ("MIN", "4", "7", "1")), ("MIN", "9"), ("MAX", ("MIN", "4", "7"), "0", "5")]
    forest = Forest.from_trees(trees, share=share)
    assert forest.vocab.variadic
    assert (forest.vocab.functions, forest.vocab.arities) == (("MAX", "MIN"), (3, 3))
    assert forest.children.shape[1] == 3
    check_forest(forest, [as_tuples(tree) for tree in trees], share)


def test_fewer_arguments_make_another_node() -> None:
    trees = [("f", "a"), ("f", "a", "a"), ("f", "a", "a", "a"), ("f", "a"), ("f", ("f", "a"), "a"), ("f", ("f", "a"))]
    forest = Forest.from_trees(trees)
    assert forest.size == 6
    assert forest.roots[0] == forest.roots[3]
    assert len(set(forest.roots.ravel().tolist())) == 5


def test_of_a_fixed_arity_unless_some_function_varies() -> None:
    assert not Forest.from_trees([("f", "a"), ("g", "a", "a")]).vocab.variadic


# -- from expressions --------------------------------------------------------------------------------------------------


@both_ways
def test_equations_of_mathematics_agree_with_the_plan_of_their_corpus(share: bool) -> None:
    rng = random.Random(5)
    sides = [random_tree(rng, rng.randrange(5)) for _ in range(60)]
    equations = [equation(left, right) for left, right in zip(sides[::2], sides[1::2], strict=True)]
    for exprs in (equations, sides):
        texts = [" ".join(e.prefix()) for e in exprs]
        vocab = Vocab.from_prefix(texts)
        forest = Forest.from_exprs(exprs, vocab, share)
        plan = CorpusPlan.from_prefix(texts, vocab).batch(range(len(exprs)), share)
        for name in ("nodes", "leaf", "number", "groups", "children", "roots"):
            np.testing.assert_array_equal(getattr(forest, name), getattr(plan, name))
        trees = forest.unbatch()
        assert [" ".join(s[0] for s in subtrees(tree)) for tree in trees] == texts
        check_forest(forest, [side for tree in trees for side in tree[1:]] if exprs is equations else trees, share)


@both_ways
def test_expressions_and_their_nested_tuples_make_the_same_trees(share: bool) -> None:
    exprs = [parse("sin(x)^2 + cos(x)^2 = 1"), parse("2*sin(0.7) = x*0.7")]
    forest = Forest.from_exprs(exprs, share=share)
    again = Forest.from_trees(forest.unbatch(), Vocab.default(), share)
    assert again.unbatch() == forest.unbatch()
    assert again.size == forest.size
    np.testing.assert_array_equal(again.groups, forest.groups)
    assert set(again.number[~np.isnan(again.number)]) == {0.7}
    assert forest.vocab == Vocab.default()


def test_expressions_of_both_kinds_none_or_unknown_ones_are_refused() -> None:
    with pytest.raises(DataError, match="row 1: a plain tree among equations"):
        Forest.from_exprs([parse("x = y"), parse("x + y")])
    with pytest.raises(DataError, match="nothing to plan"):
        Forest.from_exprs([])
    with pytest.raises(
        DataError, match=r"row 0: unknown leaf or function '17/19'; known functions: exp, .* known leaves: x, y"
    ):
        Forest.from_exprs([parse("x + 17/19")])


# -- places ------------------------------------------------------------------------------------------------------------


def test_preorder_puts_what_is_known_of_each_place_to_its_node() -> None:
    trees = [("two", ("neg", "a"), ("neg", "a")), "b", ("neg", "a")]
    forest = Forest.from_trees(trees, FIXED, share=False)
    features = np.empty(forest.size, object)
    features[forest.preorder()] = ["two", "neg left", "a left", "neg right", "a right", "b", "neg alone", "a alone"]
    two = forest.roots[0, 0]
    left, right = forest.children[two, :2]
    assert [features[n] for n in (two, left, right)] == ["two", "neg left", "neg right"]
    assert [features[forest.children[n, 0]] for n in (left, right)] == ["a left", "a right"]
    assert [features[n] for n in forest.roots[1:, 0]] == ["b", "neg alone"]


def test_an_equality_has_no_place() -> None:
    forest = Forest.from_trees([("=", "a", ("neg", "b")), ("=", "b", "a")], FIXED)
    assert [forest.unbatch()[0][1:], len(forest.preorder())] == [(("a",), ("neg", ("b",))), 5]


@both_ways
def test_a_chain_5000_deep_is_a_forest(share: bool) -> None:
    tree = chain("neg", 5000, ("a",))
    forest = Forest.from_trees([("=", tree, "b"), ("=", "b", tree)], FIXED, share)
    assert forest.size == (5002 if share else 10004)
    assert len(forest.levels) == 5000
    assert len(forest.preorder()) == 10004
    back, depth = forest.unbatch()[0][1], 0
    while len(back) == 2:
        back, depth = back[1], depth + 1
    assert (back, depth) == (("a",), 5000)


# -- decimals ----------------------------------------------------------------------------------------------------------


def test_decimals_have_values_and_every_spelling_is_a_leaf_of_its_own() -> None:
    forest = Forest.from_trees([("two", 0.5, "0.50"), ("two", -2.25, "3"), ("two", 0.5, 1e-7)], FIXED)
    values = {token: value for token, value in zip(forest.leaf_tokens, forest.number.tolist(), strict=True) if token != "3"}
    assert values == {"0.5": 0.5, "0.50": 0.5, "-2.25": -2.25, "0.0000001": 1e-7}
    assert Counter(forest.leaf.tolist()) == {FIXED.number_id: 4, FIXED.leaf_id("3"): 1}


def test_a_decimal_that_is_a_leaf_of_the_vocabulary_is_no_number() -> None:
    vocab = Vocab(("neg",), (1,), ("0.5",), numbers=True)
    forest = Forest.from_trees([("neg", 0.5), ("neg", 0.25)], vocab)
    assert sorted(forest.leaf.tolist()) == [0, vocab.number_id]
    assert np.isnan(forest.number).tolist() == [True, False]


def test_without_numbers_a_decimal_is_an_unknown_leaf() -> None:
    with pytest.raises(DataError, match=r"tree 1: unknown leaf '0\.25'; known: a, b$"):
        Forest.from_trees(["a", ("neg", 0.25)], Vocab(("neg",), (1,), ("a", "b")))


# -- renamed, and parts --------------------------------------------------------------------------------------------------


def test_renamed_leaves_are_those_of_the_renamed_trees():
    trees = [("pair", "a", ("neg", "b")), ("two", ("not", "0.5"), "3"), "a"]
    renamed = Forest.from_trees(trees, FIXED).renamed(np.array([1, 0, 2]))
    assert renamed.unbatch() == [("pair", ("b",), ("neg", ("a",))), ("two", ("not", ("0.5",)), ("3",)), ("b",)]


@settings(max_examples=60)
@given(st.data(), kinds, st.booleans())
def test_a_part_is_the_forest_of_its_trees_with_the_nodes_asked_for(data: st.DataObject, kind: Any, share: bool):
    vocab, strategy = kind
    trees = [as_tuples(tree) for tree in data.draw(st.lists(strategy, min_size=1, max_size=5))]
    forest = Forest.from_trees(trees, vocab, share)
    chosen = data.draw(st.lists(st.integers(0, len(trees) - 1), max_size=3))
    nodes = data.draw(st.lists(st.integers(0, forest.size - 1), max_size=3))
    part, place = forest.part(np.array(chosen, int), np.array(nodes, int))
    assert part.unbatch() == [trees[i] for i in chosen]
    whole = Forest.from_trees(trees, vocab, share)
    for node in nodes:  # what is below a node came along
        of_part = Forest(part.vocab, part.nodes, part.leaf, part.number, part.groups, part.children,
                         np.array([[place[node]]]), part.leaf_tokens)  # fmt: skip
        of_whole = Forest(whole.vocab, whole.nodes, whole.leaf, whole.number, whole.groups, whole.children,
                          np.array([[node]]), whole.leaf_tokens)  # fmt: skip
        assert of_part.unbatch() == of_whole.unbatch()
    assert part.size <= forest.size
    assert (part.groups[:, 3] > part.groups[:, 2]).all()
