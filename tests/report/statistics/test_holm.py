"""Holm's correction: values worked by hand, and what holds for any p-values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treesmu.report.statistics.holm import holm

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("raw", "corrected"),
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),  # 3 · 0.01; 2 · 0.03; 1 · 0.04 = 0.04 is raised to the one before it
        ([0.04, 0.01, 0.02, 0.005], [0.04, 0.03, 0.04, 0.02]),  # 4 · 0.005, 3 · 0.01, 2 · 0.02, 1 · 0.04
        ([0.6, 0.5, 0.2], [1.0, 1.0, 0.6]),  # 3 · 0.2; 2 · 0.5 = 1; 1 · 0.6 is raised to 1
        ([0.02, 0.02], [0.04, 0.04]),  # equal values stay equal
        ([0.0, 1.0], [0.0, 1.0]),
    ],
)
def test_corrected_values_are_those_worked_by_hand(raw: list[float], corrected: list[float]) -> None:
    assert holm(raw) == pytest.approx(corrected)


@given(P_VALUES)
def test_no_corrected_value_is_below_its_raw_value_or_above_one(raw: list[float]) -> None:
    assert all(p <= q <= 1 for p, q in zip(raw, holm(raw), strict=True))


@given(P_VALUES)
def test_the_order_of_the_values_is_kept(raw: list[float]) -> None:
    both = sorted(zip(raw, holm(raw), strict=True))
    assert [q for _, q in both] == sorted(q for _, q in both)


@given(P_VALUES)
def test_the_smallest_value_is_corrected_as_by_bonferroni_and_no_other_by_more(raw: list[float]) -> None:
    corrected, m = holm(raw), len(raw)
    assert min(corrected) == pytest.approx(min(1.0, m * min(raw)))
    assert all(q <= min(1.0, m * p) + 1e-12 for p, q in zip(raw, corrected, strict=True))


@given(P_VALUES, st.randoms(use_true_random=False))
def test_the_correction_does_not_depend_on_the_order_of_the_comparisons(raw: list[float], random: object) -> None:
    places = list(range(len(raw)))
    random.shuffle(places)  # type: ignore[attr-defined]
    shuffled = holm([raw[k] for k in places])
    assert [dict(zip(places, shuffled, strict=True))[k] for k in range(len(raw))] == holm(raw)


@given(P_VALUES, st.floats(0, 1))
def test_one_more_comparison_never_lowers_a_corrected_value(raw: list[float], more: float) -> None:
    assert all(before <= after + 1e-12 for before, after in zip(holm(raw), holm([*raw, more]), strict=False))
