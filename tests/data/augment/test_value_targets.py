"""Targets of the value loss: the values of sub-expressions at fixed points, as the numeric check computes them."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from treesmu.data import Forest, Vocab
from treesmu.data.augment.value_targets import LARGE, MOST, POINTS, ValueTargets
from treesmu.expr import FUNCTIONS, Expr, from_prefix
from treesmu.expr.numeric.values import ValueTable
from treesmu.expr.ops import Op

VOCAB = Vocab.default()
TARGETS = ValueTargets(VOCAB)
LEAVES = ("x", "y", "z", "2", "-1", "0", "1/2", "12", "pi", "e", "0.25", "-1.75")


def targets_of(*texts: str) -> NDArray[Any]:
    forest = Forest.from_exprs(texts, VOCAB)
    return TARGETS.of(forest)[forest.roots[:, 0]]


def random_tree(rng: Random, depth: int) -> list[str]:
    """Return the prefix form of a random tree; half of its functions are arithmetic, so that most have a value somewhere."""
    if not depth or rng.random() < 0.2:
        return [rng.choice(LEAVES)]
    function = rng.choice(FUNCTIONS[:3] if rng.random() < 0.5 else FUNCTIONS)
    return [function.name, *(token for _ in range(function.arity) for token in random_tree(rng, depth - 1))]


def test_all_variables_have_four_points_of_each_range() -> None:
    for name in ("x", "y", "theta"):
        values = POINTS.of(name)
        assert values.shape == (16,)
        for low, high in ((0.1, 1), (1, 3), (-1, 1), (-2.5, 2.5)):
            assert ((values >= low) & (values <= high)).sum() >= 4
    for x, y in zip(POINTS.of("x"), POINTS.of("y"), strict=True):
        assert any(low <= min(x, y) <= max(x, y) <= high for low, high in POINTS.ranges)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
def test_every_function_has_the_values_and_the_domain_of_the_numeric_check(function: Op) -> None:
    trees = [from_prefix([function.name, *"xy"[: function.arity]]), from_prefix([function.name, *["x"] * function.arity])]
    assert_as_checked(trees)


def test_random_trees_have_the_values_of_the_numeric_check() -> None:
    rng = Random(7)
    trees = list({from_prefix(random_tree(rng, 4)) for _ in range(600)})
    assert assert_as_checked(trees) > 2000


def assert_as_checked(trees: list[Expr]) -> int:
    """Compare targets with the check's values wherever no part is so large or small that rounding decides; count them."""
    forest = Forest.from_exprs(trees, VOCAB)
    found = TARGETS.of(forest)[forest.roots[:, 0]]
    table = ValueTable(POINTS)
    wanted = table.values(trees).plain
    is_plain = np.array([[_is_plain(values) for values in table.values(e.subexpressions()).plain.T] for e in trees])
    with np.errstate(invalid="ignore"):
        expected = np.where(np.abs(wanted) < LARGE, np.clip(np.arcsinh(wanted), -MOST, MOST), np.nan)
    np.testing.assert_allclose(found[is_plain], expected[is_plain], rtol=1e-5, atol=1e-6)
    return int((is_plain & np.isfinite(expected)).sum())


def _is_plain(values: NDArray[Any]) -> bool:
    size = np.abs(values[np.isfinite(values)])
    return bool(((size == 0) | ((size > 1e-8) & (size < 1e8))).all())


def test_numbers_constants_and_decimals_have_their_values_at_every_point() -> None:
    for text, value in {"-1/2": -0.5, "12": 12, "pi": np.pi, "e": np.e, "0.25": 0.25, "-3.75": -3.75}.items():
        np.testing.assert_allclose(targets_of(text), np.full((1, 16), np.clip(np.arcsinh(value), -5, 5)), rtol=1e-6)


def test_targets_are_clipped_and_values_from_a_million_on_are_none() -> None:
    assert (targets_of("100^2") == MOST).all()
    assert (targets_of("-10*100") == -MOST).all()
    assert np.isnan(targets_of("100*100*100", "exp(100)", "1/0", "ln(-2)", "asin(3)")).all()


def test_a_value_that_only_rounding_makes_finite_is_no_target() -> None:
    assert np.isnan(targets_of("1/sin(pi)", "1/(1/sin(pi))", "ln(sin(pi))", "tan(pi/2)")).all()


def test_the_targets_of_a_renamed_forest_are_those_of_the_new_names() -> None:
    names = np.arange(len(VOCAB.leaves))
    x, y, z = (VOCAB.leaf_id(name) for name in "xyz")
    names[[x, y, z]] = [y, z, x]
    forest = Forest.from_exprs(["x - y*2 = sin(z) + 0.5", "ln(y) = x^2"], VOCAB)
    renamed = Forest.from_exprs(["y - z*2 = sin(x) + 0.5", "ln(z) = y^2"], VOCAB)
    assert not np.array_equal(TARGETS.of(forest), TARGETS.of(forest.renamed(names)), equal_nan=True)
    wanted = TARGETS.of(renamed)[renamed.roots]
    np.testing.assert_array_equal(TARGETS.of(forest.renamed(names))[forest.roots], wanted)


def test_a_leaf_without_a_value_has_no_targets() -> None:
    vocab = Vocab(VOCAB.functions, VOCAB.arities, ("x", "nan", "inf", "chair"), "Equality", numbers=True)
    found = ValueTargets(vocab).of(Forest.from_trees(["x", "nan", "inf", "chair", ("sin", "chair"), ("sin", "x")], vocab))
    assert np.isfinite(found).all(axis=1).sum() == 2


def test_the_points_never_change() -> None:
    """Otherwise a run could not be repeated."""
    assert POINTS.of("x")[:4].tolist() == [0.826, 1.5165, -0.7573, -0.7415]
    np.testing.assert_allclose(targets_of("x + y")[0, :2], np.arcsinh([0.826 + 0.8681, 1.5165 + 2.8771]), rtol=1e-6)
