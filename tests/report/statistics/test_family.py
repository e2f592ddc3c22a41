"""Families: what may be claimed of differences that are tested together."""

from __future__ import annotations

import pytest

from treesmu.report.numbers import Spread
from treesmu.report.statistics.family import Family, Outcome, count, differences_tables
from treesmu.task_names import R2

LOW = Spread((0.500, 0.501, 0.502, 0.503))
HIGH = Spread((0.600, 0.603, 0.601, 0.605))  # far above LOW with every seed
ABOVE = Spread((0.512, 0.517, 0.503, 0.516))  # above LOW by 5%, but not by 1%
ONE = Spread((0.9,))


def test_a_difference_is_claimed_with_its_direction() -> None:
    family = Family("q", {"up": [("here", LOW, HIGH)], "down": [("here", HIGH, LOW)], "single": [("there", LOW, ONE)]})
    assert [one.outcome for one in family] == [Outcome.HIGHER, Outcome.LOWER, Outcome.ONE_SEED]
    assert [(one.what, one.where) for one in family["down"]] == [("down", "here")]
    assert (family.tests, family["nothing"]) == (2, [])
    assert (count(family, Outcome.HIGHER), count(family, Outcome.NOT_SHOWN)) == (1, 0)


def test_what_is_significant_by_itself_need_not_survive_the_other_comparisons() -> None:
    alone = Family("q", {"a": [("x", LOW, ABOVE)]})
    assert [one.outcome for one in alone] == [Outcome.HIGHER]
    many = Family("q", {"a": [("x", LOW, ABOVE)], "b": [(k, LOW, LOW) for k in range(9)]})
    (tested,) = many["a"]
    assert tested.difference.p is not None
    assert tested.difference.p < 0.05 < (tested.corrected or 0)
    assert tested.outcome is Outcome.NOT_SHOWN


def test_comparisons_of_one_seed_do_not_count_as_tests() -> None:
    family = Family("q", {"a": [("x", LOW, ABOVE)], "b": [(k, ONE, ONE) for k in range(9)]})
    assert (family.tests, family["a"][0].outcome) == (1, Outcome.HIGHER)


def test_the_table_has_every_difference_with_both_p_values() -> None:
    family = Family("the question", {"up": [("here", LOW, HIGH)], "single": [("there", LOW, ONE)]})
    (table,) = differences_tables([Family("empty", {}), family])
    tested, single = table.rows
    assert tested[:3] == ("the question (tests: 1)", "up", "here")
    assert tested[3] == pytest.approx(0.10075)
    assert (tested[6], tested[8] == tested[7], tested[9]) == (4, True, "higher")
    assert single[3:] == (pytest.approx(0.3985), None, None, 1, None, None, "one seed")
    assert differences_tables([Family("empty", {})]) == []


def test_differences_of_r2_have_a_table_of_their_own_but_are_corrected_with_the_others() -> None:
    compared = {"up": [("", LOW, HIGH)], "numbers": [("", LOW, ABOVE)]}
    family = Family("q", compared, {"numbers": R2})
    assert [one.corrected for one in family] == [one.corrected for one in Family("q", compared)]
    shares, numbers = differences_tables([family])
    assert (shares.name, numbers.name, len(shares.rows), len(numbers.rows)) == ("differences", "differences-r2", 1, 1)
    assert (shares.columns[3].title, shares.columns[3].scale) == ("difference, points", 100)
    assert (numbers.columns[3].title, numbers.columns[3].scale) == ("difference of R²", 1)
