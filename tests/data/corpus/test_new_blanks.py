"""Blanks in the equations of a data set: only in correct ones, only where a candidate stands."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.data import Candidates, DataError, Dataset
from treesmu.data.corpus.new_blanks import make_blanks, paths_of_candidates
from treesmu.expr import parse

EQUATIONS = [parse(text) for text in ("x + x = 2*x", "x = y", "sin(y)*1 = sin(y)", "7 = 7", "x*1 = x")]
DATA = Dataset.of(EQUATIONS, [1, 0, 1, 1, 1])
CANDIDATES = Candidates.of([parse(text) for text in ("x", "2*x", "sin(y)", "1")])


def test_paths_are_those_of_candidates() -> None:
    assert paths_of_candidates(EQUATIONS[0], set(CANDIDATES.fillers)) == [(0, 0), (0, 1), (1,), (1, 1)]
    assert paths_of_candidates(EQUATIONS[3], set(CANDIDATES.fillers)) == []


def test_each_correct_equation_with_a_candidate_gets_one_blank() -> None:
    blanks = make_blanks(DATA, CANDIDATES, 10, np.random.default_rng(0))
    assert sorted(blanks.row.tolist()) == [0, 2, 4]
    assert (blanks.answers(CANDIDATES) >= 0).all()
    assert all(EQUATIONS[row] is e for row, e in zip(blanks.row.tolist(), blanks.equations, strict=True))
    again = make_blanks(DATA, CANDIDATES, 10, np.random.default_rng(0))
    assert (again.equations, again.paths) == (blanks.equations, blanks.paths)
    assert len(make_blanks(DATA, CANDIDATES, 2, np.random.default_rng(1))) == 2


def test_without_a_place_for_a_blank_there_is_a_message() -> None:
    with pytest.raises(DataError, match="no correct equation has a candidate"):
        make_blanks(DATA, Candidates.of([parse("cosh(x)")]), 3, np.random.default_rng(0))
