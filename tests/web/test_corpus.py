"""Rows of a corpus: filters, the order, and what a model says about them, as far as it is known."""

from __future__ import annotations

import numpy as np
import pytest

from corpora import ROWS, equations
from treesmu.web.corpus import Corpus, Scores
from treesmu.web.listings import CorpusAnswer
from treesmu.web.requests import CorpusQuery

PROBABILITIES: list[float | None] = [0.92, 0.8, 0.4, 0.3, None, 0.95, 0.05, 0.1]
LABELS = [label for _, label, _ in ROWS]


@pytest.fixture
def scores(corpus: Corpus) -> Scores:
    found = Scores(len(corpus.data))
    found.add(PROBABILITIES)
    return found


def _rows(answer: CorpusAnswer) -> list[int]:
    return [row.row for row in answer.equations]


def test_rows_are_those_of_the_data_set(corpus: Corpus, scores: Scores) -> None:
    answer = corpus.select(CorpusQuery(), scores)
    assert (answer.status, answer.rows, answer.scored, answer.matching) == ("ready", len(ROWS), len(ROWS), len(ROWS))
    assert [row.equation for row in answer.equations] == [str(e) for e in equations()]
    assert [row.mathml for row in answer.equations] == [e.mathml() for e in equations()]
    assert [(row.label, row.kind) for row in answer.equations] == [(label, kind) for _, label, kind in ROWS]
    assert [(row.depth, row.size) for row in answer.equations] == [(e.depth, e.size) for e in equations()]
    assert [row.probability for row in answer.equations] == PROBABILITIES
    assert [row.is_right for row in answer.equations] == [True, False, False, True, None, False, False, True]


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        (CorpusQuery(label=0), [1, 3, 5, 7]),
        (CorpusQuery(kind="near-miss"), [1, 7]),
        (CorpusQuery(kind="unknown"), []),
        (CorpusQuery(depth_from=3), [i for i, e in enumerate(equations()) if e.depth >= 3]),
        (CorpusQuery(depth_to=2), [i for i, e in enumerate(equations()) if e.depth <= 2]),
        (CorpusQuery(outcome="right"), [0, 3, 7]),
        (CorpusQuery(outcome="wrong"), [1, 2, 5, 6]),
        (CorpusQuery(outcome="wrong", label=1), [2, 6]),
        (CorpusQuery(sort="confident_and_wrong"), [5, 6, 1, 2, 3, 7, 0, 4]),
        (CorpusQuery(sort="confident_and_wrong", outcome="wrong", limit=2), [5, 6]),
        (CorpusQuery(offset=6), [6, 7]),
        (CorpusQuery(offset=100), []),
    ],
)
def test_filters_and_order(corpus: Corpus, scores: Scores, query: CorpusQuery, rows: list[int]) -> None:
    assert _rows(corpus.select(query, scores)) == rows


def test_while_a_model_reads_the_rest_is_unknown(corpus: Corpus) -> None:
    scores = Scores(len(corpus.data))
    scores.add(PROBABILITIES[:3])
    answer = corpus.select(CorpusQuery(), scores)
    assert (answer.status, answer.scored) == ("computing", 3)
    assert [row.is_right for row in answer.equations] == [True, False, False, None, None, None, None, None]
    assert _rows(corpus.select(CorpusQuery(outcome="wrong"), scores)) == [1, 2]


def test_a_fault_is_told(corpus: Corpus) -> None:
    scores = Scores(len(corpus.data))
    scores.fault = "no memory"
    answer = corpus.select(CorpusQuery(), scores)
    assert (answer.status, answer.message) == ("failed", "no memory")


def test_the_facts_and_the_chunks(corpus: Corpus) -> None:
    facts = corpus.facts()
    assert (facts.name, facts.rows, facts.labels) == ("small", len(ROWS), [1, 0])
    assert facts.kinds == sorted({kind for _, _, kind in ROWS})
    assert facts.depths == (min(e.depth for e in equations()), max(e.depth for e in equations()))
    assert corpus.chunk(2) == [" ".join(e.prefix()) for e in equations()[2:]]
    assert np.isnan(Scores(2).probability).all()
