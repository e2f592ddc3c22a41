"""Expressions become a forest or a plan directly, with exactly the arrays that their prefix strings give."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies import random_tree, trees
from treesmu.data import CorpusPlan, DataError, Forest, SequencePlan, Vocab
from treesmu.data.trees.expr_nodes import first_occurrences
from treesmu.expr import Expr, equation, parse

MATHS = Vocab.default()


def prefix_strings(exprs: Sequence[Expr]) -> list[str]:
    return [" ".join(e.prefix()) for e in exprs]


def assert_same(one: Any, other: Any) -> None:
    """Require that two objects are equal in all fields: values, types and shapes of arrays."""
    for field in fields(one):
        ours, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(ours, np.ndarray):
            assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), field.name
            np.testing.assert_array_equal(ours, theirs, field.name)
        else:
            assert ours == theirs, field.name


def check(exprs: Sequence[Expr], vocab: Vocab) -> None:
    texts = prefix_strings(exprs)
    plan = CorpusPlan.from_prefix(texts, vocab)
    assert_same(CorpusPlan.from_exprs(exprs, vocab), plan)
    for share in (True, False):
        assert_same(Forest.from_exprs(exprs, vocab, share), plan.batch(np.arange(len(exprs)), share))
    for form in ("parentheses", "tree"):
        assert_same(SequencePlan.from_exprs(exprs, vocab, form), SequencePlan.from_prefix(texts, vocab, form))


@settings(max_examples=50)  # a list of trees each
@given(st.lists(trees, min_size=1, max_size=8))
def test_plain_expressions_give_the_arrays_of_their_prefix_strings(exprs: list[Expr]) -> None:
    check(exprs, Vocab.from_prefix(prefix_strings(exprs)))


@settings(max_examples=50)  # a list of trees each
@given(st.lists(st.builds(equation, trees, trees), min_size=1, max_size=8))
def test_equations_give_the_arrays_of_their_prefix_strings(exprs: list[Expr]) -> None:
    check(exprs, Vocab.from_prefix(prefix_strings(exprs)))


@pytest.mark.parametrize("is_equations", [True, False])
def test_many_rows_give_the_arrays_of_their_prefix_strings(is_equations: bool) -> None:
    rng = random.Random(3)
    sides = [random_tree(rng, rng.randrange(12)) for _ in range(800)]
    sides += sides[:40]  # rows that occur twice
    exprs = [equation(left, right) for left, right in zip(sides[::2], sides[1::2], strict=True)] if is_equations else sides
    check(exprs, Vocab.from_prefix(prefix_strings(exprs)))


def test_decimals_are_numbered_by_first_occurrence_as_in_the_strings() -> None:
    texts = ["x = 3.25*y + sin(1.50)", "1.5 + 2.75 = 3.25", "0.7 = y + 1.50", "y = 9.5*(x + 2.75)"]
    check([parse(text) for text in texts], MATHS)
    assert Forest.from_exprs(texts).leaf_tokens == ("x", "y", "3.25", "1.50", "1.5", "2.75", "0.7", "9.5")


def test_an_equality_that_is_an_ordinary_function_of_the_vocabulary_is_a_node() -> None:
    vocab = Vocab(("sin", "Equality"), (1, 2), ("x", "y"))
    exprs = [parse("sin(x) = y"), parse("x = x")]
    assert not Forest.from_exprs(exprs, vocab).is_equations
    check(exprs, vocab)


def test_a_deep_chain_and_a_tree_of_repeated_parts_need_no_recursion() -> None:
    deep = wide = parse("x")
    for _ in range(5000):
        deep = parse("sin(x)").substitute({parse("x"): deep})
    for _ in range(60):
        wide = parse("x*x").substitute({parse("x"): wide})  # 2^60 nodes, 61 of them distinct
    assert len(Forest.from_exprs([deep]).levels) == 5000
    assert Forest.from_exprs([wide]).size == 61


@pytest.mark.parametrize(
    ("texts", "vocab"),
    [
        (["x = y", "x + y"], MATHS),
        (["x", "y = x"], MATHS),
        ([], MATHS),
        (["x = 1", "x + theta = y + 17/19"], MATHS),
        (["x + _ = 1"], MATHS),
        (["x = 0.25"], Vocab.from_tokens(["x"], numbers=False)),
        (["x + y = y + x"], Vocab(("sin",), (1,), ("x", "y"), "Equality")),
        (["x = sin(x)"], Vocab(("sin",), (1,), ("x", "sin"), "Equality")),
        (["x = y"], Vocab(("sin",), (1,), ("x", "y"))),
        (["x"], Vocab(("f",), (2,), ("x",), variadic=True)),
        (["x*(x + y)"], Vocab(("Mul",), (2,), ("x", "y"), "Add")),
    ],
)
def test_what_cannot_be_planned_is_refused_with_the_message_of_the_strings(texts: list[str], vocab: Vocab) -> None:
    exprs = [parse(text) for text in texts]
    with pytest.raises(DataError) as expected:
        CorpusPlan.from_prefix(prefix_strings(exprs), vocab)
    for make in (Forest.from_exprs, CorpusPlan.from_exprs, SequencePlan.from_exprs):
        with pytest.raises(DataError) as found:
            make(exprs, vocab)
        assert str(found.value) == str(expected.value)


def test_a_function_of_another_arity_in_the_vocabulary_is_refused() -> None:
    vocab = Vocab(("sin",), (2,), ("x", "y"), "Equality")
    with pytest.raises(DataError, match=r"^row 1: 'sin' has the arity 1, in the vocabulary 2; correct the vocabulary$"):
        Forest.from_exprs(["x = y", "y = sin(x)"], vocab)


def test_first_occurrences_are_in_preorder() -> None:
    exprs = [parse("sin(x) + y*sin(x) = 2"), parse("2 = cos(y)")]
    assert [str(e) for e in first_occurrences(exprs)] == [
        "sin(x) + y*sin(x) = 2", "sin(x) + y*sin(x)", "sin(x)", "x", "y*sin(x)", "y", "2", "2 = cos(y)", "cos(y)",
    ]  # fmt: skip
