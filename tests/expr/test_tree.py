"""Expr: one object for one expression, immutable, of any depth."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import sys
import weakref
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import expressions, random_expr, trees
from treesmu.expr.leaves import CONSTANTS, GREEK, MAX_DIGITS, VARIABLES
from treesmu.expr.node import distinct
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


def test_the_same_expression_built_in_different_ways_is_one_object():
    assert parse("sin(x) + 2x^y") is E
    assert parse(r"\sin x + 2 \cdot x^{y}") is E
    assert from_prefix(["Add", "sin", "x", "Mul", "2", "Pow", "x", "y"]) is E
    assert parse("sin(y) + 2y^y").replace((0, 0), X).replace((1, 1, 0), X) is E
    assert parse("sin(a) + 2*a^b").substitute({leaf("a"): X, leaf("b"): Y}) is E


def test_expressions_that_are_equal_only_in_value_are_different_objects():
    texts = ["x + y", "y + x", "x - -y", "1/2", "0.5", "0.50", "2/4", "1*2^-1", "x^2", "x*x", "x_1", "x", "X"]
    assert len({parse(t) for t in texts}) == len(texts)


@given(expressions)
def test_pickled_copied_and_deep_copied_it_is_the_same_object(e: Expr):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(e, protocol)) is e
    assert copy.copy(e) is copy.deepcopy(e) is e
    assert copy.deepcopy({"e": [e]})["e"][0] is e


@given(expressions)
def test_from_prefix_undoes_prefix(e: Expr):
    assert from_prefix(e.prefix()) is e


@given(trees, trees)
def test_equal_means_identical_and_hashes_agree(a: Expr, b: Expr):
    assert (a == b) is (a is b) is (a.prefix() == b.prefix())
    assert a != b or hash(a) == hash(b)


def test_an_expression_cannot_be_changed_or_made_by_hand():
    for name in ("token", "children", "depth", "anything"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(E, name, 1)
        with pytest.raises(AttributeError, match="cannot be changed"):
            delattr(E, name)
    with pytest.raises(TypeError, match="made by"):
        Expr()


def test_what_nobody_holds_is_freed():
    e = parse("sin(x_987654 + 123456789)")
    dead = [weakref.ref(sub) for sub in (e, e.left, *e.left.children)]
    del e
    gc.collect()
    assert [ref() for ref in dead] == [None] * 4
    assert str(parse("sin(x_987654 + 123456789)")) == "sin(x_987654 + 123456789)"


# -- golden values -------------------------------------------------------------------------------------------------------


SIZES = {"x": (0, 1), "1/2": (0, 1), "sin(x)": (1, 2), "x - y": (2, 5), "x/y": (2, 5), "sqrt(x)": (1, 3), "x + y + z": (2, 5)}
SIZES |= {"sin(x)^2 + cos(x)^2 = 1": (4, 11), "ln(x)": (1, 3), "(x + 1)*(x + 1)": (2, 7)}


@pytest.mark.parametrize(("text", "depth", "size"), [(text, *known) for text, known in SIZES.items()])
def test_depth_and_size(text: str, depth: int, size: int):
    e = parse(text)
    assert (e.depth, e.size, len(e.prefix()), e.is_leaf) == (depth, size, size, depth == 0)


def test_walks_in_preorder_with_paths():
    assert [(path, sub.token) for path, sub in E.paths()] == [
        ((), "Add"), ((0,), "sin"), ((0, 0), "x"), ((1,), "Mul"), ((1, 0), "2"), ((1, 1), "Pow"),
        ((1, 1, 0), "x"), ((1, 1, 1), "y"),
    ]  # fmt: skip
    assert E.prefix() == [sub.token for sub in E.preorder()] == ["Add", "sin", "x", "Mul", "2", "Pow", "x", "y"]
    assert E.at(()) is E
    assert E.at((1, 1)) is parse("x^y")
    assert (E.left, E.right) == (parse("sin(x)"), parse("2x^y"))


def test_sub_expressions_come_once_and_children_first():
    e = parse("sin(x) + sin(x)*y")
    assert [str(sub) for sub in e.subexpressions()] == ["x", "sin(x)", "y", "sin(x)*y", "sin(x) + sin(x)*y"]
    assert [str(sub) for sub in distinct([parse("y + x"), X, parse("sin(x)")])] == ["y", "x", "y + x", "sin(x)"]


def test_replace_changes_one_place_and_substitute_all_at_once():
    assert str(parse("x + sin(x)").replace((1, 0), parse("y^2"))) == "x + sin(y^2)"
    assert parse("x + y").replace((), ONE) is ONE
    assert str(parse("x + sin(x) = y").substitute({X: Y, Y: parse("2x")})) == "y + sin(y) = 2*x"
    assert str(parse("_ + 1").substitute({leaf("_"): parse("a b")})) == "a*b + 1"
    assert parse("x + 1").substitute({parse("x + 1"): Y}) is parse("x + 1")  # only leaves are looked up


def test_variables_in_order_of_first_occurrence():
    assert [v.token for v in parse("theta + a*pi - x_1^a + _ = e + x").variables()] == ["theta", "a", "x_1", "x"]


def test_canonical_renames_by_first_occurrence():
    assert str(parse("sin(theta) + y*theta = x").canonical()) == "sin(x) + y*x = z"
    assert parse("a + b").canonical() is parse("y + x").canonical() is parse("x + y")
    twelve = "+".join("qprstmnkjihg")
    assert [v.token for v in parse(twelve).canonical().variables()] == [*VARIABLES, "x_10", "x_11"]


def test_kinds_of_leaves():
    assert leaf("-3/4").number == Fraction(-3, 4)
    assert leaf("0.70").number == Fraction(7, 10)
    assert [leaf(c).number for c in (*CONSTANTS, "x", "_")] == [None] * 6
    assert all(leaf(name).is_variable for name in (*GREEK, "x", "X", "omega_12", "e_1"))
    assert not any(leaf(t).is_variable for t in ("e", "pi", "_", "1"))
    assert [t for t in ("0.7", "-0.0", "7", "1/2") if leaf(t).is_decimal] == ["0.7", "-0.0"]
    assert equation(X, Y).is_equation
    assert not E.is_equation


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

NOT_LEAVES = [
    "",
    " x",
    "xy",
    "sin",
    "Add",
    "2/4",
    "3/1",
    "1/0",
    "1/-2",
    "-0",
    "01",
    "1.",
    ".5",
    "+1",
    "--1",
    "x_",
    "x_y",
    "x_01",
]


@pytest.mark.parametrize("token", [*NOT_LEAVES, "pi_1", "__", "1e5", "Infinity", "9" * (MAX_DIGITS + 1), "x_" + "9" * 5000])
def test_what_is_no_leaf_is_refused(token: str):
    with pytest.raises(ValueError, match=r"not a leaf: .*a variable, an integer, a fraction in lowest terms") as caught:
        leaf(token)
    assert len(str(caught.value)) < 200


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


def test_a_path_that_leads_nowhere_says_where_it_ends():
    with pytest.raises(IndexError, match=r"no child 1 at \(0,\): 'sin' has 1"):
        E.at((0, 1))
    with pytest.raises(IndexError, match=r"no child 1 at \(0,\): 'sin' has 1"):
        E.replace((0, 1), X)
    with pytest.raises(IndexError, match="no child -1"):
        E.at((-1,))


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
