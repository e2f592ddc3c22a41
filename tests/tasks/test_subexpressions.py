"""Pairs of sub-expressions are equal or different by the numeric check, and the loss on them has the right gradient."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from corpora import many_rows
from treesmu.data import CorpusPlan, Forest, Vocab
from treesmu.data.augment.node_values import NodeValues
from treesmu.expr import Expr, check_many, from_prefix, parse
from treesmu.models import TreeSMU
from treesmu.models.forest.encoder import TreeEncoder
from treesmu.models.head import DistanceHead, DotHead
from treesmu.tasks.subexpressions import Pairs, draw_pairs, pair_loss

KNOWN = [
    "sin(x)^2 + cos(x)^2 = 1",
    "x + y + 0 = y*1 + x",
    "sinh(x) = (exp(x) - exp(-x))/2",
    "2*sin(x)*cos(x) = sin(2x)",
    "x*(y + z) = x*y + x*z",
    "ln(exp(y)) = y + (z - z)",
    "sqrt(x)^2 = x",
    "coth(10) + x = 1 + x",
]


def plan_of(texts: list[str]) -> CorpusPlan:
    return CorpusPlan.from_prefix([" ".join(parse(text).prefix()) for text in texts], Vocab.default())


@pytest.fixture(scope="module")
def plan() -> CorpusPlan:
    return plan_of([*KNOWN * 2, *(text for text, _, _ in many_rows(120))])


def as_equations(forest: Forest, pairs: Pairs) -> list[Expr]:
    trees = replace(forest, roots=np.stack([pairs.first, pairs.second], axis=1)).unbatch()

    def words(tree: Any) -> list[str]:
        return [tree[0], *(word for child in tree[1:] for word in words(child))]

    return [from_prefix(words(tree)) for tree in trees]


def test_equal_pairs_are_equal_and_different_ones_differ_by_the_check(plan: CorpusPlan) -> None:
    forest = plan.batch(np.arange(len(plan)))
    pairs = draw_pairs(forest, NodeValues.of(plan), 200, np.random.default_rng(0))
    verdicts = [verdict.label for verdict in check_many(as_equations(forest, pairs))]
    assert set(zip(pairs.label.tolist(), verdicts, strict=True)) == {(1.0, "correct"), (0.0, "incorrect")}
    assert len(pairs.label) > 100


def test_pairs_are_no_more_than_asked_for_and_never_of_a_node_with_itself(plan: CorpusPlan) -> None:
    forest, values = plan.batch(np.arange(60)), NodeValues.of(plan)
    for count in (2, 7, 40, 10_000):
        pairs = draw_pairs(forest, values, count, np.random.default_rng(count))
        assert pairs.label.sum() <= count // 2
        assert (1 - pairs.label).sum() <= count // 2
        assert (pairs.first != pairs.second).all()
        assert max(pairs.first.max(), pairs.second.max()) < forest.size


def test_the_same_generator_draws_the_same_pairs(plan: CorpusPlan) -> None:
    forest, values = plan.batch(np.arange(60)), NodeValues.of(plan)
    one, again, other = (draw_pairs(forest, values, 40, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert not np.array_equal(one.first, other.first)


def test_a_batch_with_nothing_to_pair_has_no_pairs_and_no_loss() -> None:
    plan = plan_of(["x = x"])
    forest = plan.batch([0])
    pairs = draw_pairs(forest, NodeValues.of(plan), 40, np.random.default_rng(0))
    assert len(pairs.label) == 0
    states = torch.ones(forest.size, 3, requires_grad=True)
    loss = pair_loss(states, pairs, DotHead())
    loss.backward()
    assert loss.item() == 0
    assert states.grad is not None
    assert not states.grad.any()


def test_the_loss_is_the_cross_entropy_of_the_head_summed() -> None:
    states = torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]])
    pairs = Pairs(np.array([0, 1]), np.array([2, 2]), np.array([1, 0], np.float32))  # dot products 3 and 2
    wanted = torch.nn.functional.softplus(torch.tensor([-3.0, 2.0])).sum()  # -log s(3) - log s(-2)
    torch.testing.assert_close(pair_loss(states, pairs, DotHead()), wanted)


@pytest.mark.parametrize("head", [DotHead, DistanceHead])
def test_the_gradient_of_the_loss_reaches_states_head_and_weights(head: Any, plan: CorpusPlan) -> None:
    torch.manual_seed(1)
    forest = plan.batch(np.arange(6))
    pairs = draw_pairs(forest, NodeValues.of(plan), 20, np.random.default_rng(0))
    judge = head().double()
    states = torch.randn(forest.size, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda given: pair_loss(given, pairs, judge), states)
    encoder = TreeEncoder(TreeSMU(hidden=3), forest.vocab, norm="unit").double()
    weight = encoder.leaves.embedding.weight
    pair_loss(encoder.nodes(forest), pairs, judge).backward()
    assert weight.grad is not None
    place = int(np.flatnonzero(weight.grad.abs().sum(1).numpy())[0])
    with torch.no_grad():  # by differences
        found = []
        for step in (1e-6, -1e-6):
            weight[place, 0] += step
            found.append(pair_loss(encoder.nodes(forest), pairs, judge).item())
            weight[place, 0] -= step
    assert (found[0] - found[1]) / 2e-6 == pytest.approx(weight.grad[place, 0].item(), rel=1e-4, abs=1e-8)
    assert all(p.grad is not None for p in judge.parameters())
