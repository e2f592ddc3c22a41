"""Completion: the ranks of answers in a model's ranking of the candidates, beside those of a ranking without a model.

Four ranks: *raw*, *class* and *collapse* (ranks.py) of the answer, which was replaced by the blank; and *true*, that of the
first filler that gives an equation with the verdict correct, whatever the answer was. If the model has a prior (how common
values are in training), the same ranks are measured for its ranking by logit and prior together, which is its default.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treesmu.data import Blanks, Candidates, DataError
from treesmu.expr import Expr, check_many
from treesmu.expr.numeric.equal_classes import is_undefined
from treesmu.models.completion.scoring import make_scorer
from treesmu.models.model import Model

from .ranks import TOP, Ranks, rank_measures, ranking, ranks

Array = NDArray[Any]
Columns = dict[str, Array]  # (blanks,) each

SEARCH = 500  # fillers that are checked, the best first, until one is correct
NAMES = ("raw", "class", "collapse")
WITH_PRIOR = "with_prior_"


def evaluate_completion(
    model: Model,
    blanks: Blanks,
    candidates: Candidates,
    true: bool = True,
    search: int = SEARCH,
    seed: int = 0,
    callback: Callable[[str, int], None] = lambda _what, _done: None,
) -> tuple[dict[str, Any], Columns]:
    """Return the measures overall and by depth, and the ranks of every blank.

    Blanks and candidates that the model cannot read are left out and counted. true: also check filled equations, at most
    ``search`` of each blank; seed: of the intervals. callback: called with ``"ranked"`` or ``"checked"`` and the number of
    blanks for which that is done.
    """
    all_blanks, all_candidates = len(blanks), len(candidates)
    blanks = blanks.take(readable(model, blanks.equations, f"{blanks.source}: in every blank's equation"))
    candidates = candidates.take(readable(model, candidates.fillers, f"{candidates.source}: in every candidate"))
    answers = blanks.answers(candidates)
    rankings = _rank_answers(model, blanks, candidates, answers, search, callback)
    prior, prior_order = _prior(candidates, answers)
    prior_ranks = [ranks(prior_order, candidates.class_of, answer) for answer in answers.tolist()]
    rankings["prior_"] = _Ranked([prior_order] * len(blanks), prior_ranks)
    columns = {name: column for prefix, found in rankings.items() for name, column in _columns(found.ranks, prefix).items()}
    if true:
        orders = {prefix: found.orders for prefix, found in rankings.items()}
        columns |= _check_fillers(blanks, candidates, orders, search, callback)
    columns = {"row": blanks.row, "depth": blanks.depth, **columns}
    depths = {str(d): columns["depth"] == d for d in sorted(set(columns["depth"].tolist()))}
    facts = {"fillers": len(candidates), "classes": len(set(candidates.class_of.tolist())), "source": candidates.source}
    return {
        "model": model.name,
        "candidates": facts,
        "left_out": {"blanks": all_blanks - len(blanks), "candidates": all_candidates - len(candidates)},
        "prior": prior,
        "weight": None if model.prior is None else model.prior.weight,
        "search": search,
        "overall": _measures(columns, np.ones(len(blanks), bool), seed),
        "by_depth": {depth: _measures(columns, chosen, seed) for depth, chosen in depths.items()},
    }, columns


class _Ranked(NamedTuple):
    """One ranking for each blank."""

    orders: list[Array]  # the first candidates, as many as are checked
    ranks: list[Ranks]  # of the answers


def _rank_answers(
    model: Model, blanks: Blanks, candidates: Candidates, answers: Array, search: int, callback: Callable[[str, int], None]
) -> dict[str, _Ranked]:
    """Return the model's ranking by logits alone under "", and the one with its prior, if it has one, under "with_prior_"."""
    scorer, questions = make_scorer(model, candidates.fillers), blanks.questions()
    found = {prefix: _Ranked([], []) for prefix in (("", WITH_PRIOR) if model.prior else ("",))}
    for i, (logits, answer) in enumerate(zip(scorer.scores(questions), answers.tolist(), strict=True)):
        if np.isnan(logits).any():
            raise DataError("the model's values are not finite; train it again with a lower learning rate")
        for prefix, (orders, answer_ranks) in found.items():
            bonus = model.prior.bonus(questions[i], candidates.fillers) if model.prior and prefix else 0
            order = ranking(logits + bonus)
            orders.append(order[: max(search, TOP)].astype(np.int32))
            answer_ranks.append(ranks(order, candidates.class_of, answer))
        callback("ranked", i + 1)
    return found


