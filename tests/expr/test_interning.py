"""Interning: one object for one expression, freed when nothing refers to it."""

from __future__ import annotations

import gc
import weakref

from hypothesis import given

from strategies import trees
from treesmu.expr.notation.parse import parse
from treesmu.expr.ops import ADD, MUL, POW, op
from treesmu.expr.tree import Expr, from_prefix, leaf, node

X, Y = leaf("x"), leaf("y")
E = node(ADD, node(op("sin"), X), node(MUL, leaf("2"), node(POW, X, Y)))  # sin(x) + 2*x^y


def test_the_same_expression_built_in_different_ways_is_one_object():
    assert parse("sin(x) + 2x^y") is E
    assert parse(r"\sin x + 2 \cdot x^{y}") is E
    assert from_prefix(["Add", "sin", "x", "Mul", "2", "Pow", "x", "y"]) is E
    assert parse("sin(y) + 2y^y").replace((0, 0), X).replace((1, 1, 0), X) is E
    assert parse("sin(a) + 2*a^b").substitute({leaf("a"): X, leaf("b"): Y}) is E


def test_expressions_that_are_equal_only_in_value_are_different_objects():
    texts = ["x + y", "y + x", "x - -y", "1/2", "0.5", "0.50", "2/4", "1*2^-1", "x^2", "x*x", "x_1", "x", "X"]
    assert len({parse(t) for t in texts}) == len(texts)


@given(trees, trees)
def test_equal_means_identical_and_hashes_agree(a: Expr, b: Expr):
    assert (a == b) is (a is b) is (a.prefix() == b.prefix())
    assert a != b or hash(a) == hash(b)


def test_an_expression_without_references_is_freed():
    e = parse("sin(x_987654 + 123456789)")
    dead = [weakref.ref(sub) for sub in (e, e.left, *e.left.children)]
    del e
    gc.collect()
    assert [ref() for ref in dead] == [None] * 4
    assert str(parse("sin(x_987654 + 123456789)")) == "sin(x_987654 + 123456789)"
