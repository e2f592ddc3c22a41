"""Agreement of predictions before and after, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.experiments.probes.agreement import agreement, share

BEFORE = np.array([True, True, False, False, True])
AFTER = np.array([True, False, False, True, True])
LABEL = np.array([1, 1, 0, 0, 0])
DEPTH = np.array([10, 10, 9, 9, 9])


def test_shares_are_counted_overall_and_by_depth() -> None:
    found = agreement(BEFORE, AFTER, LABEL, DEPTH)
    by_depth = found.pop("by_depth")
    assert found == {
        "equations": 5, "agreement": pytest.approx(3 / 5), "accuracy_before": pytest.approx(4 / 5),
        "accuracy_after": pytest.approx(2 / 5),
    }  # fmt: skip
    assert list(by_depth) == ["9", "10"]
    assert by_depth["10"] == {"equations": 2, "agreement": 0.5, "accuracy_before": 1.0, "accuracy_after": 0.5}
    assert by_depth["9"]["agreement"] == pytest.approx(2 / 3)


def test_a_constant_predictor_agrees_with_itself_perfectly() -> None:
    constant = np.ones(5, bool)
    found = agreement(constant, constant, LABEL, DEPTH)
    assert (found["agreement"], found["accuracy_before"], found["accuracy_after"]) == (1.0, 0.4, 0.4)


def test_no_rows_have_no_share() -> None:
    nothing = np.array([], bool)
    assert share(nothing) is None
    assert agreement(nothing, nothing, nothing, nothing) == {
        "equations": 0, "agreement": None, "accuracy_before": None, "accuracy_after": None, "by_depth": {},
    }  # fmt: skip
    assert share(np.array([True, False, False, False])) == 0.25
