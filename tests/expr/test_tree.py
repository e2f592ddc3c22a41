"""Expr: one object for one expression, immutable, of any depth."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import sys
import weakref
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import expressions, random_expr, trees
from treesmu.expr.leaves import VARIABLES
from treesmu.expr.notation.infix import infix
from treesmu.expr.notation.latex import latex
from treesmu.expr.notation.mathml import mathml
from treesmu.expr.notation.parse import parse
from treesmu.expr.ops import ADD, MUL, POW, op
from treesmu.expr.tree import Expr, equation, from_prefix, leaf, node

X, Y, ONE, TWO = (leaf(t) for t in ("x", "y", "1", "2"))
SIN, COS = op("sin"), op("cos")
E = node(ADD, node(SIN, X), node(MUL, TWO, node(POW, X, Y)))  # sin(x) + 2*x^y


# -- identity ----------------------------------------------------------------------------------------------------------


@given(expressions)
def test_pickled_copied_and_deep_copied_it_is_the_same_object(e: Expr):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(e, protocol)) is e
    assert copy.copy(e) is copy.deepcopy(e) is e
    assert copy.deepcopy({"e": [e]})["e"][0] is e


@given(expressions)
def test_from_prefix_undoes_prefix(e: Expr):
    assert from_prefix(e.prefix()) is e


def test_an_expression_cannot_be_changed_or_made_by_hand():
    for name in ("token", "children", "depth", "anything"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(E, name, 1)
        with pytest.raises(AttributeError, match="cannot be changed"):
            delattr(E, name)
    with pytest.raises(TypeError, match="made by"):
        Expr()


# -- golden values -------------------------------------------------------------------------------------------------------


def test_replace_changes_one_place_and_substitute_all_at_once():
    assert str(parse("x + sin(x)").replace((1, 0), parse("y^2"))) == "x + sin(y^2)"
    assert parse("x + y").replace((), ONE) is ONE
    assert str(parse("x + sin(x) = y").substitute({X: Y, Y: parse("2x")})) == "y + sin(y) = 2*x"
    assert str(parse("_ + 1").substitute({leaf("_"): parse("a b")})) == "a*b + 1"
    assert parse("x + 1").substitute({parse("x + 1"): Y}) is parse("x + 1")  # only leaves are looked up


def test_canonical_renames_by_first_occurrence():
    assert str(parse("sin(theta) + y*theta = x").canonical()) == "sin(x) + y*x = z"
    assert parse("a + b").canonical() is parse("y + x").canonical() is parse("x + y")
    twelve = "+".join("qprstmnkjihg")
    assert [v.token for v in parse(twelve).canonical().variables()] == [*VARIABLES, "x_10", "x_11"]


# -- properties ----------------------------------------------------------------------------------------------------------


@given(expressions, st.data())
def test_replacing_a_part_by_itself_changes_nothing(e: Expr, data: st.DataObject):
    path, part = data.draw(st.sampled_from(list(e.paths())))
    assert e.at(path) is part
    assert e.replace(path, part) is e


@given(trees, trees, st.data())
def test_what_was_put_in_is_found_there_and_the_rest_stays(e: Expr, new: Expr, data: st.DataObject):
    path, old = data.draw(st.sampled_from(list(e.paths())))
    changed = e.replace(path, new)
    assert changed.at(path) is new
    assert changed.size == e.size - old.size + new.size
    assert changed.replace(path, old) is e


@given(expressions)
def test_canonical_is_idempotent_and_keeps_the_shape(e: Expr):
    assert e.canonical().canonical() is e.canonical()
    assert (e.canonical().depth, e.canonical().size) == (e.depth, e.size)


def test_random_expressions_have_the_depth_asked_for_and_stay_small():
    made = [random_expr(random.Random(seed), seed % 20) for seed in range(400)]
    assert [e.depth for e in made] == [seed % 20 for seed in range(400)]
    assert max(e.size for e in made) < 2000


# -- bad constructions -----------------------------------------------------------------------------------------------------


def test_bad_trees_are_refused_with_the_reason():
    with pytest.raises(ValueError, match="Add takes 2 arguments, not 1"):
        node(ADD, X)
    with pytest.raises(ValueError, match="sin takes 1 arguments, not 2"):
        node(SIN, X, Y)
    with pytest.raises(ValueError, match="an equation cannot be a part"):
        node(SIN, equation(X, Y))
    with pytest.raises(ValueError, match="an equation cannot be a part"):
        E.replace((0,), equation(X, Y))
    with pytest.raises(ValueError, match="Mul lacks an argument in 'Add x Mul y'"):
        from_prefix(["Add", "x", "Mul", "y"])
    with pytest.raises(ValueError, match="2 expressions where one is expected: 'x y'"):
        from_prefix(["x", "y"])
    with pytest.raises(ValueError, match="0 expressions"):
        from_prefix([])
    with pytest.raises(ValueError, match="unknown function 'sni'"):
        from_prefix(["sni", "x"])


# -- depth ---------------------------------------------------------------------------------------------------------------

CHAINS = {"unary": "sin(" * 10_000 + "x" + ")" * 10_000, "left": "x" + " + x" * 10_000, "right": "x^" * 10_000 + "x"}


@pytest.mark.parametrize("text", CHAINS.values(), ids=CHAINS.keys())
def test_ten_thousand_levels_are_no_problem_anywhere(text: str):
    limit = sys.getrecursionlimit()
    e = parse(text)
    assert e.depth == 10_000
    assert (infix(e), parse(latex(e)), from_prefix(e.prefix())) == (text, e, e)
    assert ElementTree.fromstring(mathml(e)).tag.endswith("math")
    assert pickle.loads(pickle.dumps(e)) is copy.deepcopy(e) is e
    changed = e.substitute({X: Y})
    assert changed.canonical() is e
    assert changed != e
    assert len({hash(e), hash(changed)}) == 2
    assert len(e.subexpressions()) == 10_001
    assert len(repr(e)) < 100
    assert sys.getrecursionlimit() == limit < e.depth
    dead = weakref.ref(e)
    del e, changed
    gc.collect()
    assert dead() is None


def test_notebooks_show_an_expression_as_latex():
    assert parse("sin(x)/2 = 1")._repr_latex_() == r"$\frac{\sin\left(x\right)}{2} = 1$"
    assert parse("+".join("x" * 600))._repr_latex_() is None  # too large: notebooks show repr()
