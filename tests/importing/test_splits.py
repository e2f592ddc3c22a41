"""The same equation is never in two splits, shares are met, and labels and depths are mixed evenly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treesmu.errors import DataError
from treesmu.importing.settings import ImportSettings
from treesmu.importing.splits import DROPPED, NOT_GIVEN, TEST, TRAIN, VALIDATION, Assignment, assign_splits


def assign(fingerprints: Any, given_splits: Any = None, **settings: Any) -> Assignment:
    fingerprint = np.array(fingerprints, np.uint64)
    label, depth = fingerprint % 2, fingerprint % 7
    given_array = np.full(len(fingerprint), NOT_GIVEN) if given_splits is None else np.array(given_splits)
    return assign_splits(fingerprint, label.astype(np.int8), depth.astype(np.int16), given_array, ImportSettings(**settings))


@given(st.lists(st.integers(0, 30), min_size=3).filter(lambda rows: len(set(rows)) > 2), st.integers(0, 5))
def test_no_equation_is_in_two_splits_and_every_split_has_one(rows: list[int], seed: int) -> None:
    found = assign(rows, seed=seed)
    assert set(found.split.tolist()) == {TRAIN, VALIDATION, TEST}
    for value in set(rows):
        assert len(set(found.split[np.array(rows) == value].tolist())) == 1
    assert found.split.tolist() == assign(rows, seed=seed).split.tolist()


def test_shares_are_met_within_labels_and_depths() -> None:
    rows = np.arange(1400)
    found = assign(rows, validation=0.1, test=0.2)
    for chosen in [rows >= 0, rows % 2 == 0, rows % 2 == 1, *(rows % 7 == d for d in range(7))]:
        shares = [(found.split[chosen] == number).mean() for number in (TRAIN, VALIDATION, TEST)]
        assert shares == pytest.approx([0.7, 0.1, 0.2], abs=0.02)


def test_another_seed_gives_other_splits_and_the_order_of_rows_does_not_matter() -> None:
    rows = np.arange(200)
    one, other = assign(rows), assign(rows, seed=1)
    assert (one.split != other.split).any()
    assert (assign(rows[::-1]).split[::-1] == one.split).all()


def test_equations_are_numbered_by_first_occurrence() -> None:
    assert assign([9, 4, 9, 7, 4]).group.tolist() == [0, 1, 0, 2, 1]


def test_given_splits_are_kept_and_missing_ones_drawn_from_training() -> None:
    given_splits = [TEST] * 10 + [TRAIN] * 40 + [NOT_GIVEN] * 50
    found = assign(range(100), given_splits)
    assert (found.split[:10] == TEST).all()
    assert set(found.split[10:].tolist()) == {TRAIN, VALIDATION}
    assert ((found.split == VALIDATION).sum(), found.drawn) == (9, ("validation",))
    everything = assign(range(4), [TRAIN, VALIDATION, TEST, NOT_GIVEN])
    assert (everything.split.tolist(), everything.drawn) == ([TRAIN, VALIDATION, TEST, TRAIN], ())


def test_names_are_ignored_if_nothing_is_left_to_train_on() -> None:
    found = assign(range(30), [TEST] * 30)
    assert found.are_names_ignored
    assert set(found.split.tolist()) == {TRAIN, VALIDATION, TEST}


@pytest.mark.parametrize(("overlap", "left"), [("keep", TRAIN), ("drop", DROPPED)])
def test_training_equations_that_are_in_a_test_file_are_counted(overlap: str, left: int) -> None:
    found = assign([1, 2, 3, 4, 5, 1, 2, 9], [TRAIN] * 5 + [TEST] * 3, overlap=overlap)
    assert (found.overlap, found.split[:2].tolist(), found.split[5:].tolist()) == (2, [left] * 2, [TEST] * 3)
    assert (found.split[2:5] == VALIDATION).sum() == 1  # drawn from what is not in the test file


def test_a_share_of_zero_makes_no_split() -> None:
    assert set(assign(range(20), validation=0.3, test=0).split.tolist()) == {TRAIN, VALIDATION}


def test_too_few_equations_are_refused() -> None:
    with pytest.raises(DataError, match="too few different equations for train, validation, test: 2; give at least 3"):
        assign([1, 2, 2, 1])
