"""Figures as data: what is empty is left out, and the CSV has every number that is drawn."""

from __future__ import annotations

import pytest

from treesmu.report.figures.figure import Dot, Dots, Figure, Lines, Scatter, Series, drawable, numbers, r2_range, rounded_range
from treesmu.report.numbers import Spread

LINE = Series("a", (1.0, 2.0), (50.0, 60.0), (None, 1.5))
EMPTY = Series("b", (), ())


def lines(*series: Series) -> Lines:
    return Lines("panel", "x", "y", series)


def test_a_line_has_a_point_where_there_is_a_measure() -> None:
    found = Series.over("a", {1.0: Spread((0.5,)), 2.0: None, 3.0: Spread((0.2, 0.4))}, colour="#123456")
    assert (found.label, found.x, found.colour) == ("a", (1.0, 3.0), "#123456")
    assert found.y == (50.0, pytest.approx(30.0))
    assert found.sd == (None, pytest.approx(14.14213562))
    assert Series.over("a", {1.0: Spread((0.5,))}, scale=1).y == (0.5,)


def test_empty_lines_and_panels_are_left_out() -> None:
    found = drawable(Figure("name", "title", "note", (lines(LINE, EMPTY), lines(EMPTY), Dots("dots", "x", (Dot("heading"),)))))
    assert found is not None
    assert found.panels == (lines(LINE),)
    assert drawable(Figure("name", "title", "note", (lines(EMPTY), Scatter("s", (), (), ())))) is None


@pytest.mark.parametrize(
    ("values", "expected"), [((53.0, 71.0), (50, 75)), ((51.9, 73.1), (45, 80)), ((1.0, 99.0), (0, 100)), ((), (0, 100))]
)
def test_a_range_is_rounded_to_fives_with_room_around_the_lines(
    values: tuple[float, ...], expected: tuple[float, float]
) -> None:
    assert rounded_range([Series("a", values, values)]) == expected


def test_panels_stand_side_by_side_up_to_a_number() -> None:
    panel = lines(LINE)
    columns = [Figure("n", "t", "", (panel,) * many, most).columns for many, most in ((1, 2), (3, 2), (3, 4))]
    assert columns == [1, 2, 3]


def test_the_csv_has_every_number_that_is_drawn() -> None:
    paper = Series("a", (1.0,), (49.5,), is_paper=True)
    with_cloud = Lines("cloud", "x", "y", (), cloud=((0.1, 7.0),))
    dots = Dots("dots", "x", (Dot("hard"), Dot("one", 80.25, 0.5, paper=79.0), Dot("two", 70.0)))
    figure = Figure("n", "t", "", (lines(LINE, paper), with_cloud, dots, Scatter("map", (0.5,), (1 / 3,), ("x + 1",))))
    assert numbers(figure).splitlines() == [
        "panel,name,x,y,sd",
        "panel,a,1,50,",
        "panel,a,2,60,1.5",
        "panel,a (paper),1,49.5,",
        "cloud,each,0.1,7,",
        "dots,hard: one,80.25,,0.5",
        "dots,hard: one (paper),79,,",
        "dots,hard: two,70,,",
        "map,x + 1,0.5,0.3333333333,",
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((0.31, 0.92), (0.2, 1.0)),
        ((-0.05, 0.5), (-0.1, 0.6)),
        ((-30.0, 0.2), (-1.0, 0.3)),
        ((-9.0, -2.0), (-1.0, 0.0)),
        ((), (-0.1, 1.0)),
    ],
)
def test_a_range_of_r2_is_in_tenths_and_not_below_minus_1(values: tuple[float, ...], expected: tuple[float, float]) -> None:
    assert r2_range([Series("a", values, values)]) == pytest.approx(expected)
