"""mpmath distinguishes equal from different at a point, and gives no verdict where it is not certain."""

from __future__ import annotations

from fractions import Fraction

import pytest

from treesmu.data.inspect.mpmath_witness import ask_mpmath, stays_equal, undefined_part
from treesmu.expr import parse

HALF, THREE = Fraction(1, 2), Fraction(3)


@pytest.mark.parametrize(
    ("text", "x", "answer"),
    [
        ("sin(x)^2 + cos(x)^2 = 1", HALF, "equal"),
        ("sin(2x) = 2 sin(x)", HALF, "different"),
        ("(x + 10^30) - 10^30 = x", HALF, "equal"),
        ("sin(pi) = 0", HALF, "equal"),
        ("(-2)^(sin(x)^2 + cos(x)^2) = -2", HALF, "equal"),
        ("x + exp(-50) = x", HALF, "different"),
        ("x + exp(-70) = x", HALF, ""),
        ("sqrt(x - 1) = sqrt(x - 1)", HALF, ""),
        ("log(x, -2) = log(x, -2)", HALF, ""),
        ("1/(sin(x)^2 + cos(x)^2 - 1) = x", HALF, ""),
        ("atan(1/(sin(x)^2 + cos(x)^2 - 1)) = x", HALF, ""),
        ("tan(pi/2) = tan(pi/2)", HALF, ""),
        ("acot(0) = pi/2", HALF, ""),
        ("exp(exp(exp(exp(x)))) = 1", THREE, ""),
        ("sin(2.5) = 0.6", HALF, "equal"),
        ("sin(2.5) = 0.61", HALF, "different"),
    ],
)
def test_mpmath_answers(text: str, x: Fraction, answer: str) -> None:
    assert ask_mpmath(parse(text), {"x": x}) == answer


def test_saturation_is_no_equality() -> None:
    e = parse("tanh(x) = 1")
    assert ask_mpmath(e, {"x": Fraction(500)}) == "equal"  # as far as 150 digits show
    assert not stays_equal(e, {"x": Fraction(500)})
    assert stays_equal(parse("sin(x)^2 + cos(x)^2 = 1"), {"x": HALF})


def test_the_undefined_constant_of_an_equation_is_found() -> None:
    assert undefined_part(parse("x*cos(acos(10)) = 1")) is parse("acos(10)")
    assert undefined_part(parse("x = csc(2pi)/3")) is parse("csc(2pi)")
    assert undefined_part(parse("sqrt(x) = exp(10^9)")) is None  # too large to compute, but there