def readable(model: Model, expressions: Sequence[Expr], where: str) -> list[int]:
    """Return the indices of the expressions that the model can read."""
    unreadable = model.unreadable(expressions)
    if len(unreadable) == len(expressions):
        raise DataError(f"{where} there is something that the model cannot read: {unreadable[0]}")
    return [i for i in range(len(expressions)) if i not in unreadable]


def _check_fillers(
    blanks: Blanks, candidates: Candidates, orders: dict[str, list[Array]], search: int, callback: Callable[[str, int], None]
) -> Columns:
    """Return the rank of the first correct filler: among the first ten, and further only where the equation is correct.

    An incorrect equation mostly has no correct filler, and undecided ones take the check longest.
    """
    fillers, class_of = candidates.fillers, candidates.class_of
    numbers: dict[Expr, int] = {}
    tree_of = np.array([numbers.setdefault(e, len(numbers)) for e in fillers])
    holds = np.array([verdict.label == "correct" for verdict in check_many(blanks.equations)])
    columns = {"holds": holds}
    for prefix, order in orders.items():
        columns[f"{prefix}true"] = first_correct(blanks, fillers, order, range(len(blanks)), 0, TOP, tree_of)
        callback("checked", int((~holds | (columns[f"{prefix}true"] > 0)).sum()))
    true = columns["true"]
    rest = np.flatnonzero(holds & (true == 0)).tolist()
    further = first_correct(blanks, fillers, orders[""], rest, TOP, search, class_of)  # one filler of a class stands for all
    callback("checked", len(blanks))
    return columns | {"verified": np.where(true > 0, true, further) * holds}


def first_correct(
    blanks: Blanks, fillers: Sequence[Expr], orders: Sequence[Array], among: Sequence[int], start: int, search: int, same: Array
) -> Array:
    """Return (blanks,) the rank of the first filler in each order that gives a correct equation; 0 if there is none.

    among: the blanks to search; start, search: the positions to search; same: (candidates,) of fillers with the same number
    only the first is checked. All blanks are checked together, at first ten fillers of each, then twice as many each time.
    """
    rank = np.zeros(len(blanks), np.int64)
    has_value = np.array([not is_undefined(e) for e in fillers])
    stop = min(start + TOP, search, len(fillers))
    while among and start < stop:
        checked = [[k for k in _first_places(same[orders[i][:stop]], start) if has_value[orders[i][k]]] for i in among]
        filled = [
            blanks.equations[i].replace(blanks.paths[i], fillers[orders[i][place]])
            for i, places in zip(among, checked, strict=True)
            for place in places
        ]
        is_correct = iter([verdict.label == "correct" for verdict in check_many(filled)])
        for i, places in zip(among, checked, strict=True):
            rank[i] = 1 + min([place for place in places if next(is_correct)], default=-1)
        among = [i for i in among if not rank[i]]
        start, stop = stop, min(stop + 2 * (stop - start), search, len(fillers))
    return rank


def _first_places(numbers: Array, start: int) -> list[int]:
    """Return the places from ``start`` on at which a number occurs for the first time."""
    first = np.unique(numbers, return_index=True)[1]
    return sorted(first[first >= start].tolist())


def _prior(candidates: Candidates, answers: Array) -> tuple[str, Array]:
    """Return the ranking without a model, by frequency, and what it counts."""
    if candidates.count is not None:
        return "training counts", ranking(candidates.count)
    count = np.bincount(candidates.class_of[answers[answers >= 0]], minlength=int(candidates.class_of.max()) + 1)
    return "counts of these answers", ranking(count[candidates.class_of])


def _columns(found: list[Ranks], prefix: str = "") -> Columns:
    table = np.array(found, np.int64).reshape(-1, 3)
    return {f"{prefix}{name}": table[:, k] for k, name in enumerate(NAMES)}


def _measures(columns: Columns, chosen: Array, seed: int) -> dict[str, Any]:
    names = [*NAMES, "true"] if "true" in columns else NAMES
    selected = {name: columns[name][chosen] for name in columns}
    rng = np.random.default_rng(seed)
    row: dict[str, Any] = {"blanks": int(chosen.sum()), "no_candidate": int((selected["raw"] == 0).sum())}
    row |= {name: rank_measures(selected[name], rng) for name in names}
    for key, prefix in (("prior", "prior_"), ("with_prior", WITH_PRIOR)):
        if f"{prefix}raw" in columns:
            row[key] = {name: rank_measures(selected[f"{prefix}{name}"], rng) for name in names}
    if "true" in columns:
        verified = selected["verified"][selected["holds"]]
        row |= {"holds": len(verified), "verified": float((verified > 0).mean()) if len(verified) else None}
    return row
