"""Complete an equation with a blank: the model ranks candidates, and the numeric check gives a verdict on the best ones.

Candidates come from the vocabulary of the model (height 0 and 1, or 2 by a beam search) or from a list. Fillers of one equal
class (``equal_classes``: equal values at fixed points) are one completion, with the verdict on the filled equation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from treesmu.data.augment.variable_names import VariableNames
from treesmu.data.corpus.blanks import path_of_blank
from treesmu.data.trees.expr_nodes import first_occurrences
from treesmu.errors import DataError
from treesmu.expr import BLANK, EQUALITY, Expr, Op, Verdict, check_many, leaf, op
from treesmu.expr.numeric.equal_classes import FILLER_LEAVES, enumerate_fillers, equal_classes, is_undefined

from ..verifier import Verifier
from .scoring import Scorer, make_scorer

BEAM = 24  # how many functions with a blank among their arguments the search for height 2 extends
PER_FUNCTION = 200  # how many of the best fillers are kept for each of these functions
SEARCH = 2000  # how many fillers are checked at most to find enough that make the equation correct
FIRST_CHUNK = 32  # how many fillers are checked first; then twice as many each time
CACHED_SCORERS = 4  # per model: a server sees the same few variables, hence the same candidates, again and again


@dataclass(frozen=True)
class Completion:
    """A ranked filler: the one with the highest logit of its equal class."""

    filler: Expr
    filled: Expr  # the equation with the filler in its blank
    logit: float
    verdict: Verdict
    equal: tuple[Expr, ...] = ()  # other fillers of its class among those that were compared, the best first

    @property
    def probability(self) -> float:
        return 1 / (1 + exp(-self.logit)) if self.logit > -700 else 0.0


Ranking = list[tuple[Expr, float]]  # fillers and logits, the best first


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
    """Return the best completions of an equation with one blank, at most ``top``, each of another equal class.

    candidates: the fillers to choose from; by default all up to this ``height`` (0, 1 or 2) from the model's vocabulary.
    any_variable: use all variables of the vocabulary, not only those of the equation.
    all_leaves: use all numbers and constants of the vocabulary, not only common ones and those of the equation; training may
    never have shown some of them.
    verified: return only fillers that make the equation correct.
    """
    path = path_of_blank(question)
    if top < 1:
        raise DataError(f"top, the number of completions, must be at least 1, not {top}")
    to_known, from_known = _known_names(model, question, candidates or ())
    known = question.substitute(to_known)
    if candidates is None:
        ranked = _from_vocabulary(model, known, height, any_variable, all_leaves)
    else:
        ranked = _rank(_cached_scorer(model, [e.substitute(to_known) for e in dict.fromkeys(candidates)]), known)
    if from_known:
        ranked = [(e.substitute(from_known), logit) for e, logit in ranked]
    if verified:
        return _find_correct(question, ranked, top)
    groups = _group_equal(ranked, top)
    filled = [question.replace(path, group[0][0]) for group in groups]
    return [_completion(*row) for row in zip(groups, filled, check_many(filled), strict=True)]


# -- ranking -----------------------------------------------------------------------------------------------------------


def _from_vocabulary(model: Verifier, question: Expr, height: int, any_variable: bool, all_leaves: bool) -> Ranking:
    if height not in (0, 1, 2):
        raise DataError(f"the height of candidates must be 0, 1 or 2, not {height}; for others give a list of candidates")
    leaves, functions = vocabulary(model)
    in_question = {e for e in question.subexpressions() if e.is_leaf}

    def is_wanted(e: Expr) -> bool:
        return e in in_question or (any_variable if e.is_variable else all_leaves or e.token in FILLER_LEAVES)

    leaves = [e for e in leaves if is_wanted(e)]
    scorer = _cached_scorer(model, leaves if height == 0 else enumerate_fillers(leaves, functions))
    ranked = _rank(scorer, question)
    return _add_height_2(scorer, question, ranked) if height == 2 else ranked


def vocabulary(model: Verifier) -> tuple[list[Expr], list[Op]]:
    """Return the leaves of a model's vocabulary that have a value, and its functions."""
    try:
        leaves = [leaf(token) for token in model.vocab.leaves if token not in ("nan", "inf")]
        functions = [op(name) for name in model.vocab.functions]
    except ValueError as error:
        raise DataError(f"the model's vocabulary is not that of mathematics ({error}); give a list of candidates") from error
    return leaves, [f for f in functions if f is not EQUALITY]


