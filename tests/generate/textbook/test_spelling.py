"""A spelling changes how an equation is written and nothing else; the plain one is the same for all of them."""

from __future__ import annotations

from random import Random

import pytest

import treesmu
from treesmu.expr import Expr, parse
from treesmu.generate.fingerprint import fingerprints
from treesmu.generate.textbook.spelling import plain_spelling, respell


def plain_fingerprint(e: Expr) -> int:
    return int(fingerprints([plain_spelling(e, {})])[0])


def spellings(text: str, draws: int = 300) -> set[str]:
    return {str(respell(parse(text), Random(seed))) for seed in range(draws)}


def test_terms_and_factors_change_places_but_not_what_is_written_last():
    assert spellings("x + y = x*y") == {"x + y = x*y", "y + x = x*y", "x + y = y*x", "y + x = y*x"}
    assert spellings("x - y = x/y") == {"x - y = x/y"}


def test_reciprocals_and_differences_are_written_as_typed():
    assert spellings("csc(x) = sin(x)^(-1)") == {"csc(x) = sin(x)^-1", "csc(x) = 1/sin(x)"}
    assert "x - 1 = y" in spellings("-1 + x = y")


TEXTS = ["csc(x) = sin(x)^(-1)", "-1 + 2*cos(x)^2 = cos(2*x)", "(x + y)^2 = x^2 + 2*x*y + y^2", "1/x + 1/y = (x + y)/(x*y)"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_spelling_has_the_same_verdict_and_the_same_plain_fingerprint(text):
    e = parse(text)
    for seed in range(40):
        other = respell(e, Random(seed))
        assert treesmu.check(other).label == treesmu.check(e).label
        assert plain_fingerprint(other) == plain_fingerprint(e)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1/x = y", "x^(-1) = y"),
        ("x - 3 = y", "-3 + x = y"),
        ("x/2 = y", "1/2*x = y"),
        ("-2*x = y", "-(2*x) = y"),
        ("1/x^2 = y", "x^(-2) = y"),
        ("e^x = y", "exp(x) = y"),
        ("1*x + 0 = y", "x = y"),
        ("-x*(-y) = z", "x*y = z"),
        ("x^1 = y", "x = y"),
    ],
)
def test_ways_to_write_the_same_have_one_plain_spelling(one, other):
    assert plain_fingerprint(parse(one)) == plain_fingerprint(parse(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2 + 3 = 5", "1 + 4 = 5"),
        ("x - y = z", "x + y = z"),
        ("x^2 = y", "x^(-2) = y"),
        ("2*x = y", "x = y"),
        ("x + x = y", "2*x = y"),
    ],
)
def test_different_equations_stay_different(one, other):
    assert plain_fingerprint(parse(one)) != plain_fingerprint(parse(other))
