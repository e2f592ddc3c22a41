"""Completions are ranked by the model, one per equal class, and marked by the numeric check."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
import torch

from treesmu.data import DataError, Vocab
from treesmu.expr import Expr, Verdict, check, leaf, parse
from treesmu.expr.numeric.equal_classes import FILLER_LEAVES, enumerate_fillers
from treesmu.models import build
from treesmu.models.completion import completions as module
from treesmu.models.completion import ranking
from treesmu.models.completion.candidates import vocabulary
from treesmu.models.completion.completions import Completion, complete
from treesmu.models.completion.prior import ValuePrior
from treesmu.models.model import Model

QUESTION = parse("x + _ = 2*x")


@pytest.fixture
def model() -> Model:
    return build("tree-lstm", Vocab.default(), {"hidden": 6}).double()


def exprs(*texts: str) -> list[Expr]:
    return [parse(text) for text in texts]


def ranked(model: Model, question: Expr, *given: Any, **options: Any) -> list[Completion]:
    """Complete with the candidates of the model only."""
    return complete(model, question, *given, **{"search": False, **options})


def filled(filler: Expr, question: Expr = QUESTION) -> Expr:
    return question.substitute({leaf("_"): filler})


def assert_ranked(model: Model, found: list[Completion], question: Expr = QUESTION) -> None:
    for a in found:
        assert a.filled is filled(a.filler, question)
        assert a.logit == pytest.approx(float(model.logits([a.filled])[0]), abs=1e-10)
        assert a.verdict == check(a.filled)
    assert [a.logit for a in found] == sorted((a.logit for a in found), reverse=True)


def test_the_best_candidates_of_height_1_are_found_each_of_another_class(model: Model) -> None:
    constants = [leaf(token) for token in FILLER_LEAVES if token not in ("y", "z", "w")]
    known = [leaf(token) for token in model.vocab.leaves if leaf(token) in constants]
    every = enumerate_fillers(known)
    found = ranked(model, QUESTION, top=4)
    assert_ranked(model, found)
    best = every[int(np.argmax(model.logits([filled(e) for e in every])))]
    assert found[0].filler is best
    for i, a in enumerate(found):
        assert all(check(f"({a.filler}) = ({e})").label == "correct" for e in a.equal)
        assert all(check(f"({a.filler}) = ({b.filler})").label != "correct" for b in found[:i])


def test_a_model_returns_filler_probability_and_verdict(model: Model) -> None:
    found = model.complete("sin(x)^2 + _ = 1", top=3, search=False)
    assert len(found) == 3
    for filler, score, verdict in found:
        assert isinstance(filler, Expr)
        assert 0 < score < 1
        assert isinstance(verdict, Verdict)
        assert score == pytest.approx(float(model.verify([filled(filler, parse("sin(x)^2 + _ = 1"))])[0]), abs=1e-10)


def test_equal_fillers_are_one_completion(model: Model) -> None:
    found = ranked(model, QUESTION, candidates=exprs("x", "1", "1*x", "2 - 1", "x^1", "y"))
    assert_ranked(model, found)
    groups = [{str(e) for e in (a.filler, *a.equal)} for a in found]
    assert sorted(map(sorted, groups)) == [["1", "2 - 1"], ["1*x", "x", "x^1"], ["y"]]


def test_verified_completions_make_the_equation_correct(model: Model) -> None:
    found = ranked(model, QUESTION, top=2, verified=True)
    assert_ranked(model, found)
    assert [a.verdict.label for a in found] == ["correct"]  # all that hold are equal to x
    assert leaf("x") in (found[0].filler, *found[0].equal)
    assert ranked(model, QUESTION, verified=True, candidates=exprs("y", "1")) == []


def test_verified_stops_when_it_has_enough(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def counting(equations: list[Expr]) -> list[Verdict]:
        seen.append(len(equations))
        return [check(e) for e in equations]

    monkeypatch.setattr(module, "check_many", counting)
    assert len(ranked(model, parse("0*_ = 0"), top=3, verified=True)) == 3
    assert seen == [module.FIRST_CHUNK]


def test_a_prior_ranks_common_values_first_and_can_be_left_out(model: Model) -> None:
    plain = ranked(model, QUESTION, top=3)
    assert [a.score for a in plain] == [a.logit for a in plain]
    model.prior = ValuePrior(100.0, {"Mul 3 x": 5})
    found = ranked(model, QUESTION, top=3)
    assert check(f"({found[0].filler}) = 3*x").label == "correct"
    assert found[0].score == pytest.approx(found[0].logit + 100 * np.log(6))
    assert ranked(model, QUESTION, top=3, prior=False) == plain
    model.prior = ValuePrior(100.0, {"sin x": 9})
    given = ranked(model, QUESTION, candidates=exprs("x", "sin(x)", "x*3"))
    assert str(given[0].filler) == "sin(x)"


def test_candidates_have_at_most_the_height_that_is_asked_for(model: Model) -> None:
    assert {a.filler.depth for a in ranked(model, QUESTION, top=8, height=0)} == {0}
    high = ranked(model, QUESTION, top=8, height=2)
    assert_ranked(model, high)
    assert high[0].logit >= ranked(model, QUESTION, top=1)[0].logit
    assert {a.filler.depth for a in high} <= {0, 1, 2}
    assert 2 in {a.filler.depth for a in high}


def test_height_2_finds_a_function_of_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few leaves and functions and a wide beam, all fillers of height 2 are searched."""
    vocab = Vocab(("Add", "sin"), (2, 1), ("x", "1"), "Equality")
    small = build("tree-rnn", vocab, {"hidden": 4}).double()
    monkeypatch.setattr(ranking, "BEAM", 100)
    low = enumerate_fillers([leaf("x"), leaf("1")], vocabulary(small)[1])
    every = [*low, *(e for e in enumerate_fillers(low, vocabulary(small)[1]) if e.depth == 2)]
    question = parse("sin(x + _) = 1")
    found = ranked(small, question, top=3, height=2)
    scores = small.logits([filled(e, question) for e in every])
    assert found[0].logit == pytest.approx(float(np.max(scores)), abs=1e-10)


