"""Measures of verification equal values worked out by hand."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from treesmu.tasks.measures import by_depth, calibration_error, verification_measures

#                         TP   TP   TP   FN   FP   TN   TN   TN
PROBABILITY = np.array([0.9, 0.8, 0.5, 0.2, 0.6, 0.1, 0.3, 0.4])
LABEL = np.array([1, 1, 1, 1, 0, 0, 0, 0], np.int8)


def test_measures_are_those_worked_out_by_hand() -> None:
    found = verification_measures(PROBABILITY, LABEL)
    assert found["equations"] == 8
    assert found["correct"] == 4
    assert found["accuracy"] == 6 / 8
    assert found["precision"] == 3 / 4
    assert found["recall"] == 3 / 4
    assert found["specificity"] == 3 / 4
    assert found["f1"] == 2 * 0.75 * 0.75 / 1.5
    wanted = -(log(0.9) + log(0.8) + log(0.5) + log(0.2) + log(0.4) + log(0.9) + log(0.7) + log(0.6)) / 8
    assert found["log_loss"] == pytest.approx(wanted)


def test_calibration_error_is_the_gap_of_each_bin_weighted_by_its_size() -> None:
    p = np.array([0.02, 0.04, 0.97, 0.99, 0.98, 1.0])  # the first bin of fifteen, and the last
    is_correct = np.array([False, True, True, True, False, True])
    first, last = abs(0.03 - 1 / 2), abs(0.985 - 3 / 4)
    assert calibration_error(p, is_correct) == pytest.approx(2 / 6 * first + 4 / 6 * last)
    assert calibration_error(np.array([0.0, 1.0]), np.array([False, True])) == 0
    assert calibration_error(np.full(4, 0.75), np.array([True, True, True, False])) == 0


def test_one_half_means_correct() -> None:
    assert verification_measures(np.array([0.5]), np.array([1]))["accuracy"] == 1


def test_an_undefined_measure_is_none() -> None:
    none_called_correct = verification_measures(np.array([0.1, 0.2]), np.array([1, 0]))
    assert none_called_correct["precision"] is None
    assert (none_called_correct["recall"], none_called_correct["specificity"], none_called_correct["f1"]) == (0, 1, 0)
    none_correct = verification_measures(np.array([0.1]), np.array([0]))
    assert (none_correct["recall"], none_correct["precision"], none_correct["f1"]) == (None, None, None)
    empty = verification_measures(np.empty(0), np.empty(0, np.int8))
    assert {key for key, value in empty.items() if value is not None} == {"equations", "correct", "called_correct"}


def test_the_log_loss_of_a_confident_error_is_finite() -> None:
    assert verification_measures(np.array([1.0, 0.0]), np.array([0, 1]))["log_loss"] == pytest.approx(-log(1e-7))
    assert verification_measures(np.array([1.0, 0.0]), np.array([1, 0]))["log_loss"] == pytest.approx(0, abs=1e-6)


def test_each_depth_has_its_own_measures() -> None:
    depth = np.array([2, 2, 2, 2, 2, 10, 10, 10], np.int16)
    found = by_depth(PROBABILITY, LABEL, depth)
    assert list(found) == ["2", "10"]
    assert found["2"] == verification_measures(PROBABILITY[:5], LABEL[:5])
    assert found["10"]["accuracy"] == 1
