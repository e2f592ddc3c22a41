"""Answers: what may stand in the blank of an equation. The network proposes, the numbers dispose.

Candidates come from the model's vocabulary (height 0 and 1, or 2 by a beam) or from a list. They are ranked by the model,
fillers of equal value become one answer, and every answer gets the numeric verdict on the filled equation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from treesmu.data import DataError
from treesmu.data.augment.variable_names import VariableNames
from treesmu.data.corpus.blanks import place_of_blank
from treesmu.expr import BLANK, EQUALITY, Expr, Op, Verdict, check_many, leaf, op
from treesmu.expr.numeric.equal_classes import FILLER_LEAVES, enumerate_fillers, equal_classes, is_undefined

from ..verifier import Verifier
from .scoring import Scorer, make_scorer

BEAM = 24  # functions with a blank of their own that height 2 goes on with
OF_EACH = 200  # best fillers of each of them that are kept
SEARCH = 2000  # fillers that are checked at most until enough true ones are found
_FIRST = 32  # fillers looked at first; then twice as many each time
_KEPT = 4  # lists of candidates whose states a model keeps: a server sees the same few variables again and again


@dataclass(frozen=True)
class Completion:
    """A filler, the best of its class by the model's logit."""

    filler: Expr
    filled: Expr  # the whole equation
    logit: float
    verdict: Verdict
    equal: tuple[Expr, ...] = ()  # other fillers of the same value, as far as the search has come; the best first

    @property
    def probability(self) -> float:
        return 1 / (1 + exp(-self.logit)) if self.logit > -700 else 0.0


Ranked = list[tuple[Expr, float]]  # fillers and logits, the best first


def complete(
    model: Verifier,
    question: Expr,
    top: int = 5,
    candidates: Sequence[Expr] | None = None,
    height: int = 1,
    any_variable: bool = False,
    all_leaves: bool = False,
    verified: bool = False,
) -> list[Completion]:
    """The best answers to an equation with one blank, at most ``top``, each of another value.

    candidates: to choose from; by default all of this ``height`` (0, 1 or 2) from the model's vocabulary: of its common leaves
    and those of the equation, or of ``all_leaves`` (some of which training may never have shown); with the variables of the
    equation, or with ``any_variable``. verified: only answers that make the equation correct.
    """
    place = place_of_blank(question)
    if top < 1:
        raise DataError(f"top is the number of answers, at least 1, not {top}")
    there, back = _known_names(model, question, candidates or ())
    known = question.substitute(there)
    if candidates is None:
        ranked = _from_vocabulary(model, known, height, any_variable, all_leaves)
    else:
        ranked = _best_first(_kept(model, [e.substitute(there) for e in dict.fromkeys(candidates)]), known)
    if back:
        ranked = [(e.substitute(back), logit) for e, logit in ranked]
    if verified:
        return _verified(question, ranked, top)
    groups = _groups(ranked, top)
    filled = [question.replace(place, group[0][0]) for group in groups]
    return [_answer(*found) for found in zip(groups, filled, check_many(filled), strict=True)]


# -- ranking -----------------------------------------------------------------------------------------------------------


def _from_vocabulary(model: Verifier, question: Expr, height: int, any_variable: bool, all_leaves: bool) -> Ranked:
    if height not in (0, 1, 2):
        raise DataError(f"candidates have the height 0, 1 or 2, not {height}; give a list of your own for others")
    leaves, functions = vocabulary(model)
    own = {e for e in question.subexpressions() if e.is_leaf}
    leaves = [e for e in leaves if e in own or (any_variable if e.is_variable else all_leaves or e.token in FILLER_LEAVES)]
    filler = _kept(model, leaves if height == 0 else enumerate_fillers(leaves, functions))
    ranked = _best_first(filler, question)
    return _higher(filler, question, ranked) if height == 2 else ranked


def vocabulary(model: Verifier) -> tuple[list[Expr], list[Op]]:
    """The leaves that have a value, and the functions that the model knows."""
    try:
        leaves = [leaf(token) for token in model.vocab.leaves if token not in ("nan", "inf")]
        functions = [op(name) for name in model.vocab.functions]
    except ValueError as error:
        raise DataError(f"the model's vocabulary is not of mathematics ({error}); give candidates of your own") from error
    return leaves, [f for f in functions if f is not EQUALITY]


