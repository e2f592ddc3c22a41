"""Comparison in float64: equal, different, undefined or unsure at each point."""

from __future__ import annotations

import pytest

from treesmu.expr import parse
from treesmu.expr.numeric.compare import (
    DIFFERENT,
    EQUAL,
    UNDEFINED,
    UNSURE,
    compare_sides,
    hold_at_complex_points,
    tolerance_of,
)
from treesmu.expr.numeric.sample_points import SamplePoints
from treesmu.expr.numeric.values import ValueTable

STATUS = {
    "sin(x)^2 + cos(x)^2 = 1": {EQUAL},
    "sin(x) = sin(x) + 1": {DIFFERENT},
    "acos(10) = x": {UNDEFINED},
    "tanh(30) = 1": {UNSURE},
    "ln(x) = ln(x)": {EQUAL, UNDEFINED},
}


def test_each_point_has_its_status() -> None:
    found = compare_sides([parse(text) for text in STATUS], ValueTable(SamplePoints(0, 24)))
    assert [set(row) for row in found.status.tolist()] == [*STATUS.values()]
    equal, different = found.settled()
    assert equal.tolist()[:4] == [True, False, False, False]
    assert different.tolist() == [False, True, False, False, False]


def test_a_point_names_the_variables_of_the_equation() -> None:
    e = parse("x + theta = 1")
    found = compare_sides([e], ValueTable(SamplePoints(0, 24)))
    point = found.point(e, 3)
    assert set(point) == {"x", "theta"}
    assert point["x"] + point["theta"] == pytest.approx(found.left[0, 3])


def test_an_identity_of_the_real_line_only_fails_at_complex_points() -> None:
    table = ValueTable(SamplePoints(0, 8, is_complex=True))
    texts = ("sin(x)^2 + cos(x)^2 = 1", "ln(x*y) = ln(x) + ln(y)", "x = y")
    assert hold_at_complex_points([parse(text) for text in texts], table).tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("text", "tolerance"),
    [("sin(2.5) = 0.6", 0.05), ("0.598 = sin(2.5)", 0.0005), ("x = 0.5", 0), ("0.60 = 0.6", 0), ("1/2 = 2/4", 0)],
)
def test_a_single_decimal_is_meant_to_the_digits_shown(text: str, tolerance: float) -> None:
    assert tolerance_of(parse(text)) == pytest.approx(tolerance)
