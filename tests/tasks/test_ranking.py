"""The ranking loss: blanks of correct equations, filled with sub-expressions of other values, and the logit of the true one."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from treesmu.data import CorpusPlan, Vocab
from treesmu.data.augment.node_values import NodeValues
from treesmu.data.augment.value_targets import ValueTargets
from treesmu.expr import check_many, from_prefix
from treesmu.models.head import DistanceHead
from treesmu.tasks.ranking import WRONG, Rivals, draw_questions, fill_questions, ranking_loss

VOCAB = Vocab.default()
TEXTS = [
    "sin(x)^2 + cos(x)^2 = 1", "sin(2*x) = 2*sin(x)*cos(x)", "x + y = y + x", "exp(x)*exp(y) = exp(x + y)", "0*x = 0",
    "tan(x) = sin(x)/cos(x)", "sin(x) = cos(y)", "log(x*y, e) = log(x, e) + log(y, e)",
]  # fmt: skip
LABEL = np.array([1, 1, 1, 1, 1, 1, 0, 1])


@pytest.fixture(scope="module")
def plan() -> CorpusPlan:
    return CorpusPlan.from_exprs(TEXTS, VOCAB)


def drawn(plan: CorpusPlan, seed: int):  # type: ignore[no-untyped-def]
    forest = plan.batch(np.arange(len(TEXTS)))
    return forest, draw_questions(forest, LABEL, NodeValues.of(plan), np.random.default_rng(seed))


def test_questions_are_about_correct_equations_and_have_wrong_fillers_only(plan: CorpusPlan) -> None:
    values, seen = NodeValues.of(plan), set()
    for seed in range(30):
        forest, questions = drawn(plan, seed)
        for question in questions:
            seen.add((question.row, question.side))
            assert LABEL[question.row] == 1
            blank = forest.children[question.path[-1]]
            assert values.differ(forest.nodes[question.wrong], np.full(WRONG, forest.nodes[blank])).all()
    assert len(seen) > 6


def test_filled_sides_are_the_equations_with_the_filler_in_the_blank(plan: CorpusPlan) -> None:
    forest, questions = drawn(plan, 3)
    assert questions
    grown, _, rivals = fill_questions(forest, questions)
    trees = trees_of(grown)
    original = trees_of(forest)
    assert rivals.filled.shape == (len(questions), 1 + WRONG)
    for question, filled, other in zip(questions, rivals.filled.tolist(), rivals.other.tolist(), strict=True):
        sides = [original[root] for root in forest.roots[question.row].tolist()]
        assert trees[other] == sides[1 - question.side]
        assert trees[filled[0]] == sides[question.side]
        path = [child for _, child in question.path]
        for node, wrong in zip(filled[1:], question.wrong.tolist(), strict=True):
            assert trees[node] == replaced(sides[question.side], path, original[wrong])


def trees_of(forest):  # type: ignore[no-untyped-def]
    built = [(forest.vocab.leaves[leaf],) for leaf in forest.leaf.tolist()]
    for function, below in zip(forest.functions.tolist(), forest.children[len(forest.leaf) :].tolist(), strict=True):
        built.append((forest.vocab.functions[function], *(built[child] for child in below if child >= 0)))
    return built


def replaced(tree, path, by):  # type: ignore[no-untyped-def]
    if not path:
        return by
    children = list(tree[1:])
    children[path[0]] = replaced(children[path[0]], path[1:], by)
    return (tree[0], *children)


def words(tree) -> list[str]:  # type: ignore[no-untyped-def]
    return [tree[0], *(word for child in tree[1:] for word in words(child))]


def test_fillers_with_which_the_equation_holds_do_not_count(plan: CorpusPlan) -> None:
    targets, checked = ValueTargets(VOCAB), 0
    for seed in range(20):
        forest, questions = drawn(plan, seed)
        grown, _, rivals = fill_questions(forest, questions)
        counts = rivals.checked(targets.values(grown)).counts
        trees = trees_of(grown)
        for filled, other, row in zip(rivals.filled.tolist(), rivals.other.tolist(), counts.tolist(), strict=True):
            assert row[0]
            equations = [from_prefix(["Equality", *words(trees[node]), *words(trees[other])]) for node in filled[1:]]
            for verdict, counts_for in zip(check_many(equations), row[1:], strict=True):
                if counts_for:
                    assert verdict.label != "correct"
                checked += 1
    assert checked > 50


def test_the_loss_is_the_cross_entropy_of_the_true_filler() -> None:
    states = torch.tensor([[0.0], [1.0], [3.0], [0.0]], requires_grad=True)
    rivals = Rivals(np.array([[1, 2, 0]]), np.array([3]), np.array([[True, True, True]]))
    head = DistanceHead()
    logits = torch.tensor([1 - 1.0, 1 - 9.0, 1 - 0.0])
    loss = ranking_loss(states, rivals, head)
    assert loss.item() == pytest.approx(-torch.log_softmax(logits, 0)[0].item(), rel=1e-4)
    loss.backward()
    assert states.grad is not None
    assert states.grad[1].item() > 0  # the true one comes closer
    without = ranking_loss(states, rivals._replace(counts=np.array([[True, True, False]])), head)
    assert without.item() == pytest.approx(-torch.log_softmax(logits[:2], 0)[0].item(), rel=1e-3)
