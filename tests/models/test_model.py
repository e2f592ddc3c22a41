"""Every model verifies, embeds and completes, and every tree model is traced, wherever its weights are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from one_device import second_device
from treesmu.data import Vocab
from treesmu.data.augment.reading_points import fixed_points
from treesmu.errors import DataError
from treesmu.expr import Expr, Verdict, parse
from treesmu.models import Model, build
from treesmu.registry import BUILT_IN, is_tree_model

EQUATIONS = ["sin(x)^2 + cos(x)^2 = 1", "x + 0.25 = log(y, 2)", "x = theta"]
QUESTION = "sin(x)^2 + _ = 1"


def small(name: str) -> Model:
    settings = {} if name == "majority" else {"hidden": 10}
    return build(name, Vocab.default(), settings, "distance", norm="unit").eval()


def results(model: Model) -> dict[str, Any]:
    """Return what a model computes for some equations, expressions and a question."""
    found = {"verify": model.verify(EQUATIONS), "logits": model.logits(EQUATIONS)}
    if model.name != "majority":
        found["embed"] = model.embed(["x + 1", "0.25"])
    if is_tree_model(model.name):
        found["trace"] = np.stack([node.state for node in model.trace(EQUATIONS[0]).nodes])
    completions = model.complete(QUESTION, top=3, height=2 if model.name == "tree-smu" else 0)
    return found | {"fillers": [str(filler) for filler, _, _ in completions], "scores": [score for _, score, _ in completions]}


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_completion_is_a_filler_its_probability_and_the_verdict(name: str) -> None:
    model = small(name)
    found = model.complete(QUESTION, top=3, candidates=[parse(e) for e in ("cos(x)^2", "1 - sin(x)^2", "x", "0.25")])
    assert len(found) == 3
    for filler, score, verdict in found:
        assert isinstance(filler, Expr)
        assert isinstance(verdict, Verdict)
        assert verdict.label == ("correct" if str(filler) in ("cos(x)^2", "1 - sin(x)^2") else "incorrect")
        assert score == pytest.approx(float(model.verify([QUESTION.replace("_", f"({filler})")])[0]), abs=1e-5)


def at_points(points: int = 3) -> Model:
    return build("tree-smu", Vocab.default(), {"hidden": 5}, "distance", "layer", points=points).eval()


def test_a_model_with_points_reads_each_equation_with_numbers_for_its_variables() -> None:
    model = at_points()
    n = model.encoder.cell.hidden
    states = model.embed(["x + sin(y)", "2"])
    assert states.shape == (2, 3 * n)
    values = fixed_points(model.vocab, 3)
    for k in range(3):
        x, y = (f"{values[model.vocab.leaf_id(name), k]:.4f}" for name in "xy")
        plain = model.embed([f"({x}) + sin({y})", "2"])[:, :n]  # without variables, the same at every point
        np.testing.assert_allclose(states[:, k * n : (k + 1) * n], plain, atol=1e-6)


def test_names_of_variables_do_not_matter_beyond_their_points() -> None:
    model = at_points()
    assert model.verify(["x + x = 2x"]) == pytest.approx(model.verify(["theta + theta = 2theta"]))


def test_a_model_with_points_is_traced_at_the_first_of_them() -> None:
    model, values = at_points(), fixed_points(Vocab.default(), 3)
    trace = model.trace("x + sin(theta) = x")
    x, y = (float(values[model.vocab.leaf_id(name), 0]) for name in "xy")  # theta is read as y
    assert trace.point == {"x": pytest.approx(x), "theta": pytest.approx(y)}
    assert trace.to_dict()["point"] == trace.point
    assert f"at x = {x:.4g}, theta = {y:.4g}" in trace.text()
    assert f"x = {x:.4g}" in trace.svg()
    np.testing.assert_allclose(trace.at((0,)).state, model.embed(["x + sin(theta)"])[0, :5], atol=1e-6)


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_tensor_is_made_on_another_device_than_that_of_the_weights(name: str) -> None:
    model = small(name)
    expected = results(model)
    with second_device(has_float64=False) as device:
        found = results(model.to(device))
    assert found.pop("fillers") == expected.pop("fillers")
    for key, values in found.items():
        assert isinstance(values, np.ndarray | list)
        np.testing.assert_allclose(values, expected[key], rtol=1e-5, atol=1e-6, err_msg=key)


# -- traces ------------------------------------------------------------------------------------------------------------

TREE_MODELS = [name for name in BUILT_IN if is_tree_model(name)]


@pytest.mark.parametrize("name", TREE_MODELS)
@pytest.mark.parametrize("text", [*EQUATIONS, "1 + sin(x)*sin(x)", "x"])
def test_the_states_of_a_trace_are_those_of_embed(name: str, text: str) -> None:
    """At every node, also of repeated sub-expressions and of variables that the model knows by another name."""
    model, e = small(name), parse(text)
    trace = model.trace(e)
    assert len(trace) == e.size - e.is_equation
    sides = model.embed([e])[0] if e.is_equation else model.embed([e])
    np.testing.assert_allclose([side.state for side in trace.sides], sides, atol=1e-6)
    if not e.has_blank and "theta" not in text:
        states = model.embed([node.expr for node in trace.nodes])
        np.testing.assert_allclose([node.state for node in trace.nodes], states, atol=1e-6)
    assert trace.probability == (float(model.verify([e])[0]) if e.is_equation else None)


@pytest.mark.parametrize("name", TREE_MODELS)
def test_the_memories_of_a_trace_are_those_that_completion_uses(name: str) -> None:
    model = small(name)
    trace = model.trace("sin(x) + sin(x)^2")
    forest = model.encoder.plan_exprs([trace.expr]).batch([0])
    memories = model.encoder.states_and_memories(forest)[1]
    if memories is None:
        assert all(node.memory is None for node in trace.nodes)
        return
    for node, row in zip(trace.nodes, forest.preorder(), strict=True):
        np.testing.assert_allclose(node.memory, memories[row].detach().numpy(), atol=1e-6)


@pytest.mark.parametrize(
    "settings", [{"stack": 3}, {"no_op": False}, {"pop": False}, {"top": 2}, {"order": "queue", "stack": 3}]
)
@pytest.mark.parametrize("normalise", ["sum", "softmax"])
def test_actions_add_up_to_one_and_the_stack_is_the_memory(settings: dict[str, Any], normalise: str) -> None:
    model = build("tree-smu", Vocab.default(), {"hidden": 5, "normalise": normalise, **settings}).eval()
    trace = model.trace(EQUATIONS[0])
    assert set(trace.actions) == {"push", "no_op", "pop"} - {name for name in ("no_op", "pop") if settings.get(name) is False}
    for node in trace.nodes:
        if node.expr.is_leaf:
            assert node.gates == {}
        else:
            np.testing.assert_allclose(sum(node.gates[name] for name in trace.actions), 1, atol=1e-6)
            assert len(node.gates["f"]) == len(node.expr.children)
        assert node.memory is not None
        assert node.rows.shape == (model.encoder.cell.stack, 5)
        np.testing.assert_array_equal(node.rows, node.memory[: model.encoder.cell.stack])
    assert trace.memory_name == settings.get("order", "stack")


@pytest.mark.parametrize("name", [name for name in BUILT_IN if name not in TREE_MODELS])
def test_a_model_without_states_of_nodes_says_which_have_them(name: str) -> None:
    with pytest.raises(DataError, match=f"{name} has no states of nodes, .* trace a tree model: {', '.join(TREE_MODELS)}$"):
        small(name).trace("x = x")


@pytest.mark.parametrize(
    ("text", "message"),
    [("x + _ = 1", "there is a blank"), ("x = 10^700", r"cannot read x = 10\^700: 700 is not in the vocabulary")],
)
def test_what_cannot_be_traced_is_refused(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        small("tree-smu").trace(text)


def test_dropout_is_off_in_a_trace_and_the_mode_is_restored() -> None:
    model = build("tree-smu", Vocab.default(), {"hidden": 8, "dropout": 0.5}).train()
    first, second = (model.trace("sin(x) + 1") for _ in range(2))
    assert all(np.array_equal(a.state, b.state) for a, b in zip(first.nodes, second.nodes, strict=True))
    assert model.training
