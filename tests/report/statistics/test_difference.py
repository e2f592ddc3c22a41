"""Differences paired by seed: their size, interval and p-value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from treesmu.report.numbers import Spread
from treesmu.report.statistics.difference import Difference

SHARES = st.floats(0, 1).map(lambda value: round(value, 4))


def test_the_interval_is_that_of_the_t_distribution() -> None:
    found = Difference(Spread((0.50, 0.50, 0.50)), Spread((0.51, 0.52, 0.53)))
    assert found.mean == pytest.approx(0.02)
    half = 4.30265 * 0.01 / 3**0.5  # the 97.5% point with 2 degrees of freedom; the standard deviation is 0.01
    assert found.interval == pytest.approx((0.02 - half, 0.02 + half), abs=1e-6)


def test_runs_are_paired_by_seed_whatever_their_order() -> None:
    """Paired by place, the differences would be +2 and +4; the seed 9 has no partner."""
    old, new = Spread((0.5, 0.6), (1, 2)), Spread((0.64, 0.1, 0.52), (2, 9, 1))
    found = Difference(old, new)
    assert found.by_seed == pytest.approx((0.02, 0.04))
    assert found.mean == pytest.approx(0.03)


def test_a_single_pair_is_not_tested_and_its_size_is_that_of_the_means() -> None:
    found = Difference(Spread((0.5, 0.7), (1, 2)), Spread((0.9,), (1,)))
    assert (found.is_tested, found.p, found.interval) == (False, None, None)
    assert found.mean == pytest.approx(0.9 - 0.6)
    assert Difference(Spread((0.5,), (1,)), Spread((0.6,), (2,))).mean == pytest.approx(0.1)  # no pair at all


def test_equal_differences_of_all_seeds_claim_nothing() -> None:
    assert Difference(Spread((0.5, 0.6)), Spread((0.7, 0.8))).p == 1.0


@given(st.lists(st.tuples(SHARES, SHARES), min_size=2, max_size=8))
def test_p_and_its_symmetry_agree_with_scipy(pairs: list[tuple[float, float]]) -> None:
    old, new = (Spread(side) for side in zip(*pairs, strict=True))
    found = Difference(old, new)
    assert found.p == pytest.approx(Difference(new, old).p)
    if len({round(b - a, 6) for a, b in pairs}) > 1:
        assert found.p == pytest.approx(ttest_rel(new.values, old.values).pvalue, abs=1e-6)
        low, high = found.interval or (0.0, 0.0)
        assert (low > 0 or high < 0) == (found.p < 0.05)  # one test by itself: the interval and p say the same
