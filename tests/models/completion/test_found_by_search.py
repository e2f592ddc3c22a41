"""Completions that the search by value found: only where the model has none, marked, and each of another class."""

from __future__ import annotations

import pytest

from treesmu.data import Vocab
from treesmu.expr import check, leaf, parse
from treesmu.models import build
from treesmu.models.completion.completions import complete
from treesmu.models.model import Model


@pytest.fixture
def model() -> Model:
    return build("tree-lstm", Vocab.default(), {"hidden": 6}).double()


def test_where_the_model_has_no_correct_filler_the_search_adds_one_that_is_marked(model: Model) -> None:
    question = parse("sin(x)^2 + _ = 1")
    alone, found = complete(model, question, top=3, search=False), complete(model, question, top=3)
    assert found[:3] == alone
    assert [a.found_by for a in found] == ["model", "model", "model", "search"]
    answer = found[3]
    assert answer.filler is parse("cos(x)^2")
    assert (answer.filled, answer.verdict) == (
        question.substitute({leaf("_"): answer.filler}),
        check("sin(x)^2 + cos(x)^2 = 1"),
    )
    assert answer.logit == pytest.approx(float(model.logits([answer.filled])[0]), abs=1e-10)
    assert parse("cos(x)*cos(x)") in answer.equal
    assert [one.found_by for one in model.complete(question, top=1)] == ["model", "search"]


def test_the_search_is_for_verified_completions_of_any_variable_within_the_height(model: Model) -> None:
    (found,) = complete(model, parse("sin(theta)^2 + _ = 1"), verified=True)
    assert (found.filler, found.found_by, found.verdict.label) == (parse("cos(theta)^2"), "search", "correct")
    assert complete(model, parse("sin(x)^2 + _ = 1"), verified=True, height=1) == []
    assert complete(model, parse("sin(x)^2 + _ = 1"), verified=True, search=False) == []
    assert complete(model, parse("sin(x)^2 + _ = 1"), verified=True, candidates=[parse("x"), parse("1")]) == []


def test_there_is_no_search_where_the_model_has_a_correct_filler(model: Model) -> None:
    found = complete(model, parse("0*_ = 0"), top=3)
    assert [a.found_by for a in found] == ["model"] * 3


def test_completions_found_by_search_are_of_other_classes_than_those_of_the_model(model: Model) -> None:
    found = complete(model, parse("cos(_) = cos(x)"), top=6, verified=True)
    assert {c.found_by for c in found} == {"model", "search"}
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)  # the model ranks all of them
    for i, a in enumerate(found):
        assert a.verdict.label == "correct"
        assert all(check(f"({a.filler}) = ({b.filler})").label != "correct" for b in found[:i])
