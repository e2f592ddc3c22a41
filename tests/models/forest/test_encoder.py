"""An encoder runs any cell over any forest, shows what happened, and refuses what does not fit it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from nested import chain
from samples import FEW, FIXED, FIXED_TREES, VARIADIC, VARIADIC_TREES, Setting, encoder_of, gradients, name_of
from treesmu.data import CorpusPlan, DataError, Forest, Vocab
from treesmu.expr import parse
from treesmu.models import Cell, TreeEncoder, TreeLSTM, TreeRNN, TreeSMU

EXACT = {"rtol": 1e-12, "atol": 1e-12}
few = pytest.mark.parametrize("setting", FEW, ids=name_of)
by_hand_or_not = pytest.mark.parametrize("by_hand", [True, False], ids=["by hand", "plain"])
FOREST = Forest.from_trees(FIXED_TREES, FIXED)
EQUATIONS = Forest.from_trees([("=", left, right) for left, right in pairwise(FIXED_TREES)], FIXED)


# -- forward -----------------------------------------------------------------------------------------------------------


@by_hand_or_not
@few
def test_a_tree_has_a_state_and_an_equation_two(setting: Setting, by_hand: bool) -> None:
    encoder = encoder_of(setting, by_hand=by_hand)
    plain, sides = encoder(FOREST), encoder(EQUATIONS)
    assert plain.shape == (len(FIXED_TREES), 3)
    assert sides.shape == (len(FIXED_TREES) - 1, 2, 3)
    assert torch.equal(plain, encoder.nodes(FOREST)[FOREST.roots[:, 0]])
    assert torch.equal(sides, encoder.nodes(EQUATIONS)[EQUATIONS.roots])
    torch.testing.assert_close(sides[:, 0], plain[:-1], **EXACT)
    torch.testing.assert_close(sides[:, 1], plain[1:], **EXACT)


@by_hand_or_not
@few
def test_a_tree_has_the_same_state_in_any_company(setting: Setting, by_hand: bool) -> None:
    encoder = encoder_of(setting, by_hand=by_hand)
    together = encoder(FOREST)
    alone = torch.cat([encoder(Forest.from_trees([tree], FIXED)) for tree in FIXED_TREES])
    torch.testing.assert_close(together, alone, **EXACT)
    backwards = encoder(Forest.from_trees(FIXED_TREES[::-1], FIXED, share=False)).flip(0)
    torch.testing.assert_close(together, backwards, **EXACT)


def test_leaves_alone_and_no_trees_at_all_have_states() -> None:
    encoder = encoder_of(("smu", {}))
    leaves = encoder(Forest.from_trees(["a", "c", "a", "0.5"], FIXED))
    assert torch.equal(leaves[:3], encoder.leaves.embedding.weight[[0, 2, 0]])
    plan = CorpusPlan.from_prefix(["= a b", "= neg a b"], FIXED)
    assert encoder(plan.batch([])).shape == (0, 2, 3)


def test_equations_of_mathematics_come_from_a_plan_or_from_expressions() -> None:
    encoder = TreeEncoder(TreeSMU(hidden=4), Vocab.default())
    exprs = [parse("sin(x)^2 + cos(x)^2 = 1"), parse("2*sin(0.7) = sin(x)*x")]
    states = encoder(encoder.plan([" ".join(e.prefix()) for e in exprs]).batch([0, 1]))
    assert states.shape == (2, 2, 4)
    assert torch.equal(states, encoder(Forest.from_exprs(exprs)))


@few
def test_without_gradients_the_states_are_the_same(setting: Setting) -> None:
    encoder = encoder_of(setting)
    for encoder.by_hand in (True, False):
        wanted = encoder(FOREST)
        with torch.no_grad():
            assert torch.equal(encoder(FOREST), wanted)
            assert not encoder(FOREST).requires_grad
        with torch.inference_mode():
            assert torch.equal(encoder(FOREST), wanted)


def test_a_chain_5000_deep_goes_forward_and_back() -> None:
    encoder = encoder_of(("lstm", {}), hidden=2)
    forest = Forest.from_trees([chain("neg", 5000, ("a",)), "b"], FIXED)
    found = []
    for encoder.by_hand in (True, False):
        states = encoder(forest)
        found.append([states, *gradients(states, torch.ones_like(states), encoder)])
    assert len(found[0][0]) == 2
    torch.testing.assert_close(*found, rtol=1e-9, atol=1e-12)


# -- gradients ---------------------------------------------------------------------------------------------------------


@by_hand_or_not
@few
def test_backward_twice_gives_the_same_gradients(setting: Setting, by_hand: bool) -> None:
    encoder = encoder_of(setting, inputs=2, unit=True, dropout=0.2, by_hand=by_hand)
    inputs = torch.randn(FOREST.size, 2, dtype=torch.float64, requires_grad=True)
    loss = encoder(FOREST, inputs).square().sum()
    wanted = [*encoder.parameters(), inputs]
    first, second = (torch.autograd.grad(loss, wanted, retain_graph=True, allow_unused=True) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True) if a is not None or b is not None)


def slope_of_slope(encoder: TreeEncoder, loss: Tensor, how: str) -> Tensor:
    """The gradient of a gradient by the leaves' states, with the loss beside it, asked for in one way or another."""
    weight = encoder.leaves.embedding.weight
    (slope,) = torch.autograd.grad(loss, weight, create_graph=True)
    total = loss + slope.square().sum()
    if how == "grad":
        return torch.autograd.grad(total, weight)[0]
    total.backward()
    assert weight.grad is not None
    return weight.grad


