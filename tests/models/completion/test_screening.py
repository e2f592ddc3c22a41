"""A screen chooses the fillers that are the best at the first points of a model, a few of each value."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from treesmu.data import Forest, Vocab
from treesmu.expr import Expr, parse
from treesmu.expr.numeric.equal_classes import enumerate_fillers
from treesmu.models import build
from treesmu.models.completion import screening
from treesmu.models.completion.screening import FIRST, MORE, Screen
from treesmu.models.model import Model

FILLERS = [parse(text) for text in "x 0 1 2 1/2 sin(x) cos(x) x+0 0+x 1*x x*1 x+x 2*x x*x x^2 1^x 2-1 x^1".split()]
QUESTIONS = [parse(text) for text in ("x + _ = 2*x", "sin(x)*y = cos(_)^2/y", "_ = x", "2 = 1 + _")]
NO_BONUS = np.zeros(len(FILLERS))


@pytest.fixture(scope="module", params=["tree-smu", "tree-rnn"])
def model(request: pytest.FixtureRequest) -> Model:
    torch.manual_seed(3)
    return build(request.param, Vocab.default(), {"hidden": 6}, head="distance", norm="layer", points=MORE + 3).double().eval()


def logits_at_first_points(model: Model, question: Expr, points: int) -> dict[int, float]:
    """Return the logits of filled equations that are read completely."""
    path = next(path for path, e in question.paths() if str(e) == "_")
    forest = Forest.from_exprs([question.replace(path, e) for e in FILLERS], model.vocab)
    with torch.no_grad():
        return dict(enumerate(model(model.encoder.at_points(forest, points)).tolist()))


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_the_order_is_that_of_the_logits_at_the_first_points(
    model: Model, question: Expr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screening, "PER_VALUE", len(FILLERS))
    expected = logits_at_first_points(model, question, MORE)
    found = Screen(model, FILLERS).best(question, NO_BONUS, len(FILLERS)).tolist()
    assert sorted(found) == list(range(len(FILLERS)))
    assert [expected[i] for i in found] == pytest.approx(sorted(expected.values(), reverse=True), abs=1e-9)


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_only_those_that_are_good_at_fewer_points_are_read_at_more(
    model: Model, question: Expr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screening, "PER_VALUE", len(FILLERS))
    monkeypatch.setattr(screening, "TIMES", 2)
    rough, expected = logits_at_first_points(model, question, FIRST), logits_at_first_points(model, question, MORE)
    found = Screen(model, FILLERS).best(question, NO_BONUS, 4).tolist()
    read = sorted(rough, key=lambda i: -rough[i])[:8]
    assert [expected[i] for i in found] == pytest.approx(sorted((expected[i] for i in read), reverse=True)[:4], abs=1e-9)


def test_a_bonus_counts_at_every_stage(model: Model) -> None:
    bonus = NO_BONUS.copy()
    bonus[7] = 1e6
    assert Screen(model, FILLERS).best(QUESTIONS[0], bonus, 1).tolist() == [7]


def test_a_few_of_each_value_are_chosen_the_best_first(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screening, "PER_VALUE", 2)
    expected = logits_at_first_points(model, QUESTIONS[0], MORE)
    found = Screen(model, FILLERS).best(QUESTIONS[0], NO_BONUS, len(FILLERS)).tolist()
    equal_to_x = [i for i, e in enumerate(FILLERS) if str(e) in ("x", "x + 0", "0 + x", "1*x", "x*1", "x^1")]
    assert len(equal_to_x) == 6
    best = sorted(equal_to_x, key=lambda i: -expected[i])[:2]
    assert [i for i in found if i in equal_to_x] == best


def test_the_model_is_left_in_its_mode() -> None:
    model = build("tree-smu", Vocab.default(), {"hidden": 4}, points=MORE + 1).train()
    fillers = enumerate_fillers([parse("x"), parse("1")])
    Screen(model, fillers).best(QUESTIONS[0], np.zeros(len(fillers)), 3)
    assert model.training
