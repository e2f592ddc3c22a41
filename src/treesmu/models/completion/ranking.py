"""Rank candidates: by the logit of the filled equation, and by how common their values are if the model has a prior."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treesmu.data.corpus.blanks import path_of_blank
from treesmu.expr import BLANK, Expr, leaf
from treesmu.expr.numeric.equal_classes import enumerate_fillers, is_undefined

from ..verifier import Verifier
from .candidates import Offer
from .prior import ValuePrior
from .scoring import Scorer, make_scorer

BEAM = 24  # how many functions with a blank among their arguments the search for height 2 extends
PER_FUNCTION = 200  # how many of the best fillers are kept for each of these functions
CACHED_SCORERS = 4  # per model: a server sees the same few variables, hence the same candidates, again and again


class Ranked(NamedTuple):
    """A filler in a ranking, the highest score first."""

    filler: Expr
    logit: float  # of the filled equation
    score: float  # the logit, plus the bonus of the prior if there is one


Ranking = list[Ranked]


def rank_offer(model: Verifier, question: Expr, offer: Offer, height: int, prior: ValuePrior | None) -> Ranking:
    """Return the ranking of all fillers of an offer up to a height of 0 or 1, or of 2 by a beam search.

    Fillers without a value, such as acos(10), are left out: no equation with one of them is correct.
    """
    fillers = offer.leaves
    if height:
        fillers = [e for e in enumerate_fillers(offer.leaves, offer.functions) if not is_undefined(e)]
    scorer = _cached_scorer(model, fillers)
    logits = _logits(scorer, question)
    if height == 2:
        logits = _add_height_2(scorer, question, logits)
    return rank(question, logits, prior)


def rank_given(model: Verifier, question: Expr, fillers: Sequence[Expr], prior: ValuePrior | None) -> Ranking:
    """Return the ranking of a list of fillers."""
    return rank(question, _logits(_cached_scorer(model, fillers), question), prior)


def rank(question: Expr, logits: dict[Expr, float], prior: ValuePrior | None) -> Ranking:
    """Return the ranking of fillers with these logits; ties keep their order."""
    fillers, values = tuple(logits), np.array(list(logits.values()), float)
    scores = values if prior is None else values + prior.bonus(question, fillers)
    order = np.argsort(-scores, kind="stable").tolist()
    return [Ranked(fillers[i], float(values[i]), float(scores[i])) for i in order]


def _cached_scorer(model: Verifier, fillers: Sequence[Expr]) -> Scorer:
    """Return a scorer, which computes the states of its fillers only once while the weights stay the same."""
    key = (tuple(fillers), tuple((p.data_ptr(), p._version) for p in model.parameters()))
    if key not in model.scorers:
        model.scorers[key] = make_scorer(model, fillers)
        for old in list(model.scorers)[:-CACHED_SCORERS]:
            del model.scorers[old]
    scorer: Scorer = model.scorers[key]
    return scorer


def _logits(scorer: Scorer, question: Expr) -> dict[Expr, float]:
    (scores,) = scorer.scores([question])
    return dict(zip(scorer.fillers, scores.tolist(), strict=True))


# -- height 2 ----------------------------------------------------------------------------------------------------------


def _add_height_2(scorer: Scorer, question: Expr, logits: dict[Expr, float]) -> dict[Expr, float]:
    """Return the logits with those of fillers of height 2.

    The best functions with one argument replaced by a blank are put into the question, whose new blank is filled with all
    candidates. A second round does the same with the results, which fills the other argument of binary functions.
    """
    best = dict(logits)
    path = path_of_blank(question)
    for _ in range(2):
        ranked = sorted(best, key=lambda e: -best[e])
        frames = _first_distinct(BEAM, (frame for e in ranked for frame in _with_blank(e)))
        questions = [question.replace(path, frame) for frame in frames]
        for frame, scores in zip(frames, scorer.scores(questions), strict=True):
            blank = (next(k for k, child in enumerate(frame.children) if child.has_blank),)
            for i in np.argsort(-scores, kind="stable")[:PER_FUNCTION].tolist():
                best.setdefault(frame.replace(blank, scorer.fillers[i]), float(scores[i]))
    return best


def _first_distinct(count: int, exprs: Iterator[Expr]) -> list[Expr]:
    found: dict[Expr, None] = {}
    for e in exprs:
        found[e] = None
        if len(found) == count:
            break
    return list(found)


def _with_blank(e: Expr) -> Iterator[Expr]:
    """Yield the expression with a blank in place of one argument, for each argument that is a leaf."""
    for k, child in enumerate(e.children):
        if child.is_leaf:
            yield e.replace((k,), leaf(BLANK))
