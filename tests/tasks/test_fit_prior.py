"""The weight of a prior is the one that ranks the answers of blanks best."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.data import Blanks, Candidates, DataError, Vocab
from treesmu.expr import parse
from treesmu.models import build
from treesmu.tasks.complete import evaluate_completion
from treesmu.tasks.fit_prior import WEIGHTS, fit_prior

FILLERS = tuple(parse(text) for text in ("0", "x", "1", "sin(x)", "7/13"))
CANDIDATES = Candidates("here", FILLERS, np.arange(5), np.array([0, 50, 10, 3, 2]))


def blanks(*answers: str) -> Blanks:
    equations = tuple(parse(f"{answer} + x = x + {answer}") for answer in answers)
    return Blanks("there", equations, ((0, 0),) * len(answers), np.arange(len(answers)))


def test_a_model_that_knows_nothing_ranks_by_frequency() -> None:
    """The majority class has the same logit for all fillers: without the prior the order of the list decides."""
    model = build("majority", Vocab.default())
    found = fit_prior(model, blanks("x", "x", "1"), CANDIDATES)
    assert found.by_weight[0.0] == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / 3)
    assert found.by_weight[0.05] == pytest.approx((1 + 1 + 1 / 2) / 3)
    assert (found.prior.weight, found.blanks, tuple(found.by_weight)) == (0.05, 3, WEIGHTS)
    model.prior = found.prior
    measures, columns = evaluate_completion(model, blanks("x", "x", "1"), CANDIDATES, true=False)
    assert columns["raw"].tolist() == [2, 2, 3]
    assert columns["with_prior_raw"].tolist() == [1, 1, 2]
    assert measures["weight"] == 0.05
    assert measures["overall"]["with_prior"]["class"]["top"][0] == pytest.approx(2 / 3)


def test_a_prior_that_does_harm_gets_no_weight() -> None:
    found = fit_prior(build("majority", Vocab.default()), blanks("0", "0"), CANDIDATES)
    assert found.prior.weight == 0
    assert found.by_weight[0.0] == 1


def test_candidates_need_counts() -> None:
    with pytest.raises(DataError, match="no counts"):
        fit_prior(build("majority", Vocab.default()), blanks("x"), Candidates.of(FILLERS))
