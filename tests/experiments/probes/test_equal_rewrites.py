"""Rewritten equations, compared with rewriting by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tiny_presets import rewrites_of
from treesmu.experiments.probes.agreement import agreement
from treesmu.expr import check, from_prefix


def shown(texts: list[str]) -> list[str]:
    return [str(from_prefix(text.split())) for text in texts]


def test_everything_within_the_sides_is_simplified_and_the_sides_stay() -> None:
    rows, texts = rewrites_of("sin(x*1 + 0) = cos(x)", "x + 0 = x", "cos(y*0) + z = z + 1").simplify_all()
    assert rows.tolist() == [0, 2]  # in the second there is nothing within the sides
    assert shown(texts) == ["sin(x) = cos(x)", "1 + z = z + 1"]


def test_what_would_become_the_same_on_both_sides_is_left_out() -> None:
    """An equation a = a shows nothing: every tree network has the same state for both sides."""
    known = rewrites_of("sin(x*1 + 0) = sin(x)", "cos(x + 0) = y")
    assert known.simplify_all()[0].tolist() == [1]
    for seed in range(30):
        for rows, texts in (known.simplify_one(seed), known.replace_one(seed)):
            assert 1 in rows
            assert all(left != right for left, right in (text.split(" = ") for text in shown(texts)))


def test_one_step_simplifies_one_sub_expression() -> None:
    known = rewrites_of("sin(x*1 + 0) = cos(x)")
    found = {shown(known.simplify_one(seed)[1])[0] for seed in range(20)}
    assert found == {"sin(x + 0) = cos(x)", "sin(x) = cos(x)"}


def test_one_sub_expression_is_replaced_by_an_equal_one_that_is_no_higher() -> None:
    """x*1, x + 0 and x^1 are equal; sin(x*1) and sin(x + 0) too; x itself has no equal of height 0."""
    known = rewrites_of("sin(x*1) + y = y + sin(x + 0)", "x^1 = z")
    found = [known.replace_one(seed) for seed in range(200)]
    first, second = (
        {text for rows, texts in found for r, text in zip(rows, shown(texts), strict=True) if r == row} for row in (0, 1)
    )
    assert {"sin(x) + y = y + sin(x + 0)", "sin(x^1) + y = y + sin(x + 0)", "sin(x*1) + y = y + sin(x^1)"} <= first
    assert all(check(text).label == "correct" for text in first)
    assert second == {"x*1 = z", "x + 0 = z", "x = z"}


def test_an_equation_without_equals_is_left_out() -> None:
    rows, texts = rewrites_of("sin(x) = y", "x + 0 = z").replace_one(0)
    assert rows.tolist() == [1]
    assert shown(texts) == ["x = z"]


def test_both_sides_and_repeated_sub_expressions_are_places_of_their_own() -> None:
    known = rewrites_of("(x*1) + (x*1) = x*1")
    found = {shown(known.simplify_one(seed)[1])[0] for seed in range(20)}
    assert found == {"x + x*1 = x*1", "x*1 + x = x*1"}


def test_agreement_counts_equal_verdicts_right_or_wrong() -> None:
    before, after = np.array([1, 1, 0, 0], bool), np.array([1, 0, 0, 1], bool)
    found = agreement(before, after, np.array([1, 1, 1, 0]), np.array([3, 3, 4, 4]))
    assert {key: found[key] for key in ("equations", "agreement", "accuracy_before", "accuracy_after")} == {
        "equations": 4, "agreement": 0.5, "accuracy_before": 0.75, "accuracy_after": 0.25,
    }  # fmt: skip
    assert found["by_depth"]["3"] == {"equations": 2, "agreement": 0.5, "accuracy_before": 1.0, "accuracy_after": 0.5}


def test_agreement_on_nothing_is_not_known() -> None:
    nothing = np.zeros(0, bool)
    assert agreement(nothing, nothing, np.zeros(0), np.zeros(0)) == {
        "equations": 0, "agreement": None, "accuracy_before": None, "accuracy_after": None, "by_depth": {},
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_the_same_seed_the_same_equations(seed: int) -> None:
    known = rewrites_of("sin(x*1 + 0) = sin(x)", "cos(y*0) + z = z + 1")
    assert known.replace_one(seed)[1] == known.replace_one(seed)[1]
