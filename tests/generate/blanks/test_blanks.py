"""Blanks are in correct equations of the depths asked for, and the answer of every blank is a candidate."""

from __future__ import annotations

from random import Random

import pytest

from fillers import tree
from treesmu.expr import Expr, equation, from_prefix, leaf, parse
from treesmu.generate.blanks import BlankColumns, CandidateColumns, make_blanks
from treesmu.generate.columns import EquationColumns


def table(equations: list[tuple[Expr, int]]) -> EquationColumns:
    """Return rows with these labels, without checking them."""
    rows = EquationColumns()
    for i, (e, label) in enumerate(equations):
        rows.prefix.append(" ".join(e.prefix()))
        rows.infix.append(str(e))
        rows.label.append(label)
        rows.depth.append(e.depth)
        rows.size.append(e.size)
        rows.chain.append(1000 + i)
    return rows


@pytest.fixture(scope="module")
def rows() -> EquationColumns:
    rng = Random("rows")
    return table(
        [
            (equation(tree(rng, rng.randrange(6, d)), tree(rng, d - 1)), rng.randrange(2))
            for d in range(7, 15)
            for _ in range(60)
        ]
    )


@pytest.fixture(scope="module")
def blanks(rows: EquationColumns, found: CandidateColumns) -> BlankColumns:
    return make_blanks(rows, found, 20, (8, 13), Random("blanks"))


def test_each_depth_has_the_number_of_blanks_asked_for_in_different_equations(rows, blanks):
    assert blanks.depth == [d for d in range(8, 14) for _ in range(20)]
    assert len(set(blanks.prefix)) == len(blanks) == 120
    correct = {p for p, label in zip(rows.prefix, rows.label, strict=True) if label == 1}
    assert set(blanks.prefix) <= correct


def test_filling_the_answer_gives_back_the_equation(blanks):
    for p, text, question, path, answer in zip(
        blanks.prefix, blanks.infix, blanks.question, blanks.path, blanks.answer, strict=True
    ):
        asked, filler = parse(question), from_prefix(answer.split())
        place = tuple(int(i) for i in path.split("."))
        assert asked.at(place) is leaf("_")
        assert [e.token for e in asked.preorder()].count("_") == 1
        assert asked.replace(place, filler) == from_prefix(p.split()) == parse(text)


def test_answers_are_candidates_of_the_height_given(found, blanks):
    height_of = dict(zip(found.prefix, found.height, strict=True))
    assert [height_of[a] for a in blanks.answer] == blanks.height
    assert set(blanks.height) == {0, 1}


def test_other_columns_are_those_of_the_equation(rows, blanks):
    facts = {p: f for p, *f in zip(rows.prefix, rows.infix, rows.depth, rows.size, rows.chain, strict=True)}
    for p, *mine in zip(blanks.prefix, blanks.infix, blanks.depth, blanks.size, blanks.chain, strict=True):
        assert mine == facts[p]


def test_same_seed_same_blanks(rows, found, blanks):
    assert make_blanks(rows, found, 20, (8, 13), Random("blanks")) == blanks
    assert make_blanks(rows, found, 20, (8, 13), Random("others")) != blanks


def test_places_are_chosen_evenly(found):
    """x + sin(y) = 2: x, y, sin(y) and 2 may be blanked, the sum and the equation not."""
    rows = table([(parse("x + sin(y) = 2"), 1)] * 4000)
    made = make_blanks(rows, found, 4000, (3, 3), Random(0))
    counts = {q: made.question.count(q) for q in set(made.question)}
    assert set(counts) == {"_ + sin(y) = 2", "x + sin(_) = 2", "x + _ = 2", "x + sin(y) = _"}
    assert all(900 < n < 1100 for n in counts.values())


def test_there_are_fewer_blanks_where_there_are_fewer_equations(found):
    equations = [("sin(sin(x)) = sin(sin(x))", 1), ("sin(sin(x)) = cos(sin(x))", 0), ("sin(sin(7)) = sin(sin(7))", 1)]
    rows = table([(parse(e), label) for e, label in equations])
    made = make_blanks(rows, found, 5, (2, 4), Random(0))
    assert made.infix == ["sin(sin(x)) = sin(sin(x))"]  # the second is incorrect; the third contains no candidate
    assert len(make_blanks(rows, found, 0, (2, 4), Random(0))) == 0
