"""Every model gives a filler the logit of the filled equation."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from treesmu.data import DataError, Vocab
from treesmu.data.corpus.blanks import path_of_blank
from treesmu.expr import BLANK, FUNCTIONS, Expr, equation, leaf, node, parse
from treesmu.models.build import build
from treesmu.models.completion.scoring import PathScorer, WholeEquationScorer, make_scorer
from treesmu.models.model import Model
from treesmu.models.normalise import Norm
from treesmu.registry import BUILT_IN, is_tree_model

QUESTIONS = ["sin(x)^2 + _ = 1", "x = _", "_ = x", "log(x + 2, e) = cos(exp(_)*y) + 0.25", "1/_ + sqrt(x) = tan(x)^-1"]
TREE_MODELS = [name for name in BUILT_IN if is_tree_model(name)]
FILLERS = ["x", "1", "0.75", "sin(x)", "x + y", "x^2", "sin(x)", "cos(x)^2", "sin(sin(sin(x)))"]


def model_of(name: str, head: str = "dot", norm: Norm = "none", **options: object) -> Model:
    return build(name, Vocab.default(), {} if name == "majority" else {"hidden": 5, **options}, head, norm).double()


def filled(question: Expr, filler: Expr) -> Expr:
    return question.replace(path_of_blank(question), filler)


def assert_as_whole(model: Model, questions: list[Expr], fillers: list[Expr]) -> None:
    found = list(make_scorer(model, fillers).scores(questions))
    expected = [model.logits([filled(question, e) for e in fillers]) for question in questions]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", BUILT_IN)
def test_scores_are_the_logits_of_the_filled_equations(name: str) -> None:
    model = model_of(name)
    assert_as_whole(model, [parse(q) for q in QUESTIONS], [parse(e) for e in FILLERS])
    assert isinstance(make_scorer(model, [leaf("x")]), PathScorer if is_tree_model(name) else WholeEquationScorer)


@pytest.mark.parametrize("head", ["dot", "distance"])
@pytest.mark.parametrize("name", [name for name in BUILT_IN if name != "majority"])
def test_scores_with_every_head_and_unit_states(name: str, head: str) -> None:
    assert_as_whole(model_of(name, head, norm="unit"), [parse(q) for q in QUESTIONS], [parse(e) for e in FILLERS])


@pytest.mark.parametrize("head", ["dot", "distance"])
@pytest.mark.parametrize("name", TREE_MODELS)
def test_scores_of_models_that_read_variables_at_points(name: str, head: str) -> None:
    model = build(name, Vocab.default(), {"hidden": 4}, head, "layer", points=3).double()
    torch.nn.init.normal_(model.head.defined.weight)  # so that points count differently
    assert_as_whole(model, [parse(q) for q in QUESTIONS], [parse(e) for e in FILLERS])


LEAVES = [leaf(token) for token in ("x", "y", "1", "-1", "1/2", "pi", "0.75", "12.5")]


def tree(rng: random.Random, depth: int) -> Expr:
    if depth == 0:
        return rng.choice(LEAVES)
    f = rng.choice(FUNCTIONS)
    return node(f, *(tree(rng, rng.randrange(depth)) for _ in range(f.arity)))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    name=st.sampled_from(TREE_MODELS),
    child_sum=st.booleans(),
    norm=st.sampled_from(["none", "unit", "layer"]),
)
def test_random_questions_and_fillers(seed: int, name: str, child_sum: bool, norm: Norm) -> None:
    rng = random.Random(seed)
    torch.manual_seed(seed)
    questions = []
    for _ in range(3):
        e = equation(tree(rng, 5), tree(rng, 3))
        places = [path for path, part in e.paths() if part.is_leaf]
        questions.append(e.replace(rng.choice(places), leaf(BLANK)))
    assert_as_whole(model_of(name, norm=norm, child_sum=child_sum), questions, [tree(rng, rng.randrange(3)) for _ in range(6)])


@pytest.mark.parametrize("name", ["tree-lstm", "lstm"])
def test_a_variable_with_an_underscore_is_not_a_blank(name: str) -> None:
    vocab = Vocab(("Add", "sin"), (2, 1), ("x_1", "x", "1"), "Equality")
    model = build(name, vocab, {"hidden": 3}).double()
    assert_as_whole(model, [parse("x_1 + _ = sin(x_1)")], [parse(e) for e in ("x_1", "x", "sin(x_1)")])


def test_half_precision_runs() -> None:
    model = model_of("tree-rnn").bfloat16()
    (found,) = make_scorer(model, [parse(e) for e in FILLERS]).scores([parse(QUESTIONS[0])])
    assert found.shape == (len(FILLERS),)


def test_many_questions_are_taken_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treesmu.models.completion.scoring.QUESTIONS", 2)
    assert_as_whole(model_of("tree-smu"), [parse(q) for q in QUESTIONS], [parse(e) for e in FILLERS])


def test_dropout_is_off_and_the_previous_mode_is_restored() -> None:
    model = model_of("tree-lstm", dropout=0.5).train()
    fill, questions = make_scorer(model, [parse(e) for e in FILLERS]), [parse(QUESTIONS[0])]
    assert np.array_equal(next(fill.scores(questions)), next(fill.scores(questions)))
    assert model.training


@pytest.mark.parametrize("name", ["tree-rnn", "lstm"])
def test_what_cannot_be_filled_is_named(name: str) -> None:
    model = model_of(name)
    with pytest.raises(DataError, match="there are no candidates to fill the blank"):
        make_scorer(model, [])
    for question, said in [("x = 1", "there is no blank in x = 1: write _"), ("x + _", r"x \+ _ is not an equation")]:
        with pytest.raises(DataError, match=said):
            list(make_scorer(model, [leaf("x")]).scores([parse(question)]))
    two = equation(leaf(BLANK), node(FUNCTIONS[0], leaf("x"), leaf(BLANK)))
    with pytest.raises(DataError, match="several blanks"):
        list(make_scorer(model, [leaf("x")]).scores([two]))
