"""A trace shows what happens at every node."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from samples import EXACT, FIXED, FOREST, VARIADIC, VARIADIC_TREES, Setting, encoder_of, few, name_of
from treesmu.data import Forest

GATES = {
    "smu": {"u", "o", "f", "push", "no_op", "pop", "top"},
    "lstm": {"u", "i", "o", "f"},
    "rnn": {"first"},
    "stack-rnn": {"u", "f", "push", "no_op", "pop"},
}


@few
def test_a_trace_has_a_name_for_everything_and_a_row_for_every_node(setting: Setting) -> None:
    kind, options = setting
    encoder = encoder_of(setting)
    trace = encoder.trace(FOREST)
    wanted = set(GATES[kind])
    wanted -= {name for name in ("no_op", "pop") if options.get(name) is False}
    wanted -= {"top"} if options.get("top", 1) == 1 else set()
    wanted -= {"first"} if options.get("layers") == 1 else set()
    assert set(trace) == wanted | {"h"} | ({"memory"} if encoder.cell.memory else set())
    shapes = dict.fromkeys(wanted, (3,)) | {"h": (3,), "memory": encoder.cell.memory, "f": (5, 3)}
    shapes |= {"top": (options.get("top"),)}
    if kind == "stack-rnn":
        shapes |= dict.fromkeys(("push", "no_op", "pop"), (1,))
    for name, found in trace.items():
        assert found.shape == (FOREST.size, *shapes[name]), name
        assert not found.requires_grad


@pytest.mark.filterwarnings("ignore:.*autograd differentiates it")  # step is replaced
@pytest.mark.parametrize("vocab", ["fixed", "variadic"])
@few
def test_a_trace_shows_what_step_computes(setting: Setting, vocab: str) -> None:
    forest = FOREST if vocab == "fixed" else Forest.from_trees(VARIADIC_TREES, VARIADIC)
    encoder = encoder_of(setting, forest.vocab, inputs=2, norm="unit")
    inputs = torch.randn(forest.size, 2, dtype=torch.float64)
    steps: list[tuple[Any, Any, Any]] = []
    step = encoder.cell.step

    def spied(*given: Any) -> Any:
        steps.append(step(*given))
        return steps[-1]

    encoder.cell.step = spied  # type: ignore[method-assign]
    trace = encoder.trace(forest, inputs)
    row = len(forest.leaf)
    for state, memory, gates in steps:  # in the order of the forest
        rows = slice(row, row + len(state))
        row = rows.stop
        assert torch.equal(trace["h"][rows], state / state.norm(dim=1, keepdim=True))
        assert memory is None or torch.equal(trace["memory"][rows], memory)
        assert set(gates) == set(trace) - {"h", "memory"}
        for name, values in gates.items():
            found = trace[name][rows]
            if name == "f":  # NaN for children that are not there
                found = found[:, : values.shape[1]]
                found = torch.where(found.isnan(), values, found)
            assert torch.equal(found, values), name
    assert row == forest.size
    encoder.by_hand = True
    torch.testing.assert_close(trace["h"], encoder.nodes(forest, inputs).detach(), **EXACT)


@few
def test_a_trace_is_nan_where_there_is_no_gate_and_zero_where_there_is_no_memory(setting: Setting) -> None:
    trace = encoder_of(setting).trace(FOREST)
    leaves = len(FOREST.leaf)
    for name, found in trace.items():
        if name in ("h", "memory"):
            assert not found.isnan().any()
        elif name == "f":
            there = torch.from_numpy(FOREST.children >= 0)
            assert torch.equal(found.isnan(), ~there.unsqueeze(2).expand_as(found))
        else:
            assert found[:leaves].isnan().all()
            assert not found[leaves:].isnan().any()
    assert not trace.get("memory", torch.zeros(leaves))[:leaves].any()


@pytest.mark.parametrize("setting", [("smu", {}), ("lstm", {"child_sum": True})], ids=name_of)
def test_a_trace_is_nan_for_children_that_a_variadic_node_has_not(setting: Setting) -> None:
    forest = Forest.from_trees(VARIADIC_TREES, VARIADIC)
    found = encoder_of(setting, VARIADIC).trace(forest)["f"]
    there = torch.from_numpy(forest.children >= 0)
    assert torch.equal(found.isnan(), ~there.unsqueeze(2).expand_as(found))


def test_the_trace_of_a_tree_smu_obeys_its_formulas() -> None:
    encoder = encoder_of(("smu", {"stack": 3}))
    trace = encoder.trace(FOREST)
    stack = trace["memory"]
    for node in range(len(FOREST.leaf), FOREST.size):
        below = [child for child in FOREST.children[node] if child >= 0]
        c = sum(trace["f"][node, k] * stack[child] for k, child in enumerate(below))
        push, no_op, pop = (trace[name][node] for name in ("push", "no_op", "pop"))
        torch.testing.assert_close(stack[node, 0], push * trace["u"][node] + no_op * c[0] + pop * c[1], **EXACT)
        torch.testing.assert_close(stack[node, 1], push * c[0] + no_op * c[1] + pop * c[2], **EXACT)
        torch.testing.assert_close(stack[node, 2], push * c[1] + no_op * c[2], **EXACT)
        torch.testing.assert_close(trace["h"][node], trace["o"][node] * stack[node, 0].tanh(), **EXACT)


def test_the_trace_of_leaves_alone_has_states_and_empty_memories() -> None:
    trace = encoder_of(("smu", {"stack": 4})).trace(Forest.from_trees(["a", "0.5"], FIXED))
    assert set(trace) == {"h", "memory"}
    assert trace["memory"].shape == (2, 4, 3)
    assert not trace["memory"].any()
    assert set(encoder_of(("rnn", {})).trace(Forest.from_trees(["a"], FIXED))) == {"h"}
