"""Completion: where the answers to blanks come in a model's ranking of the candidates, beside a ranking without a model.

Four ranks: *raw*, *class* and *collapse* (ranks.py) of the answer that was blanked; and *true*, the best position of any filler
with which the equation is numerically correct, whatever was blanked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

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

SEARCH = 500  # fillers that are tried, the best first, until one is true
NAMES = ("raw", "class", "collapse")


def evaluate_completion(
    model: Model,
    blanks: Blanks,
    candidates: Candidates,
    true: bool = True,
    search: int = SEARCH,
    seed: int = 0,
    callback: Callable[[str, int], None] = lambda _what, _done: None,
) -> tuple[dict[str, Any], Columns]:
    """Measures overall and by depth, and the ranks of every blank. true: also check filled equations; seed: of intervals.

    What has symbols that the model does not know is left out, and told. callback: called with what is being done, and for how
    many blanks it is done.
    """
    all_blanks, all_candidates = len(blanks), len(candidates)
    blanks = blanks.take(_readable(model, blanks.equations, f"{blanks.source}: in every blank's equation"))
    candidates = candidates.take(_readable(model, candidates.fillers, f"{candidates.source}: in every candidate"))
    answers = blanks.answers(candidates)
    scorer = make_scorer(model, candidates.fillers)
    orders, found = [], []
    for done, (scores, answer) in enumerate(zip(scorer.scores(blanks.questions()), answers.tolist(), strict=True), 1):
        order = ranking(scores)
        orders.append(order[: max(search, TOP)].astype(np.int32))
        found.append(ranks(order, candidates.class_of, answer))
        callback("ranked", done)
    prior, prior_order = _prior(candidates, answers)
    columns = _columns(found) | _columns([ranks(prior_order, candidates.class_of, a) for a in answers.tolist()], "prior_")
    if true:
        columns |= _true(blanks, candidates, orders, prior_order, search, callback)
    columns = {"row": blanks.row, "depth": blanks.depth, **columns}
    depths = {str(d): columns["depth"] == d for d in sorted(set(columns["depth"].tolist()))}
    facts = {"fillers": len(candidates), "classes": len(set(candidates.class_of.tolist())), "source": candidates.source}
    return {
        "model": model.name,
        "candidates": facts,
        "left_out": {"blanks": all_blanks - len(blanks), "candidates": all_candidates - len(candidates)},
        "prior": prior,
        "search": search,
        "overall": _measures(columns, np.ones(len(blanks), bool), seed),
        "by_depth": {depth: _measures(columns, chosen, seed) for depth, chosen in depths.items()},
    }, columns


def _readable(model: Model, expressions: Sequence[Expr], where: str) -> list[int]:
    """The places of those in which there is nothing that the model does not know."""
    refused = model.unreadable(expressions)
    if len(refused) == len(expressions):
        raise DataError(f"{where} there is something that the model cannot read: {refused[0]}")
    return [i for i in range(len(expressions)) if i not in refused]


def _true(
    blanks: Blanks,
    candidates: Candidates,
    orders: list[Array],
    prior_order: Array,
    search: int,
    callback: Callable[[str, int], None],
) -> Columns:
    """For all blanks the first true filler among the first ten; beyond these only where the equation itself is true.

    An equation that is no identity has mostly no true filler, and those that the check cannot decide take it longest.
    """
    fillers, class_of = candidates.fillers, candidates.class_of
    numbers: dict[Expr, int] = {}
    tree_of = np.array([numbers.setdefault(e, len(numbers)) for e in fillers])
    holds = np.array([verdict.label == "correct" for verdict in check_many(blanks.equations)])
    true = first_true(blanks, fillers, orders, range(len(blanks)), 0, TOP, tree_of)
    callback("checked", int((~holds | (true > 0)).sum()))
    rest = np.flatnonzero(holds & (true == 0)).tolist()
    further = first_true(blanks, fillers, orders, rest, TOP, search, class_of)  # what is equal is true with its equals
    prior = first_true(blanks, fillers, [prior_order] * len(blanks), range(len(blanks)), 0, TOP, tree_of)
    callback("checked", len(blanks))
    return {"holds": holds, "true": true, "verified": np.where(true > 0, true, further) * holds, "prior_true": prior}


def first_true(
    blanks: Blanks, fillers: Sequence[Expr], orders: Sequence[Array], among: Sequence[int], start: int, search: int, same: Array
) -> Array:
    """(blanks,) the position, from 1, of the first filler in each order that makes the equation true; 0: none is found.

    among: the blanks to try; start, search: the positions to try; same: (candidates,) what has been tried is not tried again
    under the same number. All blanks go down together, at most ten fillers at first and then twice as many each time.
    """
    found = np.zeros(len(blanks), np.int64)
    has_value = np.array([not is_undefined(e) for e in fillers])
    stop = min(start + TOP, search, len(fillers))
    while among and start < stop:
        tried = [[k for k in _new(same[orders[i][:stop]], start) if has_value[orders[i][k]]] for i in among]
        filled = [
            blanks.equations[i].replace(blanks.places[i], fillers[orders[i][place]])
            for i, places in zip(among, tried, strict=True)
            for place in places
        ]
        is_true = iter([verdict.label == "correct" for verdict in check_many(filled)])
        for i, places in zip(among, tried, strict=True):
            found[i] = 1 + min([place for place in places if next(is_true)], default=-1)
        among = [i for i in among if not found[i]]
        start, stop = stop, min(stop + 2 * (stop - start), search, len(fillers))
    return found


def _new(numbers: Array, start: int) -> list[int]:
    """The places from ``start`` on of numbers that are not there before."""
    first = np.unique(numbers, return_index=True)[1]
    return sorted(first[first >= start].tolist())


def _prior(candidates: Candidates, answers: Array) -> tuple[str, Array]:
    """What the ranking without a model goes by, and that ranking."""
    if candidates.count is not None:
        return "training counts", ranking(candidates.count)
    count = np.bincount(candidates.class_of[answers[answers >= 0]], minlength=int(candidates.class_of.max()) + 1)
    return "counts of these answers", ranking(count[candidates.class_of])


def _columns(found: list[Ranks], before: str = "") -> Columns:
    table = np.array(found, np.int64).reshape(-1, 3)
    return {f"{before}{name}": table[:, k] for k, name in enumerate(NAMES)}


def _measures(columns: Columns, chosen: Array, seed: int) -> dict[str, Any]:
    names = [*NAMES, "true"] if "true" in columns else NAMES
    of = {name: columns[name][chosen] for name in columns}
    rng = np.random.default_rng(seed)
    row: dict[str, Any] = {"blanks": int(chosen.sum()), "no_candidate": int((of["raw"] == 0).sum())}
    row |= {name: rank_measures(of[name], rng) for name in names}
    row["prior"] = {name: rank_measures(of[f"prior_{name}"], rng) for name in names}
    if "true" in columns:
        tried = of["verified"][of["holds"]]
        row |= {"holds": len(tried), "verified": float((tried > 0).mean()) if len(tried) else None}
    return row
