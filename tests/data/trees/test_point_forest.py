"""A forest at points is the forest of the equations with numbers in place of their variables, each node computed once."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treesmu.data import Forest, Vocab
from treesmu.data.augment.reading_points import fixed_points
from treesmu.data.trees.point_forest import PointForest
from treesmu.expr import FUNCTIONS, Expr, equation, from_prefix, leaf

VOCAB = Vocab.default()
LEAVES = ("x", "y", "z", "2", "-1", "1/2", "pi", "0.25")


def random_tree(rng: Random, depth: int) -> list[str]:
    """Return the prefix form of a random tree."""
    if not depth or rng.random() < 0.2:
        return [rng.choice(LEAVES)]
    function = rng.choice(FUNCTIONS)
    return [function.name, *(token for _ in range(function.arity) for token in random_tree(rng, depth - 1))]


def at_point(e: Expr, values: np.ndarray, k: int) -> Expr:
    """Return an expression with decimals in place of its variables."""
    return e.substitute({v: leaf(f"{values[VOCAB.leaf_id(v.token), k]:.4f}") for v in e.variables()})


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 5), st.integers(1, 4))
def test_it_holds_the_trees_with_numbers_for_variables(seed: int, points: int, count: int) -> None:
    rng = Random(seed)
    exprs = [equation(from_prefix(random_tree(rng, 3)), from_prefix(random_tree(rng, 3))) for _ in range(count)]
    values = fixed_points(VOCAB, points)
    plain = Forest.from_exprs(exprs, VOCAB)
    found = PointForest.of(plain, values)
    assert found.roots.shape == (count, 2, points)
    assert len(found) == count
    assert found.is_equations
    for k in range(points):
        wanted = Forest.from_exprs([at_point(e, values, k) for e in exprs], VOCAB)
        np.testing.assert_array_equal(numbers_of(found, found.roots[:, :, k]), numbers_of(wanted, wanted.roots))


def numbers_of(forest: Forest, roots: np.ndarray) -> np.ndarray:
    """Return a number for each root that is equal for equal trees: a hash of leaves, values and functions."""
    known: list[int] = []
    for i, (token, value) in enumerate(zip(forest.leaf.tolist(), forest.number.tolist(), strict=True)):
        known.append(hash(("leaf", token, None if np.isnan(value) else round(value, 6))))
        assert (forest.children[i] < 0).all()
    for function, below in zip(forest.functions.tolist(), forest.children[len(forest.leaf) :].tolist(), strict=True):
        known.append(hash((function, *(known[child] for child in below if child >= 0))))
    return np.array(known)[roots]


def test_nodes_without_a_variable_are_not_repeated() -> None:
    plain = Forest.from_exprs(["sin(x) + sqrt(2) = 1", "sqrt(2) = y"], VOCAB)
    found = PointForest.of(plain, fixed_points(VOCAB, 3))
    # x, y, sin(x) and the sum at three points each; 2, 1/2, 1 and sqrt(2) once
    assert (plain.size, found.size) == (8, 4 * 3 + 4)
    assert found.at.shape == (8, 3)
    assert sorted(set(found.at.ravel().tolist())) == list(range(found.size))


def test_children_come_before_parents_and_groups_cover_all_inner_nodes() -> None:
    plain = Forest.from_exprs(["x^2 + sin(y)*x = log(x, 2)", "cos(3) = tanh(x + 1)"], VOCAB)
    found = PointForest.of(plain, fixed_points(VOCAB, 4))
    places = np.arange(found.size)[:, None]
    assert ((found.children < places) | (found.children < 0)).all()
    assert found.groups[0, 2] == len(found.leaf)
    assert found.groups[-1, 3] == found.size
    np.testing.assert_array_equal(found.groups[1:, 2], found.groups[:-1, 3])
    np.testing.assert_array_equal(found.nodes, plain.nodes[np.repeat(np.arange(plain.size), [len(set(r)) for r in found.at])])


@pytest.mark.parametrize("texts", [["x", "y + 1"], ["x"]])
def test_plain_trees_have_one_root_at_each_point(texts: list[str]) -> None:
    found = PointForest.of(Forest.from_exprs(texts, VOCAB), fixed_points(VOCAB, 6))
    assert found.roots.shape == (len(texts), 1, 6)
    assert not found.is_equations


def test_the_trees_come_back_with_numbers_for_variables() -> None:
    values = fixed_points(VOCAB, 2)
    found = PointForest.of(Forest.from_exprs(["x + 2 = sin(y)", "x = 1"], VOCAB), values)
    x, y = (values[VOCAB.leaf_id(name)].tolist() for name in "xy")
    sums = [("Equality", ("Add", (repr(x[k]),), ("2",)), ("sin", (repr(y[k]),))) for k in range(2)]
    assert found.unbatch() == [*sums, *(("Equality", (repr(x[k]),), ("1",)) for k in range(2))]


def test_decimals_of_the_equation_keep_their_values() -> None:
    values = fixed_points(VOCAB, 2)
    found = PointForest.of(Forest.from_exprs(["x + 0.25 = 2"], VOCAB), values)
    assert sorted(found.number[np.isfinite(found.number)].tolist()) == sorted([0.25, *values[VOCAB.leaf_id("x")]])