def _known_names(model: Verifier, question: Expr, given: Sequence[Expr]) -> tuple[dict[Expr, Expr], dict[Expr, Expr]]:
    """Variables that the model does not know -> those that it knows, and the way back: theta is read as x."""
    names = VariableNames(model.vocab)
    tokens = [token for e in (question, *given) for token in e.prefix() if token != BLANK]
    if reason := names.why_unreadable(tokens):
        raise DataError(f"the model cannot read {question}: {reason}")
    there = {leaf(old): leaf(new) for old, new in names.replacements(tokens).items()}
    return there, {new: old for old, new in there.items()}


def _kept(model: Verifier, found: Sequence[Expr]) -> Scorer:
    """The states of fillers are computed once for a model, as long as nobody changes its weights."""
    key = (tuple(found), tuple((p.data_ptr(), p._version) for p in model.parameters()))
    if key not in model.scorers:
        model.scorers[key] = make_scorer(model, found)
        for old in list(model.scorers)[:-_KEPT]:
            del model.scorers[old]
    return model.scorers[key]


def _best_first(filler: Scorer, question: Expr) -> Ranked:
    (scores,) = filler.scores([question])
    return [(filler.fillers[i], float(scores[i])) for i in np.argsort(-scores, kind="stable").tolist()]


# -- height 2 ----------------------------------------------------------------------------------------------------------


def _higher(filler: Scorer, question: Expr, ranked: Ranked) -> Ranked:
    """Fillers of height 2 among the others: functions of a blank, which is filled again; then the other argument, likewise."""
    best = dict(ranked)
    for _ in range(2):
        frames = _first(BEAM, (frame for e, _ in ranked for frame in _frames(e)))
        place = place_of_blank(question)
        questions = [question.replace(place, frame) for frame in frames]
        for frame, scores in zip(frames, filler.scores(questions), strict=True):
            hole = (next(k for k, child in enumerate(frame.children) if child.has_blank),)
            for i in np.argsort(-scores, kind="stable")[:OF_EACH].tolist():
                best.setdefault(frame.replace(hole, filler.fillers[i]), float(scores[i]))
        ranked = sorted(best.items(), key=lambda pair: -pair[1])
    return ranked


def _first(count: int, found: Iterator[Expr]) -> list[Expr]:
    """So many different ones."""
    kept: dict[Expr, None] = {}
    for e in found:
        kept[e] = None
        if len(kept) == count:
            break
    return list(kept)


def _frames(e: Expr) -> Iterator[Expr]:
    """A function with a blank in place of one argument, where that is a leaf."""
    for k, child in enumerate(e.children):
        if child.is_leaf:
            yield e.replace((k,), leaf(BLANK))


# -- classes and verdicts ----------------------------------------------------------------------------------------------


def _groups(ranked: Ranked, top: int) -> list[Ranked]:
    """The first ``top`` classes among the fillers, each the best first."""
    size = max(_FIRST, 4 * top)
    while True:
        groups: dict[int, Ranked] = {}
        for pair, number in zip(ranked, equal_classes([e for e, _ in ranked[:size]]), strict=False):
            groups.setdefault(number, []).append(pair)
        if len(groups) >= top or size >= len(ranked):
            return list(groups.values())[:top]
        size *= 2


def _verified(question: Expr, ranked: Ranked, top: int) -> list[Completion]:
    """Down the ranking until there are enough answers that make the equation correct."""
    place = place_of_blank(question)
    ranked = [(e, logit) for e, logit in ranked[:SEARCH] if not is_undefined(e)]
    true: Ranked = []
    verdicts: dict[Expr, Verdict] = {}
    start, stop = 0, _FIRST
    while start < len(ranked):
        tried = ranked[start:stop]
        for pair, verdict in zip(tried, check_many([question.replace(place, e) for e, _ in tried]), strict=True):
            if verdict.label == "correct":
                true.append(pair)
                verdicts[pair[0]] = verdict
        if len(true) >= top and len(_groups(true, top)) == top:
            break
        start, stop = stop, 2 * stop
    groups = _groups(true, top) if true else []
    return [_answer(group, question.replace(place, group[0][0]), verdicts[group[0][0]]) for group in groups]


def _answer(group: Ranked, filled: Expr, verdict: Verdict) -> Completion:
    (filler, logit), *others = group
    return Completion(filler, filled, logit, verdict, tuple(e for e, _ in others))
