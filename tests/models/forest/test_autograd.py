"""A user's cell needs only a step, and what the step returns is checked."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from samples import EXACT, FIXED, FIXED_TREES, FOREST, gradients
from treesmu.data import Forest, Vocab
from treesmu.models import Cell, TreeEncoder, TreeLSTM, TreeRNN, TreeSMU


class Shared(Cell):
    """A cell that adds one map shared by all functions after the map of each function."""

    def __init__(self, hidden: int) -> None:
        super().__init__(hidden, width=hidden)
        self.mix = nn.Parameter(torch.randn(hidden, hidden) / hidden)
        self.shift = nn.Parameter(torch.zeros(hidden))

    def step(self, z: Tensor, memory: Tensor, at: Any) -> tuple[Tensor, None, dict[str, Tensor]]:
        assert memory.shape == (len(z), memory.shape[1])  # it has none
        first = z.tanh()
        return at.drop(torch.tanh(first @ self.mix + self.shift)), None, {"first": first}


class Gated(Cell):
    """A cell with a memory behind a forget gate, and a further linear map for each function."""

    def __init__(self, hidden: int) -> None:
        linears = {"out": (hidden, hidden, True), "skip": (hidden, hidden, False)}
        super().__init__(hidden, width=hidden, memory=(hidden,), forgets=True, linears=linears)

    def step(self, z: Tensor, memory: Tensor, at: Any) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        f = self.forget_gates(z)
        m = z[:, : self.hidden].tanh() + (f * memory).mean(1)
        return torch.tanh(at.linear("out", m) + at.linear("skip", z[:, : self.hidden])), m, {"f": f}


OWN = [Shared, Gated]


@pytest.mark.parametrize("make", OWN)
def test_a_cell_of_ones_own_needs_a_step_only(make: Any) -> None:
    encoder = TreeEncoder(make(3), FIXED, inputs=2, norm="unit").double()
    inputs = torch.randn(FOREST.size, 2, dtype=torch.float64, requires_grad=True)
    states = encoder(FOREST, inputs)
    assert states.shape == (len(FIXED_TREES), 3)
    found = gradients(states, torch.randn_like(states), encoder, inputs)
    assert all(g.isfinite().all() and g.any() for g in found)
    assert torch.equal(encoder.trace(FOREST, inputs)["h"], encoder.nodes(FOREST, inputs))


def test_parameters_of_a_cell_of_ones_own_are_shared_by_all_functions() -> None:
    encoder = TreeEncoder(Shared(3), FIXED).double()
    assert {"cell.mix", "cell.shift"} <= {name for name, _ in encoder.named_parameters()}
    states = encoder.nodes(Forest.from_trees([("neg", "a"), ("pair", "a", "b")], FIXED))
    neg, pair = encoder.wiring.gates["1"], encoder.wiring.gates["2"]
    a, b = states[:2]
    for state, z in zip(
        states[2:], (a @ neg.weight[0] + neg.bias[0], torch.cat([a, b]) @ pair.weight[0] + pair.bias[0]), strict=True
    ):
        torch.testing.assert_close(state, torch.tanh(torch.tanh(z) @ encoder.cell.mix + encoder.cell.shift), **EXACT)


def test_further_linear_maps_belong_to_each_function() -> None:
    encoder = TreeEncoder(Gated(3), FIXED).double()
    (state,) = encoder(Forest.from_trees([("not", "a")], FIXED))  # the second function
    gates, out, skip = encoder.wiring.gates["1"], encoder.wiring.linears["out"], encoder.wiring.linears["skip"]
    z = (encoder.leaves.embedding.weight[0] @ gates.weight[1] + gates.bias[1])[:3]
    torch.testing.assert_close(state, torch.tanh(z.tanh() @ out.weight[1] + out.bias[1] + z @ skip.weight[1]), **EXACT)
    assert skip.bias is None


def test_a_cell_without_a_step_says_so() -> None:
    with pytest.raises(NotImplementedError):
        TreeEncoder(Cell(3, width=3), FIXED)(Forest.from_trees([("neg", "a")], FIXED))


class _Wrong(Cell):
    """A cell whose step returns something of another shape."""

    def __init__(self, what: str) -> None:
        super().__init__(3, width=3, memory=(3,))
        self.what = what

    def step(self, z: torch.Tensor, memory: torch.Tensor, at: Any) -> Any:
        del memory, at
        results: dict[str, Any] = {
            "state": (z[:, :1], z, {}),
            "memory": (z, z[:, :1], {}),
            "nothing": (z, None, {}),
            "gate": (z, z, {"h": z}),
            "number as a gate": (z, z, {"g": 3.0}),
            "gate without rows": (z, z, {"g": z.mean()}),
            "no dictionary": (z, z, [z]),
            "two results": (z, z),
            "none": None,
            "array": (z.detach().numpy(), z, {}),
            "whole numbers": (z.int(), z, {}),
            "half precision": (z, z.half(), {}),
        }
        return results[self.what]


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("state", r"_Wrong\.step: the states are \(1, 1\), not \(1, 3\)"),
        ("memory", "the memories are"),
        ("nothing", "the memories are None"),
        ("gate", "called h"),
        ("number as a gate", "the gate 'g' must be a tensor with one row per node"),
        ("gate without rows", "the gate 'g' must be a tensor with one row per node"),
        ("no dictionary", "the gates are list, not a dictionary of tensors"),
        ("two results", "_Wrong.step: returns 2 values, not a tuple of state, memory"),
        ("none", "_Wrong.step: returns NoneType, not a tuple of state, memory"),
        ("array", "the states are ndarray, not a tensor"),
        ("whole numbers", "the states are of type torch.int32, not torch.float32"),
        ("half precision", "the memories are of type torch.float16"),
    ],
)
def test_results_of_a_step_must_have_the_declared_shapes_and_types(what: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeEncoder(_Wrong(what), FIXED)(Forest.from_trees([("neg", "a")], FIXED))


def value(tree: Any) -> int:
    """Return the value of a tree of MAX, MIN and digits."""
    return {"MAX": max, "MIN": min}[tree[0]](map(value, tree[1:])) if isinstance(tree, tuple) else int(tree)


LISTS = [
    ("MAX", "2", ("MIN", "4", "3", "1")),
    ("MIN", ("MAX", "0", "3"), "2", "4"),
    ("MAX", ("MIN", "1", "3"), ("MIN", "0", "4", "4"), "1"),
    ("MIN", "4", ("MAX", "3", ("MIN", "2", "1"), "0", "2")),
    ("MAX", "0", "1"),
    ("MIN", "3"),
]


@pytest.mark.parametrize("cell", [TreeSMU(16), TreeLSTM(16), TreeRNN(16, layers=1), Shared(16), Gated(16)], ids=repr)
def test_lists_are_learned_in_a_few_lines(cell: Cell) -> None:
    vocab = Vocab.from_trees(LISTS)
    encoder, head = TreeEncoder(cell, vocab), nn.Linear(16, 5)
    forest, values = Forest.from_trees(LISTS, vocab), torch.tensor([value(tree) for tree in LISTS])
    optimiser = torch.optim.Adam([*encoder.parameters(), *head.parameters()], 0.05)
    losses = []
    for _ in range(25):
        loss = nn.functional.cross_entropy(head(encoder(forest)), values)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[1] < losses[0]
    assert losses[-1] < losses[0] / 2


@pytest.mark.parametrize("hidden", [50, 100])
def test_tree_smu_has_at_most_half_as_many_parameters_again_as_tree_lstm(hidden: int) -> None:
    smu, lstm = (
        sum(p.numel() for p in TreeEncoder(cell(hidden), Vocab.default()).parameters()) for cell in (TreeSMU, TreeLSTM)
    )
    assert lstm < smu <= 1.5 * lstm
