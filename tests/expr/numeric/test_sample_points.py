"""Sample points: the same for a seed and a name, in all ranges, never at 0."""

from __future__ import annotations

import numpy as np

from treesmu.expr.numeric.sample_points import FAR_RANGES, NEAR_RANGES, SamplePoints


def test_values_depend_on_the_seed_and_the_name_only() -> None:
    points = SamplePoints(3, 24)
    assert np.array_equal(points.of("x"), SamplePoints(3, 24).of("x"))
    assert not np.array_equal(points.of("x"), points.of("y"))
    assert not np.array_equal(points.of("x"), SamplePoints(4, 24).of("x"))


def test_every_range_has_points_and_all_variables_share_it_in_the_first_half() -> None:
    for ranges in (NEAR_RANGES, FAR_RANGES):
        points = SamplePoints(0, 96, ranges)
        for name in ("x", "theta_3"):
            for i, value in enumerate(points.of(name)[:48].tolist()):
                low, high = ranges[i % len(ranges)]
                assert low <= value <= high


def test_points_that_are_not_mixed_share_their_range_throughout() -> None:
    points = SamplePoints(0, 12, ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)), is_mixed=False)
    for name in ("x", "y", "theta_3"):
        assert np.floor(points.of(name)).tolist() == [1, 3, 5] * 4


def test_no_value_is_zero_and_all_have_at_most_four_decimals() -> None:
    values = np.concatenate([SamplePoints(seed, 96).of("x") for seed in range(200)])
    assert (values != 0).all()
    assert np.array_equal(values, np.round(values, 4))


def test_complex_points_are_off_the_negative_axis() -> None:
    values = SamplePoints(0, 200, is_complex=True).of("x")
    assert values.dtype == complex
    assert (np.abs(np.angle(values)) < 3.1).all()
    assert (np.abs(values) >= 0.2).all()