@few
def test_gradients_of_gradients_are_refused_by_hand_and_there_by_autograd(setting: Setting) -> None:
    encoder = encoder_of(setting)
    with pytest.raises(RuntimeError, match=r"differentiate twice|by_hand=False"):
        slope_of_slope(encoder, encoder(FOREST).square().sum(), "backward")
    encoder.by_hand = False
    assert slope_of_slope(encoder, encoder(FOREST).square().sum(), "backward").isfinite().all()


@pytest.mark.parametrize(("loss", "how"), [("square", "grad"), ("sum", "backward"), ("sum", "grad")])
def test_gradients_of_gradients_are_refused_by_hand_however_they_are_asked_for(loss: str, how: str) -> None:
    encoder = encoder_of(("lstm", {}))
    with pytest.raises(RuntimeError, match=r"differentiate twice|by_hand=False"):
        slope_of_slope(encoder, getattr(encoder(FOREST), loss)().sum(), how)


@pytest.mark.parametrize(
    "by_hand",
    [
        pytest.param(True, id="by hand"),
        pytest.param(False, id="plain"),
    ],
)
def test_weights_that_change_between_forward_and_backward_are_noticed(by_hand: bool) -> None:
    encoder = encoder_of(("lstm", {}), by_hand=by_hand)
    loss = encoder(FOREST).sum()
    with torch.no_grad():
        encoder.wiring.gates["1"].weight.mul_(2)
    with pytest.raises(RuntimeError, match="modified"):
        loss.backward()


@few
def test_functions_that_are_not_in_a_batch_have_gradients_of_zeros(setting: Setting) -> None:
    encoder = encoder_of(setting)
    trees = [("two", ("neg", ("two", "a", "b")), "b"), ("neg", ("neg", "b"))]  # of arities 1 and 2
    encoder(Forest.from_trees(trees, FIXED)).sum().backward()
    child_sum = encoder.cell.child_sum
    for name, parameter in encoder.wiring.named_parameters():
        gradient = parameter.grad
        assert gradient is not None, name
        of_arity = None if child_sum or not name.startswith("gates.") else int(name.split(".")[1])
        here = [f for f, a in zip(FIXED.functions, FIXED.arities, strict=True) if of_arity in (None, a)]
        assert len(gradient) == len(here)
        there = {f for f, rows in zip(here, gradient, strict=True) if rows.any()}
        assert there == {"neg", "two"} & set(here), name
    assert not encoder.leaves.embedding.weight.grad[2:].any()  # nor have leaves that are not there


@few
def test_only_what_needs_gradients_gets_them(setting: Setting) -> None:
    encoder = encoder_of(setting)
    wanted = gradients(encoder(FOREST), torch.ones(1), encoder)
    names = [name for name, _ in encoder.named_parameters()]
    encoder.wiring.requires_grad_(False)
    (frozen,) = torch.autograd.grad(encoder(FOREST).sum(), [encoder.leaves.embedding.weight])
    torch.testing.assert_close(frozen, wanted[names.index("leaves.embedding.weight")], **EXACT)
    encoder.wiring.requires_grad_(True)
    encoder.leaves.requires_grad_(False)
    encoder(FOREST).sum().backward()
    assert encoder.leaves.embedding.weight.grad is None
    for (name, parameter), gradient in zip(encoder.named_parameters(), wanted, strict=True):
        if name.startswith("wiring") and parameter.grad is not None:
            torch.testing.assert_close(parameter.grad, gradient, **EXACT)


