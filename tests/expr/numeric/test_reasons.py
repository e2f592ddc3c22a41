"""Reasons say why there is no verdict, and which letters are not constants."""

from __future__ import annotations

import pytest

from treesmu.expr.numeric.reasons import note_on_names
from treesmu.expr.numeric.verdict import check

ROOT = "for the real root of a negative number -a, write -(a^(1/3)): a^(1/3) needs a >= 0"
TOO_FEW = "too few real points at which both sides have a value that can be computed"


@pytest.mark.parametrize(
    ("equation", "reason"),
    [
        (r"\sqrt[3]{-8} = -2", f"(-8)^(1/3) has no real principal value; {ROOT}"),
        ("cbrt(-x) = -cbrt(x)", f"{TOO_FEW}; {ROOT}"),
        ("sqrt(-1) = x", "sqrt(-1) has no real value"),
        ("ln(-2) = 1", "ln(-2) has no real value"),
        ("1/0 = 1", "0^-1 has no real value"),
        ("asin(2) + x = 1", "asin(2) has no real value"),
        ("x + sqrt(-1 - x^2) = 1", "sqrt(-1 - x^2) has no real value"),
        ("inf = inf", "inf has no real value"),
        ("9^9^9 = x", "9^9^9 has no value that can be computed"),
        ("sqrt(x) = -1 - sqrt(-x)", TOO_FEW),
    ],
)
def test_an_undecided_equation_says_which_part_has_no_value(equation: str, reason: str):
    verdict = check(equation)
    assert (verdict.label, verdict.reason) == ("undecided", reason)


def test_the_remedy_for_odd_roots_is_right():
    assert check("-(8^(1/3)) = -2").label == "correct"


@pytest.mark.parametrize("equation", [r"e^{i\pi} = -1", "i^2 = -1", "e^(i*pi) + 1 = 0", "e^(i x) = cos(x) + i sin(x)"])
def test_the_imaginary_unit_is_a_variable_and_the_reason_says_so(equation: str):
    verdict = check(equation)
    assert verdict.label == "incorrect"
    assert verdict.reason.endswith(" (i is a variable here, not the imaginary unit)")


def test_a_correct_equation_needs_no_note():
    assert "variable" not in check("i + i = 2i").reason
    assert note_on_names(["x", "y"]) == ""
    assert (
        note_on_names(["E", "I"])
        == " (E is a variable here; Euler's number is e; I is a variable here, not the imaginary unit)"
    )
