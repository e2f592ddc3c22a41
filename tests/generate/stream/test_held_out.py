"""Held-out equations are recognised in other names, orders and spellings."""

from __future__ import annotations

import pickle

import pytest

from treesmu.data import Dataset
from treesmu.expr import parse
from treesmu.generate.columns import CheckedEquation, EquationColumns, make_columns
from treesmu.generate.stream.held_out import HeldOut


def rows(*texts: str) -> EquationColumns:
    return make_columns([CheckedEquation(parse(text), 1, 0, "rewrite") for text in texts], first_occurrence=False)


def dataset(*texts: str) -> Dataset:
    return Dataset.of([parse(text) for text in texts], [1] * len(texts))


def test_equations_of_the_corpus_are_left_out_up_to_names_order_and_sides():
    held_out = HeldOut.of([dataset("sin(a)^2 + cos(a)^2 = 1"), dataset("x*y = y*x")])
    found = held_out.allowed(rows("1 = cos(y)^2 + sin(y)^2", "x*z = z*x", "sin(x)^2 + cos(y)^2 = 1", "x + y = y + x"))
    assert found.tolist() == [False, False, True, True]
    assert len(held_out) == 2


@pytest.mark.parametrize("text", ["csc(x) = 1/sin(x)", "csc(y) = sin(y)^(-1)", "1*sin(x)^(-1) = csc(x)"])
def test_equations_that_a_user_names_are_left_out_in_every_spelling(text):
    other = "csc(2*x) = 1/sin(2*x)"
    assert HeldOut.of([], [parse("csc(x) = 1/sin(x)")]).allowed(rows(text, other)).tolist() == [False, True]
    assert HeldOut.of([], [parse("csc(x) = sin(x)^(-1)")]).allowed(rows(text, other)).tolist() == [False, True]


def test_without_held_out_equations_everything_is_allowed():
    assert HeldOut.of([]).allowed(rows("x = x", "x = y")).tolist() == [True, True]


def test_the_identity_depends_on_the_equations_and_travels():
    one, again, other = (HeldOut.of([], [parse(text)]) for text in ("x = y", "y = z", "x = 2*y"))
    assert one.identity() == again.identity() != other.identity()
    assert one.identity()["equations"] == 1
    assert pickle.loads(pickle.dumps(one)).identity() == one.identity()
