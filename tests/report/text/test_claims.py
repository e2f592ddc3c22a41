"""Differences in words: only what survives the correction is claimed."""

from __future__ import annotations

import pytest

from treesmu.report.numbers import Spread
from treesmu.report.statistics.family import Family
from treesmu.report.text.claims import changes, differences, title
from treesmu.task_names import R2

LOW, HIGH = Spread((0.50, 0.51, 0.52)), Spread((0.70, 0.71, 0.721))
NOISY, ONE = Spread((0.1, 0.6, 0.9)), Spread((0.6,))
Pairs = list[tuple[Spread, Spread]]


def family(pairs: Pairs) -> Family:
    return Family("q", {"a": [("paper corpus", old, new) for old, new in pairs]})


@pytest.mark.parametrize(
    ("pairs", "text"),
    [
        ([(LOW, HIGH)], "+20.0 (paper corpus; 95% interval +19.9 to +20.2) points; significant"),
        ([(LOW, NOISY)], "; not significant"),
        ([(LOW, ONE)], "+9.0 (paper corpus) points; one seed, so this may be due to chance"),
        ([(LOW, HIGH), (HIGH, LOW), (LOW, NOISY), (LOW, HIGH)], "higher in 2 and significantly lower in 1 of 4 cases"),
        ([(HIGH, LOW), (HIGH, LOW), (LOW, ONE)], "lower in 2 of 2 cases (1 with one seed not counted)"),
        ([(HIGH, LOW), (LOW, ONE)], "higher in 0 and significantly lower in 1 of 1 case (1 with one seed not counted)"),
    ],
)
def test_a_change_has_a_direction_and_single_seeds_are_not_counted(pairs: Pairs, text: str) -> None:
    assert changes(family(pairs)).endswith(text)


def test_a_range_without_conditions_says_what_is_significant() -> None:
    found = differences(family([(LOW, HIGH), (LOW, NOISY)]))
    assert found == "+2.3 to +20.0 points, significantly higher in 1 and significantly lower in 0 of 2 cases"


@pytest.mark.parametrize(
    ("pairs", "text"),
    [
        ([], "Accuracy by depth"),
        ([(LOW, ONE)], "Accuracy by depth"),
        ([(LOW, NOISY)], "Accuracy by depth: no significant difference in productivity"),
        ([(LOW, HIGH)], "Accuracy by depth: productivity is higher in 1 and lower in 0 of 1 case"),
        ([(HIGH, LOW), (LOW, NOISY), (LOW, ONE)], "Accuracy by depth: productivity is higher in 0 and lower in 1 of 2 cases"),
    ],
)
def test_a_title_claims_what_is_significant_and_nothing_from_one_seed(pairs: Pairs, text: str) -> None:
    assert title("Accuracy by depth", "productivity", family(pairs)) == text


def test_differences_of_r2_are_no_points() -> None:
    tested = Family("q", {"a": [("", LOW, HIGH)]}, {"a": R2})
    assert changes(tested) == "+0.200 (95% interval +0.199 to +0.202) of R²; significant"