def test_variables_are_those_of_the_equation_unless_asked(model: Model) -> None:
    def variables(**options: Any) -> set[str]:
        every = ranked(model, QUESTION, top=400, height=0, **options)
        return {v.token for a in every for v in a.filler.variables()}

    assert variables() == {"x"}
    assert variables(any_variable=True) == {"x", "y", "z", "w", "u", "v", "a", "b", "c", "d"}
    assert len(ranked(model, QUESTION, top=400, height=0)) == 16
    assert len(ranked(model, QUESTION, top=400, height=0, all_leaves=True)) == 54
    assert "7" in {str(a.filler) for a in ranked(model, parse("x + _ = 7"), top=400, height=0)}


def test_a_variable_that_the_model_does_not_know_is_read_as_one_that_it_knows(model: Model) -> None:
    theirs, ours = (ranked(model, parse(f"sin({name})^2 + _ = 1"), top=6) for name in ("theta", "x"))
    to_x = {leaf("theta"): leaf("x")}
    assert [(a.filler.substitute(to_x), a.logit) for a in theirs] == [(a.filler, a.logit) for a in ours]
    assert {v.token for a in theirs for v in a.filled.variables()} == {"theta"}
    found = ranked(model, parse("_ = 2"), candidates=exprs("alpha", "beta + alpha", "2"))
    assert {str(a.filler) for a in found} == {"alpha", "beta + alpha", "2"}


