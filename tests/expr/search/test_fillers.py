"""The search by value: a filler of height 2 or less that makes the equation correct is found, wherever the blank is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from treesmu.data.corpus.blanks import path_of_blank
from treesmu.expr import FUNCTIONS, Expr, check, equation, leaf, node, op, parse
from treesmu.expr.numeric.values import ValueTable
from treesmu.expr.search.fillers import ENOUGH, FoundFillers, find_fillers
from treesmu.expr.search.pool import POINTS

SMALL = ("Add", "Mul", "Pow", "log", "sin", "cos", "exp", "tan", "asin", "sinh")
NUMBERS = ("0", "1", "2", "3", "-1", "1/2", "pi", "e")


def search(
    question: str | Expr, height: int = 2, numbers: tuple[str, ...] = NUMBERS, most: int = 5, functions: tuple[str, ...] = ()
) -> list[FoundFillers]:
    e = parse(question) if isinstance(question, str) else question
    leaves = [*e.variables(), *(leaf(token) for token in numbers)]
    return find_fillers(e, path_of_blank(e), leaves, [op(f) for f in functions] or FUNCTIONS, height=height, most=most)


def fillers(question: str, **options: int) -> list[str]:
    return [str(found.fillers[0]) for found in search(question, **options)]


@pytest.mark.parametrize(
    ("question", "expected"),
    {
        "sin(x)^2 + _ = 1": "cos(x)^2",
        "1 + _ = sec(x)^2": "tan(x)^2",
        "log(x*y) = log(x) + _": "ln(y)",
        "(x + y)^2 = x^2 + _ + y^2": "2*x*y",
        "2^(x + _) = 8*2^x": "3",  # in an exponent
        "x^_ = x^2*sqrt(x)": "2 + 1/2",
        "cos(sin(x + _))*exp(y) = exp(y)*cos(sin(x + y^2))": "y^2",  # deep, below functions that are not injective
        "cos(_) = cos(x)": "x",
        "_^2 = x^2*y^2": "x*y",
        "log(8, _) = 3": "2",  # the base
        "_ = sin(x)/cos(x)": "tan(x)",  # a whole side
        "2 + _ = 5": "3",
        "sin(_) = 0.909": "2",  # a decimal is meant to the digits shown
        "exp(x + _)*exp(-x) = pi": "ln(pi)",
        "acosh(_) = acosh(3*x)": "3*x",  # defined for x > 1/3 only
    }.items(),
)
def test_the_answers_of_a_textbook_are_found(question: str, expected: str) -> None:
    found = search(question)
    assert found
    assert all(one.verdict == check(parse(question).substitute({leaf("_"): one.fillers[0]})) for one in found)
    assert all(one.verdict.label == "correct" for one in found)
    assert any(check(equation(one.fillers[0], parse(expected))).label == "correct" for one in found)
    assert found[0].fillers[0].size <= parse(expected).size


@pytest.mark.parametrize(
    ("question", "most_rows", "expected"),
    [
        ("sin(x)^2 + _ = 1", (20, 20, 20), "cos(x)^2"),  # fits at every point: those that fit are kept before all others
        ("acosh(_) = acosh(3*x)", (2_000, 1_000, 500), "3*x"),  # has no value at the first points, and is one of the simplest
        ("0*_ = 0", (20, 10, 5), "x"),
    ],
)
def test_of_few_fillers_those_that_fit_are_kept_and_then_the_simplest(
    question: str, most_rows: tuple[int, ...], expected: str
) -> None:
    e = parse(question)
    leaves = [leaf("x"), *(leaf(token) for token in NUMBERS)]
    found = find_fillers(e, path_of_blank(e), leaves, [op(f) for f in (*SMALL, "acosh")], most_rows=most_rows)
    assert expected in [str(filler) for one in found for filler in one.fillers]


def test_a_blank_without_a_filler_of_the_height_gets_none() -> None:
    assert fillers("x + _ = x + sin(cos(exp(y)))") == []
    assert fillers("x = x + 1 + 0*_") == []
    assert fillers("ln(-1) + _ = 2") == []
    assert fillers("sin(x)^2 + _ = 1", height=1) == []
    assert fillers("_ + 1 = sin(x) + 1", height=0) == []
    assert fillers("_ + 1 = sin(x) + 1", height=1) == ["sin(x)"]


def test_the_simplest_filler_of_a_value_comes_first_and_each_value_once() -> None:
    (found,) = search("x + _ = 2*x")
    assert found.fillers[0] is leaf("x")
    assert len(found.fillers) > 1
    simple = [(e.size, len(str(e))) for e in found.fillers]
    assert simple == sorted(simple)
    assert fillers("sin(x)^2 + _ = 1") == ["cos(x)^2"]  # not sec(x)^-2, which has as many nodes


def test_a_filler_that_is_another_one_on_a_part_of_its_domain_is_no_answer_of_its_own() -> None:
    assert fillers("x*_ = x^2") == ["x"]  # not exp(ln(x)), which has no value for a negative x
    assert fillers("log(x*y) = log(x) + _") == ["ln(y)"]  # not ln(y^2)/2: where the equation has a value, y is positive


def test_if_everything_fits_the_simplest_are_returned() -> None:
    found = search("0*_ = 0", most=4)
    assert len(found) == 4
    assert {one.fillers[0].depth for one in found} == {0}


def test_further_numbers_are_leaves_too() -> None:
    question = parse("x + _ = x + 7 + sin(y)")
    options = {"leaves": [leaf("x"), leaf("y"), leaf("1")], "functions": FUNCTIONS}
    assert find_fillers(question, (0, 1), **options) == []  # type: ignore[arg-type]
    (found,) = find_fillers(question, (0, 1), **options, numbers=[leaf("7")])  # type: ignore[arg-type]
    assert check(equation(found.fillers[0], parse("7 + sin(y)"))).label == "correct"


LEAVES = st.sampled_from([leaf(token) for token in ("x", "y", *NUMBERS)])


def expressions(height: int) -> st.SearchStrategy[Expr]:
    """Return expressions up to a height."""
    if height == 0:
        return LEAVES
    below = expressions(height - 1)
    made = [st.builds(node, st.just(op(f)), *([below] * op(f).arity)) for f in SMALL]
    return st.one_of(below, *made)


def is_comparable(e: Expr) -> bool:
    """Return whether values can be compared at some points: not those of cos(sinh(tan(exp(1/2)))) and of (-1)^exp(x)."""
    values = ValueTable(POINTS).values([e])
    return int((~np.isnan(values.plain) & ~values.has_lost_digits).sum()) >= ENOUGH


@settings(max_examples=40, deadline=None)
@given(expressions(2), expressions(2), st.data())
def test_a_filler_that_was_taken_out_is_found_again(filler: Expr, other: Expr, data: st.DataObject) -> None:
    """The filler stands somewhere in a random expression, and the equation says that the expression equals itself."""
    paths = [path for path, _ in other.paths()]
    path = data.draw(st.sampled_from(paths))
    side = other.replace(path, filler)
    assume(check(equation(side, side)).label == "correct")
    assume(is_comparable(side))
    question = equation(side.replace(path, leaf("_")), side)
    found = search(question, functions=SMALL)
    assert found, question
    assert {one.verdict.label for one in found} == {"correct"}
