"""Fit the prior of a model: how common values are in training, and how much that counts beside the logit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from treesmu.data import Blanks, Candidates
from treesmu.models.completion.prior import ValuePrior
from treesmu.models.completion.scoring import make_scorer
from treesmu.models.model import Model

from .complete import readable
from .ranks import ranking, ranks

WEIGHTS = tuple(round(0.05 * k, 2) for k in range(21))  # 0 is the ranking by logits alone


@dataclass(frozen=True)
class FittedPrior:
    """A prior, and the mean reciprocal rank (collapse) of the answers with every weight that was tried."""

    prior: ValuePrior
    blanks: int
    by_weight: dict[float, float]


def fit_prior(
    model: Model,
    blanks: Blanks,
    candidates: Candidates,
    weights: Sequence[float] = WEIGHTS,
    callback: Callable[[int], None] = lambda _done: None,
) -> FittedPrior:
    """Return the prior with the weight that ranks the answers of blanks best; of equal weights the smallest.

    blanks: of validation equations, not of those that will be used to measure. candidates: with their counts in training.
    callback: called with the number of blanks that have been ranked.
    """
    prior = ValuePrior.count(candidates)
    blanks = blanks.take(readable(model, blanks.equations, f"{blanks.source}: in every blank's equation"))
    candidates = candidates.take(readable(model, candidates.fillers, f"{candidates.source}: in every candidate"))
    questions, answers = blanks.questions(), blanks.answers(candidates).tolist()
    scorer, unit = make_scorer(model, candidates.fillers), prior.with_weight(1.0)
    reciprocal = np.zeros((len(blanks), len(weights)))
    for i, logits in enumerate(scorer.scores(questions)):
        bonus = unit.bonus(questions[i], candidates.fillers)
        for k, weight in enumerate(weights):
            rank = ranks(ranking(logits + weight * bonus), candidates.class_of, answers[i]).collapse
            reciprocal[i, k] = 1 / rank if rank else 0
        callback(i + 1)
    mean = reciprocal.mean(axis=0)
    best = weights[int(np.argmax(np.round(mean, 12)))]
    return FittedPrior(prior.with_weight(best), len(blanks), dict(zip(weights, mean.tolist(), strict=True)))