def test_states_of_candidates_are_computed_once_until_the_weights_change(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    original = ranking.make_scorer
    monkeypatch.setattr(ranking, "make_scorer", lambda *given: made.append(1) or original(*given))
    for text in ("x + _ = 2*x", "sin(x) = _", "x*_ = 3"):
        ranked(model, parse(text))
    assert len(made) == 1
    before = ranked(model, QUESTION)[0].logit
    with torch.no_grad():
        next(model.parameters()).mul_(2)
    after = ranked(model, QUESTION)
    assert len(made) == 2
    assert after[0].logit != before
    assert_ranked(model, after)
    for names in ("y", "z", "w", "u", "v", "a"):
        ranked(model, parse(f"{names} = _"))
    assert len(model.scorers) == 4
    ranked(model.float(), QUESTION)  # other numbers in the same weights


def test_a_copy_computes_states_of_its_own(model: Model) -> None:
    before = ranked(model, QUESTION)
    copy = pickle.loads(pickle.dumps(deepcopy(model)))
    assert (len(model.scorers), copy.scorers) == (1, {})
    assert ranked(copy, QUESTION) == before


def test_threads_do_not_disturb_each_other(model: Model) -> None:
    questions = [parse(f"{f}(x + _) = {f}(x)") for f in ("sin", "cos", "exp", "tanh")] * 3
    expected = [ranked(model, question) for question in questions]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda question: ranked(model, question), questions)) == expected


def test_sequence_models_and_the_majority_complete_too() -> None:
    lstm = build("lstm", Vocab.default(), {"hidden": 4}).double()
    assert_ranked(lstm, ranked(lstm, QUESTION, top=3, candidates=exprs("x", "1", "sin(x)", "cos(1)")))
    majority = ranked(build("majority", Vocab.default()), QUESTION, top=3)
    assert [str(a.filler) for a in majority] == ["x", "-3", "-2"]  # all equal: the order of the vocabulary
    assert {a.probability for a in majority} == {0.5}


def test_a_very_low_logit_has_the_probability_0() -> None:
    a = Completion(leaf("x"), QUESTION, -1000.0, check("x = x"))
    assert a.probability == 0
    assert Completion(leaf("x"), QUESTION, 1000.0, check("x = x")).probability == 1


@pytest.mark.parametrize(
    ("question", "options", "said"),
    [
        ("x = 1", {}, "there is no blank in x = 1"),
        ("x + _", {}, "not an equation"),
        ("x + _ = 1", {"top": 0}, "top, the number of completions, must be at least 1"),
        ("x + _ = 1", {"height": 3}, "height of candidates must be 0, 1 or 2, not 3"),
        ("x + _ = 7/13", {}, "the model cannot read x [+] _ = 7/13: 7/13 is not in the vocabulary"),
        (f"{' + '.join('x' * 30)} + _ = 7/13", {}, "the model cannot read .{37}[.]{3}: 7/13 is not in the vocabulary"),
        ("x + _ = 1", {"candidates": []}, "there are no candidates to fill the blank"),
        ("x + _ = 1", {"candidates": ["7/13"]}, "7/13"),
        ("x + _ = 1", {"candidates": ["1", "x = 1"]}, "the candidate x = 1 is an equation; a filler is an expression"),
        ("x + _ = 1", {"candidates": ["_"]}, "the candidate _ is itself a blank, or has one; a filler is an expression"),
        ("x + _ = 1", {"prior": "a"}, "prior must be True or False, not 'a'"),
        ("x + _ = 1", {"prior": float("nan")}, "prior must be True or False, not nan"),
    ],
)
def test_what_is_wrong_is_named(model: Model, question: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        ranked(model, parse(question), **options)


def test_candidates_may_be_text(model: Model) -> None:
    assert ranked(model, QUESTION, candidates=["x", "1"]) == ranked(model, QUESTION, candidates=exprs("x", "1"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"top": None}, "top, the number of completions, must be a whole number, not NoneType"),
        ({"candidates": 5}, "expected a list of expressions, each text or an Expr, not int"),
        ({"candidates": [None]}, "an expression must be text or an Expr, not NoneType"),
    ],
)
def test_a_wrong_type_is_a_type_error(model: Model, options: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        ranked(model, QUESTION, **options)


def test_a_vocabulary_without_mathematics_needs_a_list_of_candidates() -> None:
    model = build("tree-rnn", Vocab(("pair", "Add"), (2, 2), ("x", "1"), "Equality"), {"hidden": 3})
    with pytest.raises(DataError, match="not that of mathematics"):
        ranked(model, QUESTION.substitute({leaf("2"): leaf("1")}).replace((1,), leaf("x")))
