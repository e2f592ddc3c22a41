"""Means, deviations, significance, and counts pooled over depths."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_ind

from treesmu.report.numbers import Spread, is_significant, pool, spread
from treesmu.tasks.measures import by_depth, verification_measures


def test_the_deviation_is_that_of_the_sample_and_one_seed_has_none() -> None:
    found = Spread((0.7, 0.8, 0.9))
    assert (found.mean, found.sd, found.seeds) == (pytest.approx(0.8), pytest.approx(0.1), 3)
    assert Spread((0.7,)).sd is None


def test_seeds_without_the_measure_are_ignored() -> None:
    assert spread([None, 0.5, 0.6]) == Spread((0.5, 0.6))
    assert spread([None, None]) is None


@pytest.mark.parametrize("seed", range(20))
def test_pooled_depths_give_exactly_the_measures_of_all_their_equations(seed: int) -> None:
    """Including depths without correct equations, or where a model calls no equation correct."""
    rng = np.random.default_rng(seed)
    depth = rng.integers(1, 12, 400)
    label = (rng.random(400) < 0.5).astype(int) * (depth != 4)
    probability = np.clip(rng.random(400) + 0.2 * label, 0, 0.99) * (depth != 6)
    found = pool(by_depth(probability, label, depth), 3, 9)
    chosen = (depth >= 3) & (depth <= 9)
    wanted = verification_measures(probability[chosen], label[chosen])
    for name in ("equations", "correct", "called_correct", "accuracy", "precision", "recall"):
        assert getattr(found, name) == wanted[name]


def test_without_equations_there_are_no_measures() -> None:
    found = pool({}, 1, 7)
    assert (found.accuracy, found.precision, found.recall) == (None, None, None)
    assert pool({"1": verification_measures(np.zeros(2), np.zeros(2))}, 1, 1).true_positives == 0


def test_significance_is_that_of_welchs_test() -> None:
    rng = np.random.default_rng(1)
    outcomes = set()
    for _ in range(300):
        a, b = rng.normal(0, 1, rng.integers(2, 5)), rng.normal(rng.uniform(0, 5), rng.uniform(0, 2), rng.integers(2, 5))
        wanted = bool(ttest_ind(a, b, equal_var=False).pvalue < 0.05)
        outcomes.add(wanted)
        assert is_significant(Spread(tuple(a)), Spread(tuple(b))) is wanted
    assert outcomes == {True, False}


def test_two_and_a_half_standard_errors_are_not_significant_with_three_seeds() -> None:
    a, b = Spread((0.70, 0.71, 0.72)), Spread((0.7205, 0.7305, 0.7405))
    assert (b.mean - a.mean) / np.sqrt((a.sd**2 + b.sd**2) / 3) > 2.5
    assert is_significant(a, b) is False


def test_without_deviation_a_difference_of_means_is_significant() -> None:
    assert is_significant(Spread((0.5, 0.5)), Spread((0.6, 0.6))) is True
    assert is_significant(Spread((0.5, 0.5)), Spread((0.5, 0.5, 0.5))) is False
    assert is_significant(Spread((0.5, 0.5)), Spread((0.6, 0.9))) is False


def test_the_significance_of_one_seed_is_unknown() -> None:
    assert is_significant(Spread((0.70,)), Spread((0.75, 0.85))) is None
