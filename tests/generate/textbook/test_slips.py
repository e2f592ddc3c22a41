"""Slips at a node, worked out by hand."""

from __future__ import annotations

from random import Random

import pytest

import treesmu
from treesmu.expr import parse
from treesmu.generate.textbook.slips import slip, slips_at


def at(text: str, whole: str = "x = y") -> set[str]:
    return {str(e) for e in slips_at(parse(text), parse(whole))}


def drawn(text: str, draws: int = 2000) -> set[str]:
    rng, e = Random(0), parse(text)
    return {str(new) for _ in range(draws) if (new := slip(e, rng)) is not None}


@pytest.mark.parametrize(
    ("text", "slips"),
    [
        ("x + y", {"x", "y", "x - y", "-x + y"}),
        ("x - y", {"x", "-y", "x + y", "-x - y"}),
        ("2*x", {"2", "x", "-2*x"}),
        ("x/y", {"x", "y^-1", "-x/y", "x*y", "y/x"}),
        ("2*(x + y)", {"2", "x + y", "-2*(x + y)", "2*x + y", "x + 2*y"}),
        ("x^2", {"x", "2*x", "2^x", "x^-2"}),
        ("(x*y)^2", {"x*y", "2*(x*y)", "2^(x*y)", "(x*y)^-2", "x*y^2"}),
        ("(x + y)^2", {"x + y", "2*(x + y)", "2^(x + y)", "(x + y)^-2", "x^2 + y^2"}),
        ("3", {"2", "4", "-3", "6", "1/3"}),
        ("1/2", {"-1/2", "1", "2"}),
        ("ln(x)", {"-ln(x)", "ln(x)^2", "log(e, x)"}),
    ],
)
def test_all_slips_at_a_node_worked_by_hand(text, slips):
    assert at(text) == {str(parse(each)) for each in slips}


def test_slips_of_functions():
    assert at("sin(2*x)") >= {"cos(2*x)", "asin(2*x)", "2*sin(x)", "sin(x)", "sin(2*x)^2", "sin(2)*sin(x)"}
    assert at("cos(x + y)") >= {"cos(x) + cos(y)", "sin(x + y)", "cos(x)"}
    assert at("sin(x^2)") >= {"sin(x)^2"}
    assert at("x", "x + y = z") == {"y", "z"}


def test_an_identity_gets_lost_cross_terms_dropped_factors_and_wrong_signs():
    square = drawn("(x + y)^2 = x^2 + 2*x*y + y^2")
    assert square >= {
        "(x + y)^2 = x^2 + y^2", "(x + y)^2 = x^2 + x*y + y^2", "(x + y)^2 = x^2 - 2*x*y + y^2", "(x + y)^2 = x + 2*x*y + y^2",
        "x^2 + y^2 = x^2 + 2*x*y + y^2", "(x + y)^3 = x^2 + 2*x*y + y^2",
    }  # fmt: skip
    assert "(x + y)^2 = x^2 + 1*x*y + y^2" not in square  # nobody writes that
    angles = drawn("sin(2*x) = 2*sin(x)*cos(x)")
    assert angles >= {"sin(2*x) = sin(x)*cos(x)", "2*sin(x) = 2*sin(x)*cos(x)", "sin(2*x) = 2*sin(x)*sin(x)"}


def test_rules_of_slips_txt_are_applied_to_parts():
    assert "1/(x + y) - 1 = 1/x + 1/y - 1" in drawn("1/x + 1/y - 1 = 1/x + 1/y - 1")


def test_the_same_generator_gives_the_same_slips_and_most_are_wrong():
    e = parse("cos(x + y) = cos(x)*cos(y) - sin(x)*sin(y)")
    one, again = ([slip(e, rng) for _ in range(200)] for rng in (Random(3), Random(3)))
    assert one == again
    verdicts = [verdict.label for verdict in treesmu.check_many([new for new in one if new is not None])]
    assert verdicts.count("incorrect") > 0.9 * len(verdicts) > 150
