"""Every answer is what the Python API returns."""

from __future__ import annotations

import numpy as np
import pytest

import treesmu
from explorer import EQUATION, loaded
from treesmu.errors import DataError
from treesmu.experiments.probes.exchange import find_exchange
from treesmu.expr import check, equation, parse
from treesmu.expr.numeric.curve import curve_of
from treesmu.models.completion.completions import complete
from treesmu.web.refusal import Refusal
from treesmu.web.work import answering
from treesmu.web.work.loaded_models import LoadedModel
from weights_files import tiny

EQUATIONS = [EQUATION, "sin(2x) = 2 sin(x)", "x + y = y + x", "sqrt(x^2) = x", "1/x = x^-1", "1 + 1 = 2"]


@pytest.fixture(scope="module")
def smu() -> LoadedModel:
    return loaded(stack=3)


@pytest.fixture(scope="module")
def shipped() -> LoadedModel:
    return LoadedModel("shipped", treesmu.load())


# -- verify ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", EQUATIONS)
def test_the_verdicts_are_those_of_the_model_and_of_the_check(shipped: LoadedModel, text: str) -> None:
    answer, verdict = answering.verify(shipped, text), check(text)
    assert answer.probability == shipped.model.verify([text])[0]
    assert answer.verdict == ("correct" if answer.probability >= 0.5 else "incorrect")
    assert (answer.check.label, answer.check.points, answer.check.reason) == (verdict.label, verdict.points, verdict.reason)
    assert (answer.check.counterexample, answer.check.explanation) == (verdict.counterexample, verdict.explain())
    assert answer.check.sides == verdict.sides
    assert answer.agrees == (None if verdict.label == "undecided" else answer.verdict == verdict.label)


def test_the_curve_is_that_of_both_sides(smu: LoadedModel) -> None:
    answer, curve = answering.verify(smu, "tan(x) = x"), curve_of(parse("tan(x) = x"))
    assert answer.curve is not None
    assert curve is not None
    assert (answer.curve.variable, answer.curve.low, answer.curve.high) == ("x", curve.low, curve.high)
    assert answer.curve.x == curve.x.tolist()
    assert [np.nan if y is None else y for y in answer.curve.left] == pytest.approx(curve.left.tolist(), nan_ok=True)
    assert None in answer.curve.left  # at the poles
    assert answering.verify(smu, "x + y = 1").curve is None


def test_a_symbol_that_the_model_does_not_know_leaves_the_check() -> None:
    answer = answering.verify(LoadedModel("tiny", tiny()), "cos(x) = cos(x)")
    assert (answer.probability, answer.verdict, answer.agrees) == (None, None, None)
    assert answer.no_verdict is not None
    assert "not in the vocabulary" in answer.no_verdict
    assert answer.check.label == "correct"


def test_a_logarithm_of_another_base_is_pointed_out(smu: LoadedModel) -> None:
    assert "log10(x)" in answering.verify(smu, "log(100) = 2").check.reason


# -- trace -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tree-smu", "tree-lstm", "tree-rnn", "stack-tree-rnn"])
def test_a_trace_has_the_numbers_of_the_models_trace(name: str) -> None:
    model = loaded(name)
    answer, trace = answering.trace(model, EQUATION), model.model.trace(EQUATION)
    assert (answer.probability, answer.distance, answer.expression) == (trace.probability, trace.distance, EQUATION)
    assert (answer.memory_name, tuple(answer.actions)) == (trace.memory_name, trace.actions)
    for node, traced in zip(answer.nodes, trace.nodes, strict=True):
        assert (tuple(node.path), node.symbol, node.expression) == (traced.path, traced.symbol, str(traced.expr))
        assert [answer.nodes[i].path for i in node.children] == [list(child.path) for child in traced.children]
        assert np.array_equal(np.array(node.state, np.float32), traced.state)
        assert np.array_equal(np.array(node.stack, np.float32).reshape(traced.rows.shape), traced.rows)
        assert {k: np.array(v, np.float32).tolist() for k, v in node.gates.items()} == {
            k: v.tolist() for k, v in traced.gates.items()
        }
        assert (node.means, node.row_norms, node.rows_in_use) == (traced.means, traced.row_norms, traced.rows_in_use)
        assert (node.norm, node.other_side) == (traced.norm, trace.distance_to_other_side(traced))


def test_push_no_op_and_pop_add_up_to_1_and_the_stack_follows_from_them(smu: LoadedModel) -> None:
    """S[k] = push C[k-1] + pop C[k+1] + no_op C[k] with C = Σ f S of the children, S[0] with u in place of C[-1]."""
    answer = answering.trace(smu, EQUATION)
    inner = [node for node in answer.nodes if node.children]
    assert len(inner) == 5
    for node in inner:
        gates = {name: np.array(gate, float) for name, gate in node.gates.items()}
        assert np.allclose(gates["push"] + gates["no_op"] + gates["pop"], 1, atol=1e-6)
        assert sum(node.means[name] or 0 for name in ("push", "no_op", "pop")) == pytest.approx(1)
        stacks = np.array([answer.nodes[i].stack for i in node.children], float)  # (children, p, n)
        below = (gates["f"][:, None] * stacks).sum(0)
        padded = np.vstack([gates["u"], below, np.zeros_like(gates["u"])])
        expected = gates["push"] * padded[:-2] + gates["no_op"] * padded[1:-1] + gates["pop"] * padded[2:]
        assert np.allclose(node.stack, expected, atol=1e-5)


