"""Every line of identities.txt is true, and every line of slips.txt wrong, whatever its letters stand for."""

from __future__ import annotations

import pytest

import treesmu
from treesmu.expr import parse
from treesmu.generate.textbook.templates import Template, read_templates


def labels(template: Template) -> list[str]:
    return [verdict.label for verdict in treesmu.check_many(template.all())]


def templates(name: str) -> list[Template]:
    return [template for line in read_templates(name) for template in line]


def test_every_identity_is_true_for_all_numbers_and_functions():
    found = {str(t.equation): labels(t) for t in templates("identities.txt")}
    assert {text: set(verdicts) for text, verdicts in found.items() if set(verdicts) != {"correct"}} == {}
    assert len(read_templates("identities.txt")) > 200


def test_every_slip_is_wrong_for_most_numbers_and_undecided_for_none():
    found = {str(t.equation): labels(t) for t in templates("slips.txt")}
    mostly = {text: v.count("incorrect") >= 0.75 * len(v) and "undecided" not in v for text, v in found.items()}
    assert [text for text, is_wrong in mostly.items() if not is_wrong] == []
    assert len(read_templates("slips.txt")) > 250


@pytest.mark.parametrize(
    "text",
    [
        "(x + y)^2 = x^2 + y^2",
        "x^2*x^3 = x^6",
        "(x^2)^3 = x^5",
        "sin(x + y) = sin(x) + sin(y)",
        "ln(x + y) = ln(x) + ln(y)",
        "sqrt(x + y) = sqrt(x) + sqrt(y)",
        "exp(x + y) = exp(x) + exp(y)",
        "1/x + 1/y = 1/(x + y)",
        "asin(x) = 1/sin(x)",
    ],
)
def test_the_best_known_slips_are_there(text):
    assert parse(text) in {e for t in templates("slips.txt") for e in t.all()}


def test_numbers_are_computed_exactly_and_only_those_that_models_know_are_used():
    (power,) = (t for t in templates("identities.txt") if t.equation.left is parse("(x^m)^n"))
    found = set(power.all())
    assert parse("(x^2)^3 = x^6") in found
    assert parse("(x^3)^2 = x^6") in found
    assert not any("30" in e.prefix() for e in found)  # (x^5)^6 has an exponent that no vocabulary has
    assert power.with_numbers([5, 6]) is None


def test_a_line_with_functions_is_one_line_of_many_templates():
    linear = next(
        line for line in read_templates("slips.txt") if parse("tan(x + y) = tan(x) + tan(y)") in {t.equation for t in line}
    )
    assert {t.equation.left.token for t in linear} >= {"sin", "cos", "tan", "atan", "sinh"}
