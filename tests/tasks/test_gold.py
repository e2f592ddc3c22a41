"""Equations of blanks and the same with a wrong filler, as labelled equations."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.data import Blanks, Candidates, DataError
from treesmu.expr import parse
from treesmu.tasks.gold import gold_and_wrong, gold_equations, gold_measures, wrong_fillers

EQUATIONS = {"x + x = 2*x": (0, 1), "sin(x)^2 + cos(x)^2 = 1": (1,), "x + 1 = x": (1,)}
FILLERS = ["x", "1", "1*x", "1^2", "sin(x)", "0^(-1)"]


@pytest.fixture
def blanks() -> Blanks:
    return Blanks("some", tuple(map(parse, EQUATIONS)), tuple(EQUATIONS.values()), np.array([4, 7, 9]))


@pytest.fixture
def candidates() -> Candidates:
    return Candidates.of([parse(text) for text in FILLERS])


def test_the_gold_equations_are_those_of_the_blanks_labelled_correct(blanks: Blanks) -> None:
    found = gold_equations(blanks)
    assert found.texts() == list(EQUATIONS)
    assert (found.source, found.row.tolist(), found.depth.tolist()) == ("some", [4, 7, 9], [2, 4, 2])
    assert (found.label == 1).all()


def test_a_wrong_filler_has_another_value_than_the_answer_and_has_a_value(blanks: Blanks, candidates: Candidates) -> None:
    drawn: list[set[str]] = [set(), set(), set()]
    for seed in range(60):
        found = wrong_fillers(blanks, candidates, np.random.default_rng(seed))
        assert (found.label == 0).all()
        assert found.depth.tolist() == [2, 4, 2]  # of the blank's equation, also where a filler is higher than the answer
        for texts, e, path in zip(drawn, found.iter_expressions(), EQUATIONS.values(), strict=True):
            texts.add(str(e.at(path)))
    assert drawn == [{"1", "1^2", "sin(x)"}, {"x", "1*x", "sin(x)"}, {"1", "1^2", "sin(x)"}]


def test_gold_equations_come_first_and_the_seed_decides(blanks: Blanks, candidates: Candidates) -> None:
    found = gold_and_wrong(blanks, candidates)
    assert found.label.tolist() == [1, 1, 1, 0, 0, 0]
    assert found.kind.tolist() == ["gold"] * 3 + ["wrong filler"] * 3
    assert found.texts()[:3] == list(EQUATIONS)
    assert found.texts() == gold_and_wrong(blanks, candidates).texts()


def test_an_answer_that_is_no_candidate_can_get_any_filler(candidates: Candidates) -> None:
    blanks = Blanks("some", (parse("y = y"),), ((1,),), np.array([0]))
    assert wrong_fillers(blanks, candidates, np.random.default_rng(0)).texts()[0] in {f"y = {f}" for f in FILLERS[:5]}


def test_candidates_of_one_value_have_no_wrong_filler(blanks: Blanks) -> None:
    with pytest.raises(DataError, match=r"^memory: all fillers have the same value; give candidates of several classes$"):
        wrong_fillers(blanks, Candidates.of([parse("x"), parse("1*x")]), np.random.default_rng(0))


def test_the_mean_is_that_of_recall_and_specificity() -> None:
    overall = {"equations": 10, "correct": 4, "recall": 0.75, "specificity": 0.5}
    wanted = {"gold": 4, "wrong_fillers": 6, "recall": 0.75, "specificity": 0.5, "mean": 0.625}
    assert gold_measures(overall) == wanted
    assert gold_measures({**overall, "equations": 4, "specificity": None})["mean"] is None
