"""Shapes that all printers recognise: differences, quotients, negatives and roots."""

from __future__ import annotations

import pytest

from treesmu.expr import from_prefix, leaf, parse
from treesmu.expr.notation.shapes import (
    as_difference,
    as_negative,
    as_quotient,
    begins_with_digit,
    begins_with_minus,
    is_fraction,
    root_degree,
)
from treesmu.expr.tree import Expr


def prefix(text: str) -> Expr:
    return from_prefix(text.split())


def test_differences_quotients_and_negatives_are_recognised() -> None:
    x, y = leaf("x"), leaf("y")
    assert as_difference(parse("x - y")) == as_quotient(parse("x/y")) == (x, y)
    assert as_negative(parse("-x")) is x
    for e in (parse("x + y"), parse("x*y"), parse("x^y"), x):
        assert as_difference(e) is as_quotient(e) is as_negative(e) is None


def test_what_would_be_read_as_a_number_is_not_a_shape() -> None:
    assert as_quotient(prefix("Mul 1 Pow 2 -1")) is None  # 1/2 is a leaf
    assert as_negative(prefix("Mul -1 2")) is None  # -2 is a leaf


@pytest.mark.parametrize(
    ("top", "bottom", "expected"),
    [("1", "2", True), ("-3", "4", True), ("2", "4", False), ("1", "0", False), ("x", "2", False)],
)
def test_a_fraction_in_lowest_terms_is_a_leaf(top: str, bottom: str, expected: bool) -> None:
    assert is_fraction(leaf(top), leaf(bottom)) is expected


@pytest.mark.parametrize(("text", "degree"), [("Pow x 1/2", 2), ("Pow x 1/3", 3), ("Pow x 2/3", 0), ("Pow x 0.5", 0), ("x", 0)])
def test_the_degree_of_a_root(text: str, degree: int) -> None:
    assert root_degree(prefix(text)) == degree


@pytest.mark.parametrize("text", ["2*x + y", "-x + y", "x", "sin(x)*2", "-2*x", "(-x)*y", "2^x"])
def test_first_characters_are_those_of_the_text(text: str) -> None:
    e = parse(text)
    assert begins_with_digit(e) == str(e)[0].isdigit()
    assert begins_with_minus(e) == (str(e)[0] == "-")
