"""Means, deviations, counts pooled over depths, and power laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treesmu.models.trees.answer_kind import r_squared
from treesmu.report.numbers import Spread, fit_power_law, pool, pool_r2, spread, spread_by_seed
from treesmu.tasks.measures import by_depth, verification_measures
from treesmu.tasks.task import measured_by_depth
from treesmu.tasks.trees import numbers


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


def test_values_are_known_by_their_seed() -> None:
    found = spread_by_seed([(7, 0.5), (3, None), (9, 0.6)])
    assert found == Spread((0.5, 0.6))  # seeds are not part of the measure
    assert found is not None
    assert found.by_seed == {7: 0.5, 9: 0.6}
    assert spread_by_seed([(3, None)]) is None
    assert Spread((0.5, 0.6)).by_seed == {0: 0.5, 1: 0.6}


# -- power laws --------------------------------------------------------------------------------------------------------


@given(st.floats(0.01, 10), st.floats(-1, 2))
def test_an_exact_law_is_found_again(scale: float, exponent: float) -> None:
    law = fit_power_law({size: scale * size**-exponent for size in (10.0, 100.0, 300.0, 5000.0)})
    assert law is not None
    assert law.exponent == pytest.approx(exponent, abs=1e-9)
    assert law.scale == pytest.approx(scale, rel=1e-6)
    assert law.error(40.0) == pytest.approx(scale * 40**-exponent, rel=1e-6)


def test_values_by_hand() -> None:
    law = fit_power_law({1.0: 0.4, 4.0: 0.2, 16.0: 0.1})  # halved by four times the size
    assert law is not None
    assert (law.scale, law.exponent, law.fit, law.tenfold) == pytest.approx((0.4, 0.5, 1.0, 10**-0.5 - 1))
    rising = fit_power_law({1.0: 0.1, 2.0: 0.2, 4.0: 0.1})
    assert rising is not None
    assert rising.exponent == pytest.approx(0)
    assert rising.fit == pytest.approx(0)


@pytest.mark.parametrize("errors", [{}, {1.0: 0.5, 2.0: 0.4}, {1.0: 0.5, 2.0: 0.4, 3.0: 0.0}])
def test_two_sizes_or_an_error_of_nothing_make_no_law(errors: dict[float, float]) -> None:
    assert fit_power_law(errors) is None


def _of_numbers(depth: object, answer: object, prediction: object) -> dict[str, dict[str, object]]:
    """Return by_depth of a test.json of the task regress."""
    return measured_by_depth(depth, lambda chosen: numbers._measures(answer[chosen], prediction[chosen]))  # type: ignore[arg-type, index]


def test_pooled_depths_give_exactly_the_r2_of_all_their_trees() -> None:
    rng = np.random.default_rng(0)
    depth, answer = rng.integers(1, 9, 300), 1e6 + 3 * rng.random(300)
    answer += depth  # depths have different means
    prediction = answer + rng.normal(size=300)
    found = _of_numbers(depth, answer, prediction)
    for low, high in ((1, 8), (3, 3), (6, 99)):
        chosen = (low <= depth) & (depth <= high)
        assert pool_r2(found, low, high) == pytest.approx(r_squared(answer[chosen], prediction[chosen]), rel=1e-6)
    assert pool_r2(found, 9, 99) is None


def test_r2_of_equal_labels_is_not_defined_but_that_of_different_depths_is() -> None:
    depth, answer = np.array([1, 1, 2, 2]), np.array([0.1, 0.1, 0.7, 0.7])
    found = _of_numbers(depth, answer, answer + 0.3)
    assert (pool_r2(found, 1, 1), pool_r2(found, 2, 2)) == (None, None)
    assert pool_r2(found, 1, 2) == pytest.approx(0.0, abs=1e-9)