def test_an_expression_has_a_trace_without_another_side(smu: LoadedModel) -> None:
    answer = answering.trace(smu, "sin(x)")
    assert (answer.is_equation, answer.probability, answer.nodes[0].other_side) == (False, None, None)


def test_a_model_of_sequences_has_no_trace() -> None:
    with pytest.raises(DataError, match="no states of nodes"):
        answering.trace(loaded("lstm"), EQUATION)


def test_values_that_are_not_finite_are_refused() -> None:
    broken = loaded()
    for weight in broken.model.parameters():
        weight.data.fill_(float("nan"))
    with pytest.raises(Refusal, match="not finite"):
        answering.trace(broken, EQUATION)
    answer = answering.verify(broken, EQUATION)
    assert answer.probability is None
    assert answer.no_verdict is not None
    assert "not finite" in answer.no_verdict
    with pytest.raises(Refusal, match="not finite"):
        answering.explain(broken, EQUATION)


# -- neighbours --------------------------------------------------------------------------------------------------------


def test_the_neighbours_are_those_of_the_sub_expression(smu: LoadedModel) -> None:
    answer = answering.neighbours(smu, "sin(t)^2 + cos(t)^2 = 1", [0, 1], 4)
    found = smu.stored.nearest(parse("cos(t)^2"), 4)
    assert (answer.expression, answer.stored) == ("cos(t)^2", len(smu.stored.expressions))
    assert [(n.expression, n.distance, n.is_equal) for n in answer.neighbours] == [
        (str(n.expr), n.distance, n.is_equal) for n in found
    ]


@pytest.mark.parametrize(("path", "status"), [([2], 404), ([0, 0, 0, 0, 0], 404), ([], 400)])
def test_a_path_without_a_state_is_refused(smu: LoadedModel, path: list[int], status: int) -> None:
    with pytest.raises(Refusal) as caught:
        answering.neighbours(smu, EQUATION, path, 4)
    assert caught.value.status == status


# -- explain -----------------------------------------------------------------------------------------------------------


def test_an_explanation_is_the_exchange_that_changes_the_verdict(shipped: LoadedModel) -> None:
    wrong = [text for text in _wrongly_judged(shipped) if find_exchange(shipped.model, parse(text))[0]]
    assert wrong, "the shipped model judges all of these rightly: choose harder ones"
    for text in wrong:
        answer, (exchange, tried) = answering.explain(shipped, text), find_exchange(shipped.model, parse(text))
        assert exchange is not None
        assert answer.before is not None
        assert answer.after is not None
        assert answer.equation is not None
        assert answer.new_probability is not None
        assert (answer.disagrees, answer.found, answer.tried) == (True, True, tried)
        assert (answer.before.expression, answer.after.expression) == (str(exchange.before), str(exchange.after))
        assert (answer.side, answer.path) == ("left" if exchange.path[0] == 0 else "right", list(exchange.path))
        assert (answer.new_probability >= 0.5) != (answer.probability >= 0.5)
        assert shipped.model.verify([answer.equation.expression])[0] == pytest.approx(answer.new_probability, abs=1e-5)
        assert check(equation(exchange.before, exchange.after)).label == "correct"
        assert str(exchange.after) in answer.sentence


def _wrongly_judged(model: LoadedModel) -> list[str]:
    texts = ["sin(asin(x)) = x", "tan(3*pi/4) = -1", "sqrt(x)*sqrt(x) = x"]
    return [text for text in texts if answering.verify(model, text).agrees is False]


def test_where_both_agree_or_the_check_is_undecided_there_is_nothing_to_explain(smu: LoadedModel) -> None:
    assert not answering.explain(smu, "sqrt(x^2) = x").disagrees
    agreeing = [text for text in EQUATIONS if answering.verify(smu, text).agrees]
    assert agreeing
    for text in agreeing:
        answer = answering.explain(smu, text)
        assert (answer.disagrees, answer.found, answer.tried, answer.before) == (False, False, 0, None)
        assert answer.sentence == "The model and the check agree."


def test_that_no_exchange_helps_is_said(smu: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "find_exchange", lambda *_: (None, 7))
    wrong = next(text for text in EQUATIONS if answering.verify(smu, text).agrees is False)
    answer = answering.explain(smu, wrong)
    assert (answer.disagrees, answer.found, answer.tried, answer.after) == (True, False, 7, None)
    assert answer.sentence == "None of 7 exchanges of one sub-expression for an equal one changes the model's verdict."


# -- complete ----------------------------------------------------------------------------------------------------------


def test_the_fillers_are_those_of_the_model_and_of_the_search(shipped: LoadedModel) -> None:
    answer, found = (
        answering.complete_blank(shipped, "sin(x)^2 + _ = 1", 3),
        complete(shipped.model, parse("sin(x)^2 + _ = 1"), 3, screened=True),
    )
    assert [a.filler for a in answer.answers] == [str(c.filler) for c in found]
    assert [a.rank for a in answer.answers] == list(range(1, len(found) + 1))
    for a, c in zip(answer.answers, found, strict=True):
        assert (a.equation, a.equation_mathml, a.filler_mathml) == (str(c.filled), c.filled.mathml(), c.filler.mathml())
        assert (a.probability, a.check, a.found_by) == (pytest.approx(c.probability), c.verdict.label, c.found_by)
        assert a.verdict == ("correct" if c.probability >= 0.5 else "incorrect")
    assert "cos(x)^2" in [a.filler for a in answer.answers]
