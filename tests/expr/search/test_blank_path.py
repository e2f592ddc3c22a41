"""The path from a blank to the root compares fillers as the numeric check would."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.data.corpus.blanks import path_of_blank
from treesmu.expr import parse
from treesmu.expr.numeric.compare import DIFFERENT, EQUAL, UNDEFINED
from treesmu.expr.numeric.values import ValueTable
from treesmu.expr.search.blank_path import BlankPath
from treesmu.expr.search.pool import POINTS


def compared(question: str, *fillers: str) -> tuple[BlankPath, list[set[int]]]:
    """Return the path, and the outcomes at its usable points for each filler."""
    e, table = parse(question), ValueTable(POINTS)
    path = BlankPath(e, path_of_blank(e), table)
    values = table.values([parse(text) for text in fillers])
    both = np.stack([values.plain, values.disturbed])
    with np.errstate(all="ignore"):
        found = [path.compare(both[:, :, point], point) for point in path.points]
    return path, [set(column.tolist()) for column in np.stack(found).T]


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("sin(x)^2 + _ = 1", "cos(x)^2", "cos(x)"),
        ("1 = _ + sin(x)^2", "cos(x)^2", "cos(x)"),
        ("x^_ = 1/x", "-1", "1"),
        ("_^x = 2^x", "2", "3"),
        ("log(x, _) = ln(x)/ln(3)", "3", "2"),
        ("x - y*exp(_) = x - y*exp(x*y)", "x*y", "x + y"),
        ("_ = x", "x", "y"),
        ("1 - _ = 0.33", "2/3", "1/2"),
    ],
)
def test_a_right_filler_fits_and_a_wrong_one_differs(question: str, right: str, wrong: str) -> None:
    _, (fits, differs) = compared(question, right, wrong)
    assert fits <= {EQUAL, UNDEFINED}
    assert EQUAL in fits
    assert DIFFERENT in differs


def test_points_at_which_the_known_parts_have_no_value_are_left_out() -> None:
    path, _ = compared("ln(x) + _ = acosh(y)", "1")
    assert 0 < len(path.points) < POINTS.count
    assert all(POINTS.of("x")[p] > 0 and POINTS.of("y")[p] >= 1 for p in path.points)
    assert compared("ln(x) + _ = x", "x - ln(x)")[0].points
    e = parse("ln(-1) + _ = x")
    assert BlankPath(e, (0, 1), ValueTable(POINTS)).points == []


def test_points_with_large_rounding_errors_come_last() -> None:
    path, _ = compared("exp(x)*exp(40) - exp(x + 40) + _ = y", "y")
    values = ValueTable(POINTS).values([parse("exp(x)*exp(40) - exp(x + 40)")])
    errors = np.abs(values.plain - values.disturbed)[0, path.points]
    is_bad = errors > 1e-10
    assert is_bad.any()
    assert not (is_bad[:-1] & ~is_bad[1:]).any()
