"""Points at which variables are read: fixed ones that never change, and random ones that cover the same ranges."""

from __future__ import annotations

import numpy as np

from treesmu.data import Vocab
from treesmu.data.augment.reading_points import RANGES, fixed_points, random_points

VOCAB = Vocab.default()
FIXED_4 = [0.3516, 2.6881, 0.1025, 0.6513]
IS_VARIABLE = np.array([token.isalpha() and len(token) == 1 and token != "e" for token in VOCAB.leaves])


def test_only_variables_have_values() -> None:
    for values in (fixed_points(VOCAB, 8), random_points(VOCAB, 8, np.random.default_rng(1))):
        assert values.shape == (len(VOCAB.leaves), 8)
        np.testing.assert_array_equal(np.isfinite(values).all(axis=1), IS_VARIABLE)
        np.testing.assert_array_equal(np.isnan(values).all(axis=1), ~IS_VARIABLE)


def test_all_variables_of_a_point_are_from_its_range() -> None:
    for values in (fixed_points(VOCAB, 9), random_points(VOCAB, 9, np.random.default_rng(2))):
        for k, column in enumerate(values[IS_VARIABLE].T):
            low, high = RANGES[k % len(RANGES)]
            assert ((column >= low) & (column <= high)).all()


def test_fixed_points_never_change() -> None:
    """Otherwise a stored model would give other probabilities."""
    x = VOCAB.leaf_id("x")
    assert fixed_points(VOCAB, 4)[x].tolist() == FIXED_4
    assert fixed_points(Vocab(VOCAB.functions, VOCAB.arities, ("x",), "Equality", numbers=True), 4)[0].tolist() == FIXED_4


def test_random_points_depend_on_the_generator_alone() -> None:
    one, same, other = (random_points(VOCAB, 5, np.random.default_rng(seed)) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one, same)
    assert (one[IS_VARIABLE] != other[IS_VARIABLE]).all()