def test_a_step_of_an_optimiser_is_seen_by_the_next_forest() -> None:
    encoder = encoder_of(("smu", {}))
    optimiser = torch.optim.SGD(encoder.parameters(), 0.1)
    losses = []
    for _ in range(10):
        optimiser.zero_grad()
        loss = (encoder(FOREST) - 0.2).square().mean()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses == sorted(losses, reverse=True)
    assert len(set(losses)) == 10


# -- refusals ----------------------------------------------------------------------------------------------------------


def test_what_an_encoder_does_not_know_is_named_beside_what_it_knows() -> None:
    encoder = encoder_of(("lstm", {}))
    with pytest.raises(DataError, match="tree 0: unknown function 'sinus'; known: neg, not, pair, two, three, five"):
        encoder(Forest.from_trees([("sinus", "a")], encoder.vocab))
    with pytest.raises(DataError, match="tree 1: unknown leaf 'x'; known: a, b, c, d, and decimals"):
        encoder(Forest.from_trees(["a", ("neg", "x")], encoder.vocab))
    with pytest.raises(
        DataError, match=r"row 0: unknown leaf or function 'sinus'; known functions: neg, .* known leaves: a, b"
    ):
        encoder.plan(["sinus a"])


FEWER, MORE, ORDER = (
    Vocab(FIXED.functions, FIXED.arities, tuple(leaves), "=", numbers=True) for leaves in ("a", "abcdefgh", "badc")
)


@pytest.mark.parametrize(
    ("ask", "vocab"),
    [(ask, vocab) for ask in ("nodes", "forward", "trace") for vocab in (FEWER, ORDER, MORE)],
)
def test_a_forest_of_another_vocabulary_is_refused(ask: str, vocab: Vocab) -> None:
    encoder = encoder_of(("lstm", {}))
    for trees in ([("neg", vocab.leaves[-1])], [vocab.leaves[-1]]):
        with pytest.raises(ValueError, match=r"made with another vocabulary than the encoder's; make it with encoder\.vocab"):
            getattr(encoder, ask)(Forest.from_trees(trees, vocab))


def test_an_equal_vocabulary_is_as_good_as_the_same() -> None:
    encoder = encoder_of(("lstm", {}))
    again = Vocab.from_dict(FIXED.to_dict())
    assert torch.equal(encoder(FOREST), encoder(Forest.from_trees(FIXED_TREES, again)))


@pytest.mark.parametrize("ask", ["nodes", "forward", "trace"])
def test_inputs_of_a_wrong_shape_are_refused(ask: str) -> None:
    size = FOREST.size
    with_inputs = getattr(encoder_of(("lstm", {}), inputs=2), ask)
    for shape in ((size, 3), (size + 1, 2), (size,)):
        with pytest.raises(
            ValueError, match=rf"inputs of nodes: expected a tensor \({size}, 2\), as the encoder was made for, not \("
        ):
            with_inputs(FOREST, torch.zeros(shape, dtype=torch.float64))
    with pytest.raises(ValueError, match=r"expected a tensor \(.*, 2\), as the encoder was made for, not none"):
        with_inputs(FOREST)
    without = getattr(encoder_of(("lstm", {})), ask)
    with pytest.raises(ValueError, match=r"expected none, as the encoder was made for, not \("):
        without(FOREST, torch.zeros(size, 2, dtype=torch.float64))


# -- cells of one's own ------------------------------------------------------------------------------------------------


class Shared(Cell):
    """A map that all functions share follows the map of each."""

    def __init__(self, hidden: int) -> None:
        super().__init__(hidden, width=hidden)
        self.mix = nn.Parameter(torch.randn(hidden, hidden) / hidden)
        self.shift = nn.Parameter(torch.zeros(hidden))

    def step(self, z: Tensor, memory: Tensor, at: Any) -> tuple[Tensor, None, dict[str, Tensor]]:
        assert memory.shape == (len(z), memory.shape[1])  # it has none
        first = z.tanh()
        return at.drop(torch.tanh(first @ self.mix + self.shift)), None, {"first": first}


