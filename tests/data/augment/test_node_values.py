"""Value codes: nodes of equal value have the same code, whatever their trees."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.data import CorpusPlan, Vocab
from treesmu.data.augment.node_values import NodeValues, compute_values
from treesmu.expr import parse


def sides(text: str) -> tuple[NodeValues, int, int]:
    plan = CorpusPlan.from_prefix([" ".join(parse(text).prefix())], Vocab.default())
    return NodeValues.of(plan), int(plan.left[0]), int(plan.right[0])


@pytest.mark.parametrize(
    "text",
    ["sin(x)^2 + cos(x)^2 = 1", "x + y = y + x", "x - x = 0", "sin(pi) = 0", "exp(ln(2)) = 2", "(x + y)^2 = x^2 + 2*x*y + y^2",
     "asin(sin(0.3)) = 0.3", "0*y = x - x", "sqrt(x)*sqrt(x) = sqrt(x)^2"],
)  # fmt: skip
def test_equal_values_have_one_code(text: str) -> None:
    values, left, right = sides(text)
    assert values.code[left] == values.code[right] >= 0
    assert not values.differ([left], [right])[0]


@pytest.mark.parametrize(
    "text",
    ["x + y = y + z", "sin(x) = cos(x)", "coth(10) = 1", "csch(10) = sech(10)", "2.5 = 2.51", "x^2 = x^3", "sqrt(x^2) = x"],
)
def test_different_values_have_different_codes(text: str) -> None:
    values, left, right = sides(text)
    assert values.code[left] != values.code[right]


def test_differ_needs_a_clear_difference_where_both_are_defined() -> None:
    for text, is_clear in {
        "x = y": True,
        "1 = 1.01": True,
        "coth(10) = 1": False,
        "sqrt(x) = sqrt(x) + 0*ln(y)": False,
    }.items():
        values, left, right = sides(text)
        assert values.differ([left], [right])[0] == is_clear, text


@pytest.mark.parametrize("text", ["ln(-1) = 2", "1/0 = 1", "asin(2) = 1", "exp(exp(9)) = 1", "acosh(tanh(x)) = 1"])
def test_a_value_defined_almost_nowhere_or_too_large_is_not_known(text: str) -> None:
    values, left, right = sides(text)
    assert values.code[left] == -1
    assert values.code[right] >= 0
    assert not values.differ([left], [right])[0]


def test_equal_nodes_with_other_domains_are_taken_neither_for_equal_nor_for_different() -> None:
    values, left, right = sides("sqrt(x)^2 = x")
    assert values.code[left] != values.code[right]
    assert not values.differ([left], [right])[0]


def test_codes_do_not_depend_on_what_else_is_in_the_corpus() -> None:
    texts = ["x + 1 = 1 + x", "sin(2*x) = 2*sin(x)*cos(x)"]
    more = [*texts, "y = z", "cos(y) = sech(1)"]
    for rows in (texts, more):
        plan = CorpusPlan.from_prefix([" ".join(parse(text).prefix()) for text in rows], Vocab.default())
        values = NodeValues.of(plan)
        assert [values.code[plan.left[i]] == values.code[plan.right[i]] for i in range(2)] == [True, True]
        assert np.isfinite(values.value[plan.left[:2]]).any(axis=1).all()


def test_values_that_are_known_are_not_computed_again() -> None:
    rows = [" ".join(parse(text).prefix()) for text in ("sin(x)^2 + cos(x)^2 = 1", "ln(x - 5) = 0.5*y", "x + y = y + x")]
    start = CorpusPlan.from_prefix(rows[:2], Vocab.default())
    whole = start.extended(rows[2:])
    nodes, values = start.nodes_in(whole), compute_values(start)
    np.testing.assert_array_equal(compute_values(whole, known=(nodes, values)), compute_values(whole))
    marked = compute_values(whole, known=(nodes, np.full_like(values, 7.0)))
    assert (marked[nodes] == 7).all()
    assert (marked[whole.roots[2]] == 14).all()  # x + y and y + x are new
