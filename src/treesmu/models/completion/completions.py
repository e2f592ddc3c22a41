"""Complete an equation with a blank: the model ranks candidates, the numeric check gives its verdict, and numbers propose too.

Candidates come from the vocabulary of the model (height 0 and 1, or 2 by a beam search) or from a list. Fillers of one equal
class (``equal_classes``: equal values at fixed points) are one completion, with the verdict on the filled equation. If the
model proposes none that is correct, fillers are searched by their values (``treesmu.expr.search``); these are marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp
from numbers import Integral
from typing import Literal

from treesmu.data.corpus.blanks import path_of_blank
from treesmu.errors import DataError
from treesmu.expr import Expr, TreePath, Verdict, check_many
from treesmu.expr.notation.names import shorten
from treesmu.expr.numeric.equal_classes import equal_classes, is_undefined
from treesmu.expr.search.fillers import MOST_ROWS, FoundFillers, find_fillers

from ..cells.arguments import check_flags
from ..verifier import Verifier, as_exprs
from .candidates import Offer, known_names
from .prior import ValuePrior
from .ranking import Ranked, Ranking, rank, rank_given, rank_offer

SEARCH = 2000  # how many fillers of a ranking are checked at most to find enough that make the equation correct
KEPT, FEWEST_KEPT = 12, 64  # fillers for each completion that are read at all points if they are screened, and at least
FEW_ROWS = (40_000, 15_000, 5_000)  # fillers that a screened search by value keeps after the first points
FIRST_CHUNK = 32  # how many fillers are checked first; then twice as many each time


@dataclass(frozen=True)
class Completion:
    """A ranked filler: the best one of its equal class."""

    filler: Expr
    filled: Expr  # the equation with the filler in its blank
    logit: float
    verdict: Verdict
    equal: tuple[Expr, ...] = ()  # other fillers of its class among those that were compared, the best first
    score: float = 0.0  # which it is ranked by: the logit, plus the bonus of the model's prior if there is one
    found_by: Literal["model", "search"] = "model"  # its ranking of candidates, or the search by value
    calibrated: float | None = None  # the calibrated logit; None if the model has no calibration

    @property
    def probability(self) -> float:
        """The probability that the filled equation is correct, as ``verify`` gives it."""
        logit = self.logit if self.calibrated is None else self.calibrated
        return 1 / (1 + exp(-logit)) if logit > -700 else 0.0


def complete(
    model: Verifier,
    question: Expr,
    top: int = 5,
    candidates: Iterable[Expr | str] | None = None,
    height: int | None = None,
    any_variable: bool = False,
    all_leaves: bool = False,
    verified: bool = False,
    search: bool = True,
    prior: bool = True,
    screened: bool = False,
) -> list[Completion]:
    """Return the best completions of an equation with one blank, at most ``top``, each of another equal class.

    candidates: the fillers to choose from, text is parsed; by default all of height 0 and 1 from the model's vocabulary.
    height: of the candidates, 0, 1 or 2; by default 1 for the ranking and 2 for the search.
    any_variable: use all variables of the vocabulary, not only those of the equation.
    all_leaves: use all numbers and constants of the vocabulary, not only common ones and those of the equation; training may
    never have shown some of them.
    verified: return only fillers that make the equation correct.
    search: if none of the completions is correct (verified: if there are fewer than ``top``), search fillers by their values
    and add those that make the equation correct, at most ``top`` (verified: ``top`` in all), where the model ranks them. Not
    for given candidates.
    screened: of a model that reads variables at many points: let 2 and then 12 of them choose the candidates that are read at
    all points, 12 for each completion and at least 64, of one value at most 4; and let the search keep fewer fillers that have
    no value at its first points. Several times as fast; a good filler is lost where few points mislead.
    prior: rank by the logit and by how common values are in training, if the model knows that; otherwise by the logit alone.
    """
    path = path_of_blank(question)
    _check_numbers(top, height)
    check_flags(any_variable=any_variable, all_leaves=all_leaves, verified=verified)
    check_flags(search=search, prior=prior, screened=screened)
    given = None if candidates is None else _as_fillers(candidates)
    to_known, from_known = known_names(model, question, given or ())
    known, used_prior = question.substitute(to_known), model.prior if prior else None
    offer = None
    if given is not None:
        ranked = rank_given(model, known, [e.substitute(to_known) for e in dict.fromkeys(given)], used_prior)
    else:
        offer = Offer.of(model, known, any_variable, all_leaves)
        kept = max(FEWEST_KEPT, KEPT * top) if screened else None
        ranked = rank_offer(model, known, offer, 1 if height is None else height, used_prior, kept)
    ranked = [Ranked(r.filler.substitute(from_known), r.logit, r.score) for r in ranked] if from_known else ranked
    found = _find_correct(question, ranked, top) if verified else _find_best(question, ranked, top)
    missing = top - len(found) if verified else 0 if any(c.verdict.label == "correct" for c in found) else top
    if offer is not None and search and missing:
        highest = 2 if height is None else height
        rows = FEW_ROWS if screened else MOST_ROWS
        by_value = find_fillers(known, path, offer.leaves, offer.functions, offer.numbers, highest, 2 * top, rows)
        more = [_renamed(c, question, path, from_known) for c in _from_search(model, known, path, by_value, used_prior)]
        found = sorted([*found, *_new_classes(found, more)[:missing]], key=lambda c: -c.score)  # the model ranks all of them
    return _calibrated(model, found)


def _check_numbers(top: int, height: int | None) -> None:
    if isinstance(top, bool) or not isinstance(top, Integral):
        raise TypeError(f"top, the number of completions, must be a whole number, not {type(top).__name__}")
    if top < 1:
        raise DataError(f"top, the number of completions, must be at least 1, not {top}")
    if height not in (None, 0, 1, 2):
        raise DataError(f"the height of candidates must be 0, 1 or 2, not {height}; for others give a list of candidates")


def _as_fillers(candidates: Iterable[Expr | str]) -> list[Expr]:
    """Return candidates as expressions that can fill a blank; text is parsed."""
    fillers = as_exprs(candidates)
    if wrong := next((e for e in fillers if e.is_equation or e.has_blank), None):
        what = "an equation" if wrong.is_equation else "itself a blank, or has one"
        raise DataError(f"the candidate {shorten(str(wrong))} is {what}; a filler is an expression such as cos(x)")
    return fillers


def _calibrated(model: Verifier, found: list[Completion]) -> list[Completion]:
    """Return completions with calibrated logits, in the order of the ranking, which is by logits as the network gives them."""
    if model.calibration is None or not found:
        return found
    logits = model.calibration.logits([c.logit for c in found], [c.filled.depth for c in found])
    return [replace(c, calibrated=logit) for c, logit in zip(found, logits.tolist(), strict=True)]


# -- the ranking of the model ------------------------------------------------------------------------------------------


def _find_best(question: Expr, ranked: Ranking, top: int) -> list[Completion]:
    """Return the first ``top`` completions of a ranking."""
    path = path_of_blank(question)
    groups = _group_equal(ranked, top)
    filled = [question.replace(path, group[0].filler) for group in groups]
    return [_completion(*row) for row in zip(groups, filled, check_many(filled), strict=True)]


def _group_equal(ranked: Ranking, top: int) -> list[Ranking]:
    """Return the first ``top`` equal classes of a ranking, the fillers of each in the order of the ranking."""
    size = max(FIRST_CHUNK, 4 * top)
    while True:
        groups: dict[int, Ranking] = {}
        for one, number in zip(ranked, equal_classes([r.filler for r in ranked[:size]]), strict=False):
            groups.setdefault(number, []).append(one)
        if len(groups) >= top or size >= len(ranked):
            return list(groups.values())[:top]
        size *= 2


def _find_correct(question: Expr, ranked: Ranking, top: int) -> list[Completion]:
    """Return the first ``top`` completions of a ranking that make the equation correct."""
    path = path_of_blank(question)
    ranked = [r for r in ranked[:SEARCH] if not is_undefined(r.filler)]
    correct: Ranking = []
    verdicts: dict[Expr, Verdict] = {}
    start, stop = 0, FIRST_CHUNK
    while start < len(ranked):
        tried = ranked[start:stop]
        for one, verdict in zip(tried, check_many([question.replace(path, r.filler) for r in tried]), strict=True):
            if verdict.label == "correct":
                correct.append(one)
                verdicts[one.filler] = verdict
        if len(correct) >= top and len(_group_equal(correct, top)) == top:
            break
        start, stop = stop, 2 * stop
    groups = _group_equal(correct, top) if correct else []
    return [_completion(g, question.replace(path, g[0].filler), verdicts[g[0].filler]) for g in groups]


def _completion(group: Ranking, filled: Expr, verdict: Verdict) -> Completion:
    best, *others = group
    return Completion(best.filler, filled, best.logit, verdict, tuple(r.filler for r in others), best.score)


# -- what was found by search ------------------------------------------------------------------------------------------


def _from_search(
    model: Verifier, question: Expr, path: TreePath, by_value: Sequence[FoundFillers], prior: ValuePrior | None
) -> list[Completion]:
    """Return one completion for each value that was found, with its simplest filler, ranked by the model."""
    if not by_value:
        return []
    of_filler = {found.fillers[0]: found for found in by_value}
    filled = {e: question.replace(path, e) for e in of_filler}
    logits = dict(zip(of_filler, model.logits(filled.values()).tolist(), strict=True))
    return [
        Completion(e, filled[e], logit, of_filler[e].verdict, of_filler[e].fillers[1:], score, "search")
        for e, logit, score in rank(question, logits, prior)
    ]


def _renamed(c: Completion, question: Expr, path: TreePath, names: dict[Expr, Expr]) -> Completion:
    """Return a completion with the names of variables of the question."""
    if not names:
        return c
    filler, equal = c.filler.substitute(names), tuple(e.substitute(names) for e in c.equal)
    filled = question.replace(path, filler)
    return Completion(filler, filled, c.logit, check_many([filled])[0], equal, c.score, c.found_by)


def _new_classes(found: list[Completion], more: list[Completion]) -> list[Completion]:
    """Return the correct ones of further completions whose fillers are in other equal classes than those found before."""
    classes = equal_classes([c.filler for c in (*found, *more)])
    seen = set(classes[: len(found)])
    return [
        c for c, number in zip(more, classes[len(found) :], strict=True) if c.verdict.label == "correct" and number not in seen
    ]
