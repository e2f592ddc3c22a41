"""Node: properties, traversals, paths and leaves."""

from __future__ import annotations

from fractions import Fraction

import pytest

from treesmu.expr.leaves import CONSTANTS, GREEK
from treesmu.expr.node import distinct
from treesmu.expr.notation.parse import parse
from treesmu.expr.tree import equation, leaf

X, Y = leaf("x"), leaf("y")
E = parse("sin(x) + 2*x^y")

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


def test_variables_in_order_of_first_occurrence():
    assert [v.token for v in parse("theta + a*pi - x_1^a + _ = e + x").variables()] == ["theta", "a", "x_1", "x"]


def test_kinds_of_leaves():
    assert leaf("-3/4").number == Fraction(-3, 4)
    assert leaf("0.70").number == Fraction(7, 10)
    assert [leaf(c).number for c in (*CONSTANTS, "x", "_")] == [None] * 6
    assert all(leaf(name).is_variable for name in (*GREEK, "x", "X", "omega_12", "e_1"))
    assert not any(leaf(t).is_variable for t in ("e", "pi", "_", "1"))
    assert [t for t in ("0.7", "-0.0", "7", "1/2") if leaf(t).is_decimal] == ["0.7", "-0.0"]
    assert equation(X, Y).is_equation
    assert not E.is_equation


def test_a_path_that_leads_nowhere_says_where_it_ends():
    with pytest.raises(IndexError, match=r"no child 1 at \(0,\): 'sin' has 1"):
        E.at((0, 1))
    with pytest.raises(IndexError, match=r"no child 1 at \(0,\): 'sin' has 1"):
        E.replace((0, 1), X)
    with pytest.raises(IndexError, match="no child -1"):
        E.at((-1,))
