"""Answers about one equation or expression: verdict, trace, similar expressions, why it is wrong, completions."""

from __future__ import annotations

from math import isfinite, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.experiments.probes.exchange import Exchange, find_exchange
from treesmu.expr import Expr, Verdict, check, equation
from treesmu.expr.numeric.curve import curve_of
from treesmu.expr.numeric.log_bases import note_on_logarithms
from treesmu.models.completion.completions import Completion, complete
from treesmu.models.model import Model
from treesmu.trace.as_json import as_numbers

from .. import limits
from ..answers import (
    CheckFacts,
    CompleteAnswer,
    CurveFacts,
    ExplainAnswer,
    Filler,
    ModelLabel,
    NeighbourFacts,
    NeighboursAnswer,
    TraceAnswer,
    VerifyAnswer,
)
from ..reading import formula, read_complete, read_equation, read_question
from ..refusal import Refusal
from .loaded_models import LoadedModel

NOT_FINITE = "the model's values are not finite; train it again with a lower learning rate"


def verify(loaded: LoadedModel, text: str) -> VerifyAnswer:
    """Answer what the model and the numeric check say about an equation, with the curves of its sides."""
    e, model = read_equation(text), loaded.model
    reason = model.unreadable([e]).get(0)
    probability = None if reason else float(model.verify([e])[0])
    if probability is not None and isnan(probability):
        probability, reason = None, NOT_FINITE
    verdict, untrained = note_on_logarithms(e, check(e)), model.untrained([e])
    label = None if probability is None else _label(probability)
    return VerifyAnswer(
        expression=str(e),
        model=loaded.name,
        probability=probability,
        verdict=label,
        no_verdict=reason,
        untrained=None if untrained is None else list(untrained[0]),
        check=_check_facts(verdict),
        agrees=None if label is None or verdict.label == "undecided" else label == verdict.label,
        curve=_curve_facts(e),
    )


def trace(loaded: LoadedModel, text: str) -> TraceAnswer:
    """Answer what the model computes at every node: the numbers of ``Model.trace``."""
    found = loaded.model.trace(read_complete(text))
    if not found.is_finite:
        raise Refusal(400, NOT_FINITE)
    record = found.to_dict()
    for node, traced in zip(record["nodes"], found.nodes, strict=True):
        node["stack"] = as_numbers(traced.rows)
    point = record.get("point")
    values = ", ".join(f"{name} = {value:.4g}" for name, value in (point or {}).items())
    note = f"This model reads variables as numbers, at several points; here {values}." if values else None
    return TraceAnswer.model_validate(record | {"model": loaded.name, "note": note})


def neighbours(loaded: LoadedModel, text: str, path: list[int], count: int) -> NeighboursAnswer:
    """Answer which stored expressions have the states nearest to that of a sub-expression."""
    whole = read_complete(text)
    try:
        e = whole.at(tuple(path))
    except IndexError:
        raise Refusal(404, "there is no node at this path", "a path lists child positions from the root") from None
    if e.is_equation:
        raise Refusal(400, "an equation has no state of its own", "choose one of its sides: the path [0] or [1]")
    _require_readable(loaded.model, e)
    return NeighboursAnswer(
        expression=str(e),
        stored=len(loaded.stored.expressions),
        neighbours=[
            NeighbourFacts(**formula(n.expr).model_dump(), distance=n.distance, is_equal=n.is_equal)
            for n in loaded.stored.nearest(e, count)
        ],
    )


def agreement(loaded: LoadedModel, text: str) -> ExplainAnswer | None:
    """Answer that there is nothing to explain; None if the model and the check disagree, which takes longer to explain."""
    found = _explained(loaded, text, is_searched=False)
    return None if found.disagrees else found


def explain(loaded: LoadedModel, text: str) -> ExplainAnswer:
    """Answer which exchange of a sub-expression for an equal one would make the model agree with the check."""
    return _explained(loaded, text, is_searched=True)