def _known_names(model: Verifier, question: Expr, given: Sequence[Expr]) -> tuple[dict[Expr, Expr], dict[Expr, Expr]]:
    """Return a map from unknown variables to known ones, so that theta is read as x, and the map back."""
    names = VariableNames(model.vocab)
    tokens = [e.token for e in first_occurrences((question, *given)) if e.token != BLANK]
    if reason := names.why_unreadable(tokens):
        raise DataError(f"the model cannot read {question}: {reason}")
    to_known = {leaf(old): leaf(new) for old, new in names.replacements(tokens).items()}
    return to_known, {new: old for old, new in to_known.items()}


def _cached_scorer(model: Verifier, fillers: Sequence[Expr]) -> Scorer:
    """Return a scorer, which computes the states of its fillers only once while the weights stay the same."""
    key = (tuple(fillers), tuple((p.data_ptr(), p._version) for p in model.parameters()))
    if key not in model.scorers:
        model.scorers[key] = make_scorer(model, fillers)
        for old in list(model.scorers)[:-CACHED_SCORERS]:
            del model.scorers[old]
    scorer: Scorer = model.scorers[key]
    return scorer


def _rank(scorer: Scorer, question: Expr) -> Ranking:
    (scores,) = scorer.scores([question])
    return [(scorer.fillers[i], float(scores[i])) for i in np.argsort(-scores, kind="stable").tolist()]


# -- height 2 ----------------------------------------------------------------------------------------------------------


def _add_height_2(scorer: Scorer, question: Expr, ranked: Ranking) -> Ranking:
    """Return the ranking with fillers of height 2 among the others.

    The best functions with one argument replaced by a blank are put into the question, whose new blank is filled with all
    candidates. A second round does the same with the results, which fills the other argument of binary functions.
    """
    best = dict(ranked)
    for _ in range(2):
        functions = (function for e, _ in ranked for function in _with_blank(e))
        frames = _first_distinct(BEAM, functions)
        path = path_of_blank(question)
        questions = [question.replace(path, frame) for frame in frames]
        for frame, scores in zip(frames, scorer.scores(questions), strict=True):
            blank = (next(k for k, child in enumerate(frame.children) if child.has_blank),)
            for i in np.argsort(-scores, kind="stable")[:PER_FUNCTION].tolist():
                best.setdefault(frame.replace(blank, scorer.fillers[i]), float(scores[i]))
        ranked = sorted(best.items(), key=lambda pair: -pair[1])
    return ranked


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


# -- equal classes and verdicts ----------------------------------------------------------------------------------------


def _group_equal(ranked: Ranking, top: int) -> list[Ranking]:
    """Return the first ``top`` equal classes of a ranking, the fillers of each in the order of the ranking."""
    size = max(FIRST_CHUNK, 4 * top)
    while True:
        groups: dict[int, Ranking] = {}
        for pair, number in zip(ranked, equal_classes([e for e, _ in ranked[:size]]), strict=False):
            groups.setdefault(number, []).append(pair)
        if len(groups) >= top or size >= len(ranked):
            return list(groups.values())[:top]
        size *= 2


def _find_correct(question: Expr, ranked: Ranking, top: int) -> list[Completion]:
    """Return the first ``top`` completions of a ranking that make the equation correct."""
    path = path_of_blank(question)
    ranked = [(e, logit) for e, logit in ranked[:SEARCH] if not is_undefined(e)]
    correct: Ranking = []
    verdicts: dict[Expr, Verdict] = {}
    start, stop = 0, FIRST_CHUNK
    while start < len(ranked):
        tried = ranked[start:stop]
        for pair, verdict in zip(tried, check_many([question.replace(path, e) for e, _ in tried]), strict=True):
            if verdict.label == "correct":
                correct.append(pair)
                verdicts[pair[0]] = verdict
        if len(correct) >= top and len(_group_equal(correct, top)) == top:
            break
        start, stop = stop, 2 * stop
    groups = _group_equal(correct, top) if correct else []
    return [_completion(group, question.replace(path, group[0][0]), verdicts[group[0][0]]) for group in groups]


def _completion(group: Ranking, filled: Expr, verdict: Verdict) -> Completion:
    (filler, logit), *others = group
    return Completion(filler, filled, logit, verdict, tuple(e for e, _ in others))
