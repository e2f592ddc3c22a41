"""Ranks and their measures equal values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treesmu.tasks.ranks import Ranks, rank_measures, ranking, ranks

#            0    1    2    3    4    5
SCORES = [0.1, 0.9, 0.5, 0.9, 0.2, 0.5]
CLASSES = [0, 1, 0, 2, 1, 3]  # the order is 1 3 2 5 4 0, of classes 1 2 0 3 1 0


@pytest.mark.parametrize(
    ("answer", "expected"),
    [(1, (1, 1, 1)), (3, (2, 2, 2)), (2, (3, 3, 3)), (5, (4, 4, 4)), (4, (5, 1, 1)), (0, (6, 3, 3)), (-1, (0, 0, 0))],
)
def test_ranks_worked_by_hand(answer: int, expected: tuple[int, int, int]) -> None:
    assert ranks(ranking(np.array(SCORES)), np.array(CLASSES), answer) == Ranks(*expected)


def test_collapse_counts_a_class_once() -> None:
    order, classes = ranking(np.array([5, 4, 3, 2, 1])), np.array([7, 7, 7, 3, 3])
    assert ranks(order, classes, 4) == Ranks(raw=5, class_=4, collapse=2)


def test_ties_keep_the_order_of_the_candidates() -> None:
    assert ranking(np.zeros(4)).tolist() == [0, 1, 2, 3]
    assert ranks(ranking(np.zeros(4)), np.arange(4), 2) == Ranks(3, 3, 3)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=12), st.data())
def test_ranks_as_they_are_defined(rows: list[tuple[int, int]], data: st.DataObject) -> None:
    scores, classes = (np.array(column) for column in zip(*rows, strict=True))
    answer = data.draw(st.integers(0, len(rows) - 1))
    order = sorted(range(len(rows)), key=lambda i: (-scores[i], i))
    raw = order.index(answer) + 1
    own = next(k for k, i in enumerate(order, 1) if classes[i] == classes[answer])
    best = list(dict.fromkeys(classes[i] for i in order))
    found = ranks(ranking(scores), classes, answer)
    assert found == Ranks(raw, own, best.index(classes[answer]) + 1)
    assert found.collapse <= found.class_ <= found.raw


def test_measures_worked_by_hand() -> None:
    found = rank_measures(np.array([1, 2, 0, 4]), np.random.default_rng(0))
    assert found["top"] == [0.25, 0.5, 0.5, *[0.75] * 7]
    assert found["mrr"] == pytest.approx((1 + 1 / 2 + 0 + 1 / 4) / 4)
    assert all(low <= value <= high for value, (low, high) in zip(found["top"], found["top_interval"], strict=True))
    assert found["mrr_interval"][0] < found["mrr"] < found["mrr_interval"][1]


def test_intervals_are_those_of_a_share_and_depend_on_the_seed_alone() -> None:
    rank = np.where(np.arange(400) < 100, 1, 0)
    one, two = (rank_measures(rank, np.random.default_rng(3)) for _ in range(2))
    assert one == two != rank_measures(rank, np.random.default_rng(4))
    low, high = one["top_interval"][0]
    spread = 1.96 * (0.25 * 0.75 / 400) ** 0.5
    assert (low, high) == pytest.approx((0.25 - spread, 0.25 + spread), abs=0.01)


def test_intervals_have_no_width_if_all_answers_are_first() -> None:
    assert rank_measures(np.ones(7, int), np.random.default_rng(0))["top_interval"] == [[1.0, 1.0]] * 10
