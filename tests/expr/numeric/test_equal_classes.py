"""Fillers of a blank: the complete list, and which have no value (classes: tests/generate/blanks/test_candidates.py)."""

from __future__ import annotations

from collections import Counter

import pytest

from treesmu.expr import FUNCTIONS, check, equation, leaf, op, parse
from treesmu.expr.numeric.equal_classes import FILLER_LEAVES, enumerate_fillers, is_undefined


def test_every_leaf_and_every_function_of_leaves():
    found = enumerate_fillers([leaf("x"), leaf("2")], [op("Add"), op("sin")])
    assert [str(e) for e in found] == ["x", "2", "sin(x)", "sin(2)", "x + x", "x + 2", "2 + x", "2 + 2"]
    n, counts = len(FILLER_LEAVES), Counter(f.arity for f in FUNCTIONS)
    assert len(enumerate_fillers(leaf(token) for token in FILLER_LEAVES)) == n + counts[1] * n + counts[2] * n**2


@pytest.mark.parametrize("text", ["acos(10)", "sqrt(-2)", "x + log(-1, e)", "sin(acosh(0))*y", "0^-1", "asech(2)", "log(2, 1)"])
def test_functions_outside_their_domain_have_no_value(text):
    assert is_undefined(parse(text))


@pytest.mark.parametrize("text", ["x", "2", "acos(1)", "acos(x)", "sqrt(2)", "(-1)^2", "exp(1000)", "0^0", "10^10 + pi"])
def test_other_expressions_may_have_a_value(text):
    assert not is_undefined(parse(text))


def test_no_equation_with_an_undefined_part_is_correct():
    undefined = [
        e for e in enumerate_fillers([leaf(t) for t in ("0", "1", "-1", "2", "1/2", "pi")], FUNCTIONS) if is_undefined(e)
    ]
    assert len(undefined) > 40
    assert {check(equation(e, e)).label for e in undefined} == {"undecided"}
