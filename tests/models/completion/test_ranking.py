"""Rankings: the highest score first, the logit plus what the prior adds; ties keep their order."""

from __future__ import annotations

import pytest
import torch

from treesmu.data import Vocab
from treesmu.expr import parse
from treesmu.models import build
from treesmu.models.completion import ranking
from treesmu.models.completion.candidates import Offer
from treesmu.models.completion.prior import ValuePrior
from treesmu.models.completion.ranking import Ranked, rank, rank_given, rank_offer
from treesmu.models.completion.screening import MORE

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


def test_screened_fillers_have_their_logits_at_all_points_and_the_bonus_of_the_prior() -> None:
    torch.manual_seed(1)
    model = build("tree-smu", Vocab.default(), {"hidden": 6}, head="distance", norm="layer", points=2 * MORE).eval()
    offer, prior = Offer.of(model, QUESTION, False, False), ValuePrior(0.5, {"x": 3, "2": 8})
    exact = {r.filler: r for r in rank_offer(model, QUESTION, offer, 1, prior)}
    screened = rank_offer(model, QUESTION, offer, 1, prior, kept=30)
    assert len(screened) == 30
    assert [r.logit for r in screened] == pytest.approx([exact[r.filler].logit for r in screened], abs=1e-5)
    assert [r.score for r in screened] == pytest.approx([exact[r.filler].score for r in screened], abs=1e-5)
    assert [r.score for r in screened] == sorted((r.score for r in screened), reverse=True)


def test_without_many_points_nothing_is_screened() -> None:
    model = build("tree-smu", Vocab.default(), {"hidden": 6}, points=MORE).eval()
    offer = Offer.of(model, QUESTION, False, False)
    assert rank_offer(model, QUESTION, offer, 1, None, kept=3) == rank_offer(model, QUESTION, offer, 1, None)


def test_of_scorers_and_screens_the_least_recent_one_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "CACHED_SCORERS", 2)
    model = build("tree-smu", Vocab.default(), {"hidden": 4}, points=MORE + 1).eval()

    def ask(*texts: str) -> set[int]:
        for text in texts:
            question = parse(text)
            rank_offer(model, question, Offer.of(model, question, False, False), 1, None, kept=30)
        return set(map(id, model.scorers.values()))

    first, both = ask("x + _ = 2"), ask("y + _ = 2")
    assert ask("x + _ = 3", "y*x = _") > first  # x was asked for again, so that y was dropped
    assert len(model.scorers) == len(both) == 2
