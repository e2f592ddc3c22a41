"""An equation that fails only because log is the natural logarithm says so."""

from __future__ import annotations

import pytest

from treesmu import check, parse
from treesmu.expr.numeric.log_bases import note_on_logarithms


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("log(100) = 2", 10),
        ("log(8) = 3", 2),
        ("log(10*x) = 1 + log(x)", 10),
        ("2^log(x) = x", 2),
        ("sin(log(1000)) = sin(3)", 10),
    ],
)
def test_the_base_that_makes_an_equation_correct_is_named(text: str, base: int) -> None:
    e = parse(text)
    noted = note_on_logarithms(e, check(e))
    assert noted.label == check(e).label != "correct"
    assert noted.reason.endswith(f"with base {base} it is correct: write log{base}(x))")


@pytest.mark.parametrize("text", ["ln(e) = 1", "log(x) = x", "log(100, 3) = 2", "x = x + 1", "log(100, 10) = 2", "log(-1) = 2"])
def test_other_equations_keep_their_verdict(text: str) -> None:
    e = parse(text)
    assert note_on_logarithms(e, check(e)) == check(e)
