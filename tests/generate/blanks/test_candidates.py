"""Candidates are all small expressions, with the classes of those that are equal."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from fillers import BINARY, UNARY, prefix
from treesmu.expr import check, equation, from_prefix, parse
from treesmu.expr.numeric import equal_classes as value_classes
from treesmu.expr.numeric.sample_points import SamplePoints
from treesmu.generate.blanks import FILLER_LEAVES, CandidateColumns, make_candidates

TOGETHER = [
    "0, sin(0), 0*x, y*0, x*0, 1 + -1, acos(1), sin(pi), tan(pi), 0^2, sqrt(0), log(1, 2), acosh(1)",
    "1, 1^x, x^0, y^0, 0^0, cos(0), exp(0), 1*1, 2*(1/2), 3*(1/3), 1/3*3, log(3, 3), (-1)^-2",
    "-1, cos(pi), sec(pi), log(2, 1/2), -1/2 + -1/2, (-1)^3",
    "4, 2 + 2, 2*2, 2^2, (-2)^2, (1/2)^-2, 1 + 3",
    "e, exp(1), e^1",
    "1/2*pi, asin(1), acos(0)",
    "1/3*pi, acos(1/2), asec(2)",
    "x, x + 0, 0 + x, 1*x, x^1",
    "x + x, 2*x, x*2",
    "x*x, x^2",
    "x + y, y + x",
    "exp(x), e^x",
    "0^x, log(1, x)",  # for positive x; at 0 and 1 they differ in domain, but these are isolated points
]
ALONE = [
    *("acos(10)", "acos(2)", "csc(pi)", "tanh(10)", "0^-1", "sqrt(-1)", "log(x, 1)", "(-1)^x", "log(1, 1)"),
    *("log(x, x)", "log(y, y)"),  # 1, but for positive x only
    *("sqrt(x)", "x^y", "y^x", "x^x", "x^-1", "sin(x)", "sin(y)", "log(x, y)", "10^10", "sinh(10)", "cosh(10)"),
]


@pytest.fixture(scope="module")
def class_of(found: CandidateColumns) -> dict[str, int]:
    return dict(zip(found.prefix, found.class_id, strict=True))


def words(line: str) -> list[str]:
    """Return the parts of a line between commas that are outside of parentheses."""
    parts = [""]
    for c in line:
        if c == "," and parts[-1].count("(") == parts[-1].count(")"):
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts]


def test_every_leaf_and_every_function_of_leaves_is_a_candidate_once(found):
    n = len(FILLER_LEAVES)
    assert len(found) == len(set(found.prefix)) == n + len(UNARY) * n + len(BINARY) * n * n
    assert found.prefix[:n] == list(FILLER_LEAVES)
    assert {"sin x", "Add x y", "Add y x", "log 2 e"} <= set(found.prefix)


def test_columns_agree_with_the_tree(found):
    for p, text, height in zip(found.prefix, found.infix, found.height, strict=True):
        e = from_prefix(p.split())
        assert (parse(text), e.depth) == (e, height)


@pytest.mark.parametrize("line", TOGETHER, ids=lambda line: words(line)[0])
def test_what_is_equal_everywhere_is_one_class(class_of, line):
    assert len({class_of[prefix(text)] for text in words(line)}) == 1


def test_classes_worked_by_hand_are_different_from_each_other(class_of):
    firsts = [class_of[prefix(words(line)[0])] for line in TOGETHER]
    assert len(set(firsts)) == len(TOGETHER)


@pytest.mark.parametrize("text", ALONE)
def test_a_candidate_without_an_equal_or_a_real_value_is_alone_in_its_class(found, class_of, text):
    assert found.class_id.count(class_of[prefix(text)]) == 1


def test_classes_are_numbered_by_first_occurrence(found):
    assert list(dict.fromkeys(found.class_id)) == list(range(max(found.class_id) + 1))


def test_classes_do_not_depend_on_the_points(found, monkeypatch):
    monkeypatch.setattr(value_classes, "_POINTS", SamplePoints(seed=7, count=120))
    assert make_candidates() == found


def test_first_of_different_classes_are_not_equal_constants(found):
    first = {c: p for p, c in zip(reversed(found.prefix), reversed(found.class_id), strict=True)}
    constants = [e for p in first.values() if (e := from_prefix(p.split())).is_constant]
    values = value_classes._values(constants)[:, 0]
    order = [i for i in np.argsort(values).tolist() if not np.isnan(values[i])]
    for i, j in pairwise(order):
        assert check(equation(constants[i], constants[j])).label == "incorrect"


def test_close_values_that_the_check_refutes_are_separated(monkeypatch):
    """If all values were close, the check alone would still find the classes."""
    exprs = [parse(t) for t in ("x", "x*x", "x^2", "0 + x", "2", "1 + 1")]
    monkeypatch.setattr(value_classes, "_match_close", lambda _values, pool: dict.fromkeys(pool[1:], pool[0]))
    assert value_classes.equal_classes(exprs) == [0, 1, 1, 0, 2, 2]