class Gated(Cell):
    """A memory that a forget gate lets through, and a further linear map of each function."""

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
    encoder = TreeEncoder(make(3), FIXED, inputs=2, unit=True).double()
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


# -- learning ----------------------------------------------------------------------------------------------------------


def value(tree: Any) -> int:
    """Of a tree of MAX, MIN and digits."""
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


# -- trace -------------------------------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("vocab", ["fixed", "variadic"])
@few
def test_a_trace_shows_what_step_computes(setting: Setting, vocab: str) -> None:
    forest = FOREST if vocab == "fixed" else Forest.from_trees(VARIADIC_TREES, VARIADIC)
    encoder = encoder_of(setting, forest.vocab, inputs=2, unit=True)
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


# -- what a user may get wrong -------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")  # torch.compile's own
def test_torch_compile_leaves_the_sweep_alone() -> None:
    for setting in (("smu", {}), ("rnn", {})):
        encoder = encoder_of(setting)
        compiled = torch.compile(encoder, backend="aot_eager")
        assert torch.equal(compiled(FOREST), encoder(FOREST))


def test_memory_is_free_after_the_way_back_and_a_second_way_back_is_the_same() -> None:
    encoder = encoder_of(("smu", {}))
    loss = encoder(FOREST).sum()
    node = loss.grad_fn
    while not hasattr(node, "forest_pass"):
        node = node.next_functions[0][0]
    loss.backward(retain_graph=True)
    first = [p.grad.clone() for p in encoder.parameters() if p.grad is not None]
    assert node.forest_pass is None
    encoder.zero_grad()
    loss.backward()
    assert all(
        torch.equal(a, b) for a, b in zip(first, [p.grad for p in encoder.parameters() if p.grad is not None], strict=True)
    )


class _Wrong(Cell):
    """A cell whose step returns something of another shape."""

    def __init__(self, what: str) -> None:
        super().__init__(3, width=3, memory=(3,))
        self.what = what

    def step(self, z: torch.Tensor, memory: torch.Tensor, at: Any) -> Any:
        del memory, at
        results = {"state": (z[:, :1], z, {}), "memory": (z, z[:, :1], {}), "nothing": (z, None, {}), "gate": (z, z, {"h": z})}
        return results[self.what]


@pytest.mark.parametrize(
    ("what", "message"),
    [("state", "the states are"), ("memory", "the memories are"), ("nothing", "the memories are None"), ("gate", "called h")],
)
def test_results_of_a_step_must_have_the_shapes_that_were_promised(what: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeEncoder(_Wrong(what), FIXED)(Forest.from_trees([("neg", "a")], FIXED))


def test_an_encoder_says_what_it_takes() -> None:
    encoder = encoder_of(("lstm", {}))
    with pytest.raises(TypeError, match="takes a Forest, not list"):
        encoder([("neg", "a")])
    with pytest.raises(TypeError, match="a cell and a vocabulary"):
        TreeEncoder(FIXED, TreeLSTM(3))
    with pytest.raises(ValueError, match="inputs is the size"):
        TreeEncoder(TreeLSTM(3), FIXED, inputs=-1)


def test_inputs_of_another_dtype_are_converted_on_both_ways() -> None:
    forest = Forest.from_trees([("two", "a", ("neg", "b"))], FIXED, share=False)
    x = torch.randn(forest.size, 2, dtype=torch.float32)
    for by_hand in (True, False):
        encoder = TreeEncoder(TreeLSTM(3), FIXED, inputs=2, by_hand=by_hand).double()
        torch.testing.assert_close(encoder.nodes(forest, x), encoder.nodes(forest, x.double()))


def test_actions_that_underflow_are_no_nan() -> None:
    for by_hand in (True, False):
        encoder = TreeEncoder(TreeSMU(2), FIXED, by_hand=by_hand).float()
        with torch.no_grad():
            encoder.wiring.gates["1"].bias.fill_(-200)
        assert encoder(Forest.from_trees([("neg", ("neg", "a"))], FIXED)).isfinite().all()


def test_a_forest_and_a_cell_say_what_they_are() -> None:
    assert repr(Forest.from_trees([("neg", "a")], FIXED)) == "Forest(1 trees, 2 nodes, 1 of them leaves)"
    assert "hidden=3" in repr(TreeLSTM(3))
    assert Forest.from_trees([("neg", "a")], FIXED).labels == ["a", "neg"]