def _explained(loaded: LoadedModel, text: str, is_searched: bool) -> ExplainAnswer:
    e, model = read_equation(text), loaded.model
    _require_readable(model, e)
    probability, label = float(model.verify([e])[0]), check(e).label
    if isnan(probability):
        raise Refusal(400, NOT_FINITE)
    facts: dict[str, Any] = {"probability": probability, "verdict": _label(probability), "check": label}
    if label in ("undecided", _label(probability)):
        words = "The check is undecided, so nobody is wrong." if label == "undecided" else "The model and the check agree."
        return ExplainAnswer(disagrees=False, found=False, tried=0, sentence=words, **facts)
    exchange, tried = find_exchange(model, e) if is_searched else (None, 0)
    if exchange is None:
        words = f"None of {tried} exchanges of one sub-expression for an equal one changes the model's verdict."
        return ExplainAnswer(disagrees=True, found=False, tried=tried, sentence=words, **facts)
    return ExplainAnswer(
        disagrees=True,
        found=True,
        tried=tried,
        side="left" if exchange.is_on_left else "right",
        path=list(exchange.path),
        before=formula(exchange.before),
        after=formula(exchange.after),
        identity=str(equation(exchange.before, exchange.after)),
        equation=formula(exchange.equation),
        new_probability=exchange.probability,
        sentence=_sentence(exchange, probability),
        **facts,
    )


def complete_blank(loaded: LoadedModel, text: str, top: int) -> CompleteAnswer:
    """Answer the best fillers of a blank: those of the model, which a few points choose, and those of a search by value."""
    question = read_question(text)
    found = complete(loaded.model, question, top, screened=True)
    if any(isnan(c.logit) for c in found):
        raise Refusal(400, NOT_FINITE)
    answers = [_filler(rank, c) for rank, c in enumerate(found, 1)]
    return CompleteAnswer(question=str(question), model=loaded.name, answers=answers)


# -- parts -------------------------------------------------------------------------------------------------------------


def _label(probability: float) -> ModelLabel:
    return "correct" if probability >= 0.5 else "incorrect"


def _require_readable(model: Model, e: Expr) -> None:
    if reason := model.unreadable([e]).get(0):
        raise Refusal(400, f"the model cannot read it: {reason}")


def _check_facts(verdict: Verdict) -> CheckFacts:
    return CheckFacts(
        label=verdict.label,
        points=verdict.points,
        counterexample=verdict.counterexample,
        sides=None if verdict.sides is None else (_number_or_word(verdict.sides[0]), _number_or_word(verdict.sides[1])),
        reason=verdict.reason,
        explanation=verdict.explain(),
    )


def _number_or_word(value: float) -> float | str:
    return value if isfinite(value) else str(value)  # JSON has no infinity


def _curve_facts(e: Expr) -> CurveFacts | None:
    curve = curve_of(e)
    if curve is None:
        return None
    left, right = _with_gaps(curve.left), _with_gaps(curve.right)
    return CurveFacts(variable=curve.variable, x=curve.x.tolist(), left=left, right=right, low=curve.low, high=curve.high)


def _with_gaps(values: NDArray[np.floating[Any]]) -> list[float | None]:
    return [value if isfinite(value) else None for value in values.tolist()]


def _sentence(exchange: Exchange, probability: float) -> str:
    side, new = "left" if exchange.is_on_left else "right", exchange.probability
    return (
        f"If {exchange.before} on the {side} is written as {exchange.after}, which is equal, the model says "
        f"{_label(new)} ({new:.0%}) instead of {_label(probability)} ({probability:.0%})."
    )


def _filler(rank: int, c: Completion) -> Filler:
    return Filler(
        rank=rank,
        filler=str(c.filler),
        filler_mathml=c.filler.mathml(),
        equation=str(c.filled),
        equation_mathml=c.filled.mathml(),
        probability=c.probability,
        verdict=_label(c.probability),
        check=c.verdict.label,
        explanation=c.verdict.explain(),
        found_by=c.found_by,
        equal=[str(e) for e in sorted(c.equal, key=lambda e: e.size)[: limits.SHOWN_EQUAL]],
    )
