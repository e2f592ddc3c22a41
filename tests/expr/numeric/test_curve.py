"""The curves of both sides: the values of the expressions, broken where a line would be wrong."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.expr import parse
from treesmu.expr.numeric.curve import POINTS, Curve, curve_of


def _curve(text: str) -> Curve:
    found = curve_of(parse(text))
    assert found is not None
    return found


def test_the_values_are_those_of_both_sides() -> None:
    curve = _curve("sin(2t) = 2 sin(t)")
    assert (curve.variable, len(curve.x), curve.x[0], curve.x[-1]) == ("t", POINTS, -6, 6)
    assert np.allclose(curve.left, np.sin(2 * curve.x))
    assert np.allclose(curve.right, 2 * np.sin(curve.x))
    assert curve.low < -2 < 2 < curve.high


@pytest.mark.parametrize("text", ["x + y = 2", "1 + 1 = 2", "sin(x)^2 + _ = 1"])
def test_only_an_equation_of_one_variable_has_a_curve(text: str) -> None:
    assert curve_of(parse(text)) is None


def test_nothing_is_drawn_if_neither_side_has_a_real_value() -> None:
    assert curve_of(parse("sqrt(-x^2 - 1) = log(-x^2 - 1)")) is None


def test_a_side_without_values_leaves_the_other() -> None:
    curve = _curve("sqrt(-x^2 - 1) = x")
    assert np.isnan(curve.left).all()
    assert np.array_equal(curve.right, curve.x)


def test_undefined_parts_have_no_values() -> None:
    curve = _curve("sqrt(x) = x")
    assert np.array_equal(np.isnan(curve.left), curve.x < 0)


@pytest.mark.parametrize(("text", "inside"), [("acosh(x) = log(x)", 2.0), ("asech(x) = 1", 0.5), ("sqrt(x - 30) = x", 35.0)])
def test_the_range_is_one_in_which_both_sides_are_defined(text: str, inside: float) -> None:
    curve = _curve(text)
    assert curve.x[0] < inside < curve.x[-1]
    assert (~np.isnan(curve.left) & ~np.isnan(curve.right)).any()


@pytest.mark.parametrize(("text", "jumps"), [("tan(x) = x", 4), ("1/(x - 1/100) = x", 1), ("acot(x) = x", 1)])
def test_the_line_breaks_at_poles_and_jumps_only(text: str, jumps: int) -> None:
    assert np.isnan(_curve(text).left).sum() == jumps


@pytest.mark.parametrize("text", ["tanh(20x) = x", "exp(x) = x", "x^9 = x"])
def test_a_steep_curve_does_not_break(text: str) -> None:
    assert not np.isnan(_curve(text).left).any()


def test_a_pole_does_not_flatten_the_rest() -> None:
    curve = _curve("tan(x) = sin(x)/cos(x)")
    assert -20 < curve.low < -1
    assert 1 < curve.high < 20


def test_a_side_that_is_far_larger_does_not_flatten_the_other() -> None:
    curve = _curve("exp(exp(x)) = sin(x)")
    assert curve.low < -1
    assert 1 < curve.high < 20


def test_constant_sides_have_room_above_and_below() -> None:
    curve = _curve("x/x = 1")
    assert curve.low < 0.9
    assert curve.high > 1.1
