"""The witnesses know equal from different, and say nothing where there is nothing to say."""

from __future__ import annotations

import subprocess
import sys
import time
from fractions import Fraction

import pytest

from treesmu.data.inspect import witness
from treesmu.data.inspect.witness import ask_mpmath, ask_sympy, stays_equal, undefined_part
from treesmu.expr import FUNCTIONS, Op, equation, leaf, node, op, parse

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


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.name)
def test_both_witnesses_know_every_function(f: Op) -> None:
    e = node(f, *(leaf("x"), leaf("2"))[: f.arity])
    point = next(p for p in ({"x": HALF}, {"x": THREE}) if ask_mpmath(equation(e, e), p))
    for right, answer in ((e, "equal"), (node(op("Add"), e, leaf("2")), "different")):
        assert ask_mpmath(equation(e, right), point) == answer
        assert ask_sympy(equation(e, right), point, 60) == answer


def test_saturation_is_no_equality() -> None:
    e = parse("tanh(x) = 1")
    assert ask_mpmath(e, {"x": Fraction(500)}) == "equal"  # as far as 150 digits show
    assert not stays_equal(e, {"x": Fraction(500)})
    assert stays_equal(parse("sin(x)^2 + cos(x)^2 = 1"), {"x": HALF})


def test_the_undefined_constant_of_an_equation_is_found() -> None:
    assert undefined_part(parse("x*cos(acos(10)) = 1")) is parse("acos(10)")
    assert undefined_part(parse("x = csc(2pi)/3")) is parse("csc(2pi)")
    assert undefined_part(parse("sqrt(x) = exp(10^9)")) is None  # too large to compute, but there


def test_sympy_is_stopped_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def evaluate_for_a_minute(*_: object) -> list[tuple[int, int]]:
        end = time.process_time() + 60
        while time.process_time() < end:
            pass
        return [(1, 200), (1, 200)]  # equal: an answer, which comes too late

    monkeypatch.setattr(witness, "_evalf", evaluate_for_a_minute)
    assert ask_sympy(parse("x = x"), {"x": HALF}, 0.05) == ""


def test_sympy_is_imported_before_its_time_runs() -> None:
    code = """
from fractions import Fraction
from treesmu.data.inspect.witness import ask_sympy
from treesmu.expr import parse
assert ask_sympy(parse("sin(x)^2 + cos(x)^2 = 1"), {"x": Fraction(1, 2)}, 1e-6) == ""  # far too little time
assert ask_sympy(parse("sin(x)^2 + cos(x)^2 = 1"), {"x": Fraction(1, 2)}, 60) == "equal"
import sympy
sympy.printing
"""
    subprocess.run([sys.executable, "-c", code], check=True)
