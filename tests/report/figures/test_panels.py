"""Positions of labels, and short numbers."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treesmu.report.figures.panels import short_number, spread_apart


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_labels_do_not_overlap_keep_their_order_and_stay_inside(wanted: list[float]) -> None:
    wanted, size = sorted(wanted), 0.1
    found = spread_apart(wanted, [size] * len(wanted))
    assert all(b - a >= size - 1e-6 for a, b in itertools.pairwise(found))
    assert min(found) >= size / 2 - 1e-6
    assert max(found) <= 1 - size / 2 + 1e-6


def test_labels_with_enough_room_are_not_moved() -> None:
    assert spread_apart([0.2, 0.5, 0.8], [0.1, 0.1, 0.1]) == pytest.approx([0.2, 0.5, 0.8])
    assert spread_apart([0.5, 0.5], [0.1, 0.1]) == pytest.approx([0.45, 0.55])


def test_large_numbers_are_abbreviated() -> None:
    assert [short_number(x) for x in (7, 0.5, 1000, 30_000, 300_000, 1_000_000, 1_072_653)] == [
        "7",
        "0.5",
        "1000",
        "30k",
        "300k",
        "1M",
        "1.07M",
    ]
