"""Rank candidates: by the logit of the filled equation, and by how common their values are if the model has a prior."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from treesmu.data.corpus.blanks import path_of_blank
from treesmu.expr import BLANK, Expr, Op, leaf
from treesmu.expr.numeric.equal_classes import enumerate_fillers, is_undefined

from ..verifier import Verifier
from .candidates import Offer
from .prior import ValuePrior
from .scoring import Scorer, make_scorer
from .screening import MORE, Screen

BEAM = 24  # how many functions with a blank among their arguments the search for height 2 extends
PER_FUNCTION = 200  # how many of the best fillers are kept for each of these functions
CACHED_FILLERS = 64  # lists of candidates
CACHED_SCORERS = 4  # per model, and as many screens: a server sees the same few variables, hence the same candidates, again


class Ranked(NamedTuple):
    """A filler in a ranking, the highest score first."""

    filler: Expr
    logit: float  # of the filled equation
    score: float  # the logit, plus the bonus of the prior if there is one


Ranking = list[Ranked]
Made = TypeVar("Made", Scorer, Screen)
Floats = NDArray[np.float64]


def rank_offer(
    model: Verifier, question: Expr, offer: Offer, height: int, prior: ValuePrior | None, kept: int | None = None
) -> Ranking:
    """Return the ranking of all fillers of an offer up to a height of 0 or 1, or of 2 by a beam search.

    Fillers without a value, such as acos(10), are left out: no equation with one of them is correct.
    kept: how many fillers are read at all points of a model that has many; a few points choose them. By default all.
    """
    fillers = _defined_fillers(tuple(offer.leaves), tuple(offer.functions)) if height else offer.leaves
    if kept is not None and height < 2 and len(fillers) > kept and getattr(model.encoder, "points", 0) > MORE:
        return _rank_screened(model, question, fillers, prior, kept)
    scorer = _cached(model, fillers, make_scorer)
    logits = _logits(scorer, question)
    if height == 2:
        logits = _add_height_2(scorer, question, logits)
    return rank(question, logits, prior)


@lru_cache(maxsize=CACHED_FILLERS)
def _defined_fillers(leaves: tuple[Expr, ...], functions: tuple[Op, ...]) -> list[Expr]:
    """Return all fillers of height 0 and 1 that have a value."""
    return [e for e in enumerate_fillers(leaves, functions) if not is_undefined(e)]


def _rank_screened(model: Verifier, question: Expr, fillers: Sequence[Expr], prior: ValuePrior | None, kept: int) -> Ranking:
    """Return the ranking of the fillers that are the best at a few points, by their logits at all points."""
    path = path_of_blank(question)
    bonus = np.zeros(len(fillers)) if prior is None else prior.bonus(question, fillers)
    chosen = _cached(model, fillers, Screen).best(question, bonus, kept)
    best = [fillers[i] for i in chosen.tolist()]
    logits = model.logits([question.replace(path, filler) for filler in best]).astype(float)
    return _ordered(best, logits, logits + bonus[chosen])


def rank_given(model: Verifier, question: Expr, fillers: Sequence[Expr], prior: ValuePrior | None) -> Ranking:
    """Return the ranking of a list of fillers."""
    return rank(question, _logits(_cached(model, fillers, make_scorer), question), prior)


def rank(question: Expr, logits: dict[Expr, float], prior: ValuePrior | None) -> Ranking:
    """Return the ranking of fillers with these logits; ties keep their order."""
    fillers, values = tuple(logits), np.array(list(logits.values()), float)
    return _ordered(fillers, values, values if prior is None else values + prior.bonus(question, fillers))


def _ordered(fillers: Sequence[Expr], logits: Floats, scores: Floats) -> Ranking:
    order = np.argsort(-scores, kind="stable").tolist()
    return [Ranked(fillers[i], float(logits[i]), float(scores[i])) for i in order]


def _cached(model: Verifier, fillers: Sequence[Expr], make: Callable[[Verifier, Sequence[Expr]], Made]) -> Made:
    """Return a scorer or a screen, which computes the states of its fillers only once while the weights stay the same.

    The one that was used least recently is dropped if there are too many of its kind.
    """
    points = getattr(model.encoder, "points", None)  # which may be changed at any time
    key = (make, tuple(fillers), points, tuple((p.data_ptr(), p._version) for p in model.parameters()))
    found: Made = model.scorers.pop(key, None) or make(model, fillers)
    model.scorers[key] = found  # the most recent one is the last
    for old in [key for key in list(model.scorers) if key[0] is make][:-CACHED_SCORERS]:
        model.scorers.pop(old, None)
    return found


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
