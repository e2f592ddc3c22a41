"""Rankings: the highest score first, the logit plus what the prior adds; ties keep their order."""

from __future__ import annotations

import pytest

from treesmu.data import Vocab
from treesmu.expr import parse
from treesmu.models import build
from treesmu.models.completion.candidates import Offer
from treesmu.models.completion.prior import ValuePrior
from treesmu.models.completion.ranking import Ranked, rank, rank_given, rank_offer

QUESTION = parse("x + _ = 2*x")
LOGITS = {parse("x"): 1.0, parse("1"): 2.0, parse("x^2"): 1.0}


def test_without_a_prior_logits_rank_and_ties_keep_their_order() -> None:
    assert rank(QUESTION, LOGITS, None) == [
        Ranked(parse("1"), 2.0, 2.0),
        Ranked(parse("x"), 1.0, 1.0),
        Ranked(parse("x^2"), 1.0, 1.0),
    ]


def test_a_prior_adds_to_the_score_and_not_to_the_logit() -> None:
    first, second, third = rank(QUESTION, LOGITS, ValuePrior(2.0, {"Mul x x": 9, "1": 1}))
    assert [str(r.filler) for r in (first, second, third)] == ["x^2", "1", "x"]
    assert (first.logit, first.score) == (1.0, pytest.approx(1 + 2 * 2.302585093))
    assert (second.logit, second.score) == (2.0, pytest.approx(2 + 2 * 0.693147181))


def test_candidates_of_the_vocabulary_and_of_a_list_have_the_same_scores() -> None:
    model = build("tree-rnn", Vocab(("sin", "Add", "Mul"), (1, 2, 2), ("x", "1", "2"), "Equality"), {"hidden": 3}).double()
    offer = Offer.of(model, QUESTION, any_variable=False, all_leaves=False)
    prior = ValuePrior(0.5, {"x": 3})
    ranked = rank_offer(model, QUESTION, offer, 1, prior)
    assert len(ranked) == 3 + 3 + 9 + 9
    given = {r.filler: r for r in rank_given(model, QUESTION, [r.filler for r in reversed(ranked)], prior)}
    assert all(given[r.filler].score == pytest.approx(r.score, abs=1e-12) for r in ranked)
    assert {r.filler.depth for r in rank_offer(model, QUESTION, offer, 0, prior)} == {0}
    assert {r.filler.depth for r in rank_offer(model, QUESTION, offer, 2, prior)} == {0, 1, 2}
