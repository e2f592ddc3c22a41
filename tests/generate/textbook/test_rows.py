"""Textbook equations are short, checked, half of them slips, and made of the functions of the families."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import treesmu
from treesmu.expr import from_prefix, op
from treesmu.generate.axioms import FAMILIES, collect_axioms, functions_of
from treesmu.generate.columns import EquationColumns
from treesmu.generate.textbook.rows import textbook_rows


@pytest.fixture(scope="module")
def rows() -> EquationColumns:
    return textbook_rows(Random(4), 1200, collect_axioms(FAMILIES), (1, 7))


def test_labels_agree_with_the_check_and_kinds_with_the_labels(rows):
    found = treesmu.check_many([from_prefix(p.split()) for p in rows.prefix])
    assert all(v.label == ("incorrect", "correct")[label] for label, v in zip(rows.label, found, strict=True))
    assert set(zip(rows.label, rows.kind, strict=True)) == {(1, "rewrite"), (0, "slip")}
    assert sum(rows.label) == pytest.approx(0.5 * len(rows), rel=0.15)


def test_no_equation_is_deeper_than_four_and_depths_are_those_asked_for(rows):
    assert max(rows.depth) == 4
    shallow = textbook_rows(Random(4), 400, collect_axioms(FAMILIES), (2, 3))
    assert set(shallow.depth) == {2, 3}
    assert len(textbook_rows(Random(4), 100, collect_axioms(FAMILIES), (5, 7))) == 0


def test_equations_are_varied_and_have_at_most_four_variables(rows):
    assert len(set(rows.fingerprint)) > 0.6 * len(rows)
    tokens = Counter(token for prefix in rows.prefix for token in set(prefix.split()))
    assert {"x", "y", "z", "2", "3", "pi", "sin", "log", "exp", "sinh", "asin"} <= set(tokens)
    assert not {"u", "v", "m", "n", "k"} & set(tokens)


def test_only_functions_of_the_families_occur():
    axioms = collect_axioms(("algebra", "trigonometry"))
    rows = textbook_rows(Random(1), 600, axioms, (1, 4))
    used = {token for prefix in rows.prefix for token in prefix.split()} & {f.name for f in treesmu.expr.FUNCTIONS}
    assert {op(token) for token in used} <= functions_of(axioms)
    assert "exp" not in used
    assert "sin" in used


def test_the_same_generator_gives_the_same_rows(rows):
    assert textbook_rows(Random(4), 1200, collect_axioms(FAMILIES), (1, 7)) == rows
    named = textbook_rows(Random(4), 100, collect_axioms(FAMILIES), (1, 7), first_occurrence=True)
    assert all(from_prefix(p.split()).canonical() is from_prefix(p.split()) for p in named.prefix)
