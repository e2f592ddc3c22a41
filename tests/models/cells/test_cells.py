"""Every cell computes what its formulas say: values and gradients, batched or one node at a time, by hand or by autograd."""

from __future__ import annotations

import copy
from math import log
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from nested import Tree, chain, trees_with, variadic_trees
from reference import Reference
from samples import (
    FEW,
    FIXED,
    FIXED_TREES,
    FUNCTIONS,
    SAMPLES,
    SETTINGS,
    VARIADIC,
    VARIADIC_TREES,
    Setting,
    encoder_of,
    gradients,
    name_of,
)
from treesmu.data import Forest, Vocab
from treesmu.models import StackTreeRNN, TreeEncoder, TreeLSTM, TreeRNN, TreeSMU
from treesmu.models.cells.queue import Queue

EXACT = {"rtol": 1e-12, "atol": 1e-12}
few = pytest.mark.parametrize("setting", FEW, ids=name_of)
by_hand_or_not = pytest.mark.parametrize("by_hand", [True, False], ids=["by hand", "plain"])


# -- the recursive reference -------------------------------------------------------------------------------------------


def check_against_reference(encoder: TreeEncoder, trees: list[Tree]) -> None:
    """Values and all gradients, shared or not, by hand or not, of a random function of the states of all places."""
    shared = torch.from_numpy(Forest.from_trees(trees, encoder.vocab).preorder())
    inputs = None  # of every place; identical sub-trees have the same, so that they may be one node
    if encoder.inputs:
        inputs = torch.randn(int(shared.max()) + 1, encoder.inputs, dtype=torch.float64)[shared].requires_grad_()
    wanted = Reference(encoder).states(trees, inputs)
    weight = torch.randn_like(wanted)
    wanted_gradients = gradients(wanted, weight, encoder, inputs)
    for share in (True, False):
        forest = Forest.from_trees(trees, encoder.vocab, share)
        places = torch.from_numpy(forest.preorder())
        own = None
        if inputs is not None:  # of every node
            own = torch.empty(forest.size, encoder.inputs, dtype=torch.float64)
            own[places] = inputs.detach()
            own.requires_grad_()
        for encoder.by_hand in (True, False):
            states = encoder.nodes(forest, own)
            torch.testing.assert_close(states[places], wanted, **EXACT)
            found = gradients(states[places], weight, encoder, own)
            for (name, _), ours, reference in zip(encoder.named_parameters(), found, wanted_gradients, strict=False):
                torch.testing.assert_close(ours, reference, **EXACT, msg=lambda text, name=name: f"gradient of {name}: {text}")
            if own is not None:
                of_nodes = torch.zeros_like(own).index_add_(0, places, wanted_gradients[-1])
                torch.testing.assert_close(found[-1], of_nodes, **EXACT)


@pytest.mark.parametrize("setting", SETTINGS, ids=name_of)
def test_every_setting_equals_the_recursive_reference(setting: Setting) -> None:
    check_against_reference(encoder_of(setting, FIXED), FIXED_TREES)
    check_against_reference(encoder_of(setting, VARIADIC, inputs=2, unit=True), VARIADIC_TREES)


@pytest.mark.parametrize(("inputs", "unit"), [(0, True), (2, False), (2, True)])
@few
def test_node_inputs_and_unit_length_equal_the_recursive_reference(setting: Setting, inputs: int, unit: bool) -> None:
    check_against_reference(encoder_of(setting, FIXED, inputs=inputs, unit=unit), FIXED_TREES)


@few
def test_variadic_functions_equal_the_recursive_reference(setting: Setting) -> None:
    check_against_reference(encoder_of(setting, VARIADIC), VARIADIC_TREES)


leaves = st.sampled_from([("a",), ("b",), ("0.5",)])
corpora = st.one_of(
    st.tuples(st.just(FIXED), st.lists(trees_with(FUNCTIONS, leaves, 12), min_size=1, max_size=4)),
    st.tuples(st.just(VARIADIC), st.lists(variadic_trees("MAX MIN", leaves, 5, 12), min_size=1, max_size=4)),
)


@settings(deadline=None, max_examples=25)
@given(corpora, st.sampled_from(SETTINGS), st.booleans(), st.sampled_from([0, 2]))
def test_any_trees_equal_the_recursive_reference(
    corpus: tuple[Vocab, list[Tree]], setting: Setting, unit: bool, inputs: int
) -> None:
    torch.manual_seed(1)  # for each example
    vocab, trees = corpus
    check_against_reference(encoder_of(setting, vocab, hidden=2, inputs=inputs, unit=unit), trees)


@few
def test_states_of_unit_length_have_length_1_everywhere(setting: Setting) -> None:
    states = encoder_of(setting, unit=True).nodes(Forest.from_trees(FIXED_TREES, FIXED))
    torch.testing.assert_close(states.norm(dim=1), torch.ones(len(states), dtype=torch.float64), **EXACT)


def test_a_state_of_zeros_cannot_be_scaled_and_stays() -> None:
    encoder = encoder_of(("rnn", {"layers": 1, "activation": "tanh"}), unit=True)
    for parameter in encoder.wiring.parameters():
        nn.init.zeros_(parameter)
    forest = Forest.from_trees([("neg", ("neg", "a"))], FIXED)
    for encoder.by_hand in (True, False):
        states = encoder.nodes(forest)
        assert not states[1:].any()
        assert all(g.isfinite().all() for g in gradients(states, torch.ones_like(states), encoder))


# -- finite differences ------------------------------------------------------------------------------------------------

SMALL = Vocab(("f", "g"), (1, 2), ("a",), numbers=True)
SMALL_VARIADIC = Vocab(("f", "g"), (1, 2), ("a",), numbers=True, variadic=True)
SMALL_TREES = [("g", ("f", ("g", "a", "0.5")), ("f", "a"))]


class AllNodes(nn.Module):
    """The states of all nodes as a function of every parameter and the inputs."""

    def __init__(self, encoder: TreeEncoder, forest: Forest) -> None:
        super().__init__()
        self.encoder, self.forest = encoder, forest
        self.names, self.values = zip(*self.named_parameters(), strict=True)

    def forward(self, inputs: Tensor | None) -> Tensor:
        return self.encoder.nodes(self.forest, inputs)

    def of(self, inputs: Tensor | None, *values: Tensor) -> Tensor:
        return torch.func.functional_call(self, dict(zip(self.names, values, strict=True)), (inputs,))


@pytest.mark.parametrize(("inputs", "unit"), [(0, False), (1, True)], ids=["", "inputs and unit length"])
@by_hand_or_not
@few
def test_gradients_are_those_of_finite_differences(setting: Setting, by_hand: bool, inputs: int, unit: bool) -> None:
    vocab = SMALL_VARIADIC if unit else SMALL
    forest = Forest.from_trees([*SMALL_TREES, ("g", "a")] if vocab.variadic else SMALL_TREES, vocab)
    run = AllNodes(encoder_of(setting, vocab, hidden=2, inputs=inputs, unit=unit, by_hand=by_hand), forest)
    x = torch.randn(forest.size, inputs, dtype=torch.float64, requires_grad=True) if inputs else None
    # One by one where they are written by hand; else, and with inputs and unit length, in a random direction, which is faster.
    assert torch.autograd.gradcheck(run.of, (x, *run.values), fast_mode=unit or not by_hand)


# -- worked by hand ----------------------------------------------------------------------------------------------------

GOLDEN = Vocab(("f", "g"), (1, 2), ("x",))
LN3 = log(3)  # s(ln 3) = 3/4, s(0) = 1/2, s(-ln 3) = 1/4, tanh(ln 3 / 2) = 1/2


def golden(cell: Any, unary: list[float], binary: list[float], by_hand: bool) -> TreeEncoder:
    """Pre-activations are constants, but u of the binary function is tanh(2 h_l - h_r). The leaf's state is 1/4."""
    encoder = TreeEncoder(cell, GOLDEN, by_hand=by_hand).double()
    for parameter in encoder.parameters():
        nn.init.zeros_(parameter)
    with torch.no_grad():
        encoder.leaves.embedding.weight.fill_(0.25)
        encoder.wiring.gates["1"].bias[0] = torch.tensor(unary, dtype=torch.float64)
        encoder.wiring.gates["2"].bias[0] = torch.tensor(binary, dtype=torch.float64)
        encoder.wiring.gates["2"].weight[0, :, 0] = torch.tensor([2.0, -1.0])
    return encoder


def roots(encoder: TreeEncoder, *trees: Any) -> list[float]:
    return encoder(Forest.from_trees(trees, GOLDEN))[:, 0].tolist()


def stacks(encoder: TreeEncoder, *trees: Any) -> list[list[float]]:
    forest = Forest.from_trees(trees, GOLDEN)
    return encoder.trace(forest)["memory"][forest.roots[:, 0], :, 0].tolist()


F, FF, FFF = ("f", "x"), ("f", ("f", "x")), ("f", ("f", ("f", "x")))
G = ("g", FF, F)


@by_hand_or_not
def test_tree_smu_worked_by_hand(by_hand: bool) -> None:
    # n = 1, p = 2. Of f: u = 1/2, o = 3/4, forget gate 1/2; s of push, no-op, pop: 3/4, 1/2, 1/4, and their sum is 3/2, so
    # push = 1/2, no-op = 1/3, pop = 1/6.
    #   f(x):    C = [0, 0],         S = [1/2·1/2, 0] = [1/4, 0],                                       h = 3/4 tanh(1/4)
    #   f(f(x)): C = [1/8, 0],       S = [1/4 + 1/6·0 + 1/3·1/8, 1/2·1/8 + 1/3·0] = [7/24, 1/16],       h = 3/4 tanh(7/24)
    #   f³(x):   C = [7/48, 1/32],   S = [1/4 + 1/6·1/32 + 1/3·7/48, 1/2·7/48 + 1/3·1/32] = [175/576, 1/12]
    # Of g: o = 1/2, push = no-op = pop = 1/3, forget gates 1/2 and 1/4, u = tanh(2 h_l - h_r).
    #   g(f(f(x)), f(x)): u = tanh(2·0.2127511 - 0.1836890) = 0.2372076
    #     C = [1/2·7/24 + 1/4·1/4, 1/2·1/16 + 1/4·0] = [5/24, 1/32]
    #     S = [(0.2372076 + 1/32 + 5/24)/3, (5/24 + 0 + 1/32)/3] = [0.1589303, 23/288],    h = 1/2 tanh(0.1589303) = 0.0788028
    unary, binary = [LN3 / 2, LN3, LN3, 0.0, -LN3, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -LN3]
    encoder = golden(TreeSMU(1, stack=2), unary, binary, by_hand)
    wanted = [0.183688996802782, 0.212751067633097, 0.221103019147255, 0.0788027813703296]
    assert roots(encoder, F, FF, FFF, G) == pytest.approx(wanted, rel=1e-13)
    found = stacks(encoder, F, FF, FFF, G)
    assert found[:3] == [pytest.approx(s) for s in ([1 / 4, 0], [7 / 24, 1 / 16], [175 / 576, 1 / 12])]
    assert found[3] == pytest.approx([0.158930311679701, 23 / 288])


@by_hand_or_not
def test_tree_smu_with_top_2_worked_by_hand(by_hand: bool) -> None:
    # As before, and g_0 = 3/4, g_1 = 1/4: h of f(f(x)) is 3/4 tanh(3/4·7/24 + 1/4·1/16) = 3/4 tanh(15/64).
    unary, binary = [LN3 / 2, LN3, LN3, 0.0, -LN3, LN3, -LN3, 0.0], [0.0] * 9
    assert roots(golden(TreeSMU(1, stack=2, top=2), unary, binary, by_hand), FF) == [pytest.approx(0.1726317832741, rel=1e-12)]


@by_hand_or_not
def test_tree_smu_with_softmax_worked_by_hand(by_hand: bool) -> None:
    # push, no-op, pop = exp(3/4), exp(1/2), exp(1/4) over their sum 5.0497469: 0.4192290, 0.3264958, 0.2542752.
    #   f(x):    S = [0.4192290·1/2, 0],          h = 3/4 tanh(0.2096145) = 0.1549481
    #   f(f(x)): C = [0.1048072, 0]
    #            S = [0.2096145 + 0.3264958·0.1048072, 0.4192290·0.1048072] = [0.2438336, 0.0439382],   h = 0.1793351
    encoder = golden(TreeSMU(1, stack=2, normalise="softmax"), [LN3 / 2, LN3, LN3, 0.0, -LN3, 0.0], [0.0] * 7, by_hand=by_hand)
    assert roots(encoder, F, FF) == pytest.approx([0.154948095064864, 0.179335097561480], rel=1e-13)
    assert stacks(encoder, FF)[0] == pytest.approx([0.243833602541673, 0.0439382284669416], rel=1e-13)


@by_hand_or_not
def test_tree_lstm_worked_by_hand(by_hand: bool) -> None:
    # n = 1. Of f: u = 1/2, i = 3/4, o = 3/4, forget gate 1/2.
    #   f(x):    c = 3/4·1/2 = 3/8,               h = 3/4 tanh(3/8) = 0.2687680
    #   f(f(x)): c = 3/8 + 1/2·3/8 = 9/16,        h = 3/4 tanh(9/16) = 0.3823725
    # Of g: i = o = 1/2, forget gates 1/2 and 1/4, u = tanh(2 h_l - h_r).
    #   g(f(f(x)), f(x)): u = tanh(2·0.3823725 - 0.2687680) = 0.4589473
    #                     c = 1/2·0.4589473 + 1/2·9/16 + 1/4·3/8 = 0.6044737,    h = 1/2 tanh(0.6044737) = 0.2701126
    encoder = golden(TreeLSTM(1), [LN3 / 2, LN3, LN3, 0.0], [0.0, 0.0, 0.0, 0.0, -LN3], by_hand)
    assert roots(encoder, F, FF, G) == pytest.approx([0.268768048763089, 0.382372480301442, 0.270112638694307], rel=1e-13)


# -- the stack's actions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("no_op", [True, False])
@pytest.mark.parametrize("kind", ["sum", "softmax", "stack-rnn"])
def test_actions_sum_to_1(kind: str, no_op: bool) -> None:
    cell = StackTreeRNN(3, 4, no_op=no_op) if kind == "stack-rnn" else TreeSMU(3, 4, no_op=no_op, normalise=kind)
    trace = TreeEncoder(cell, FIXED).double().trace(forest := Forest.from_trees(FIXED_TREES, FIXED))
    inner = slice(len(forest.leaf), None)
    assert ("no_op" in trace) == no_op
    total = sum(trace[name][inner] for name in ("push", "no_op", "pop") if name in trace)
    torch.testing.assert_close(total, torch.ones_like(total), **EXACT)


def test_softmax_of_squashed_gates_keeps_each_of_three_between_0_155_and_0_577() -> None:
    encoder = encoder_of(("smu", {"normalise": "softmax"}), hidden=8)
    with torch.no_grad():
        for parameter in encoder.wiring.parameters():
            parameter.mul_(50)
    trace = encoder.trace(Forest.from_trees(FIXED_TREES, FIXED))
    gates = torch.stack([trace[name] for name in ("push", "no_op", "pop")]).nan_to_num(1 / 3)  # NaN at leaves
    assert 0.155 < gates.min() < 0.16
    assert 0.57 < gates.max() < 0.577


def test_with_push_alone_a_stack_holds_the_last_values() -> None:
    # push = 1, no-op = pop = 0, forget gate 1: after f(f(f(x))) the rows are u of the last three nodes, the last one on top.
    encoder = TreeEncoder(TreeSMU(2, stack=3), Vocab(("f",), (1,), ("x",))).double()
    with torch.no_grad():
        encoder.wiring.gates["1"].bias[0, 4:6] = 60.0
        encoder.wiring.gates["1"].bias[0, 6:10] = -60.0
        encoder.wiring.gates["1"].bias[0, 10:] = 60.0
    trace = encoder.trace(Forest.from_trees([chain("f", 5, ("x",))], encoder.vocab))
    torch.testing.assert_close(trace["memory"][-1], trace["u"][-3:].flip(0), **EXACT)


def test_with_push_alone_a_queue_holds_the_first_values_and_the_leaves_side_stays_on_top() -> None:
    # The same with a queue: the rows are u of the first three nodes, the oldest on top; what comes later is lost.
    encoder = TreeEncoder(TreeSMU(2, stack=3, order="queue"), Vocab(("f",), (1,), ("x",))).double()
    with torch.no_grad():
        encoder.wiring.gates["1"].bias[0, 4:6] = 60.0
        encoder.wiring.gates["1"].bias[0, 6:10] = -60.0
        encoder.wiring.gates["1"].bias[0, 10:] = 60.0
    trace = encoder.trace(Forest.from_trees([chain("f", 5, ("x",))], encoder.vocab))
    torch.testing.assert_close(trace["memory"][-1, :3], trace["u"][1:4], **EXACT)
    torch.testing.assert_close(trace["memory"][-1, 3:], torch.ones(3, 2).double(), **EXACT)


def test_a_queue_gives_back_what_came_first() -> None:
    """Push 5, push 7, pop, push 9: 7 is on top and 9 behind it. Pop twice: nothing is left."""
    queue = Queue(3, ("push", "pop"))
    push, pop = (torch.tensor(a, dtype=torch.double).view(1, 2, 1) for a in ([1, 0], [0, 1]))
    memory = torch.zeros(1, 6, 1).double()
    seen = []
    for value, action in ((5, push), (7, push), (0, pop), (9, push), (0, pop), (0, pop)):
        memory = queue.moved(memory, torch.full((1, 1), float(value)).double(), action)
        seen.append(memory.flatten().tolist())
    assert seen == [
        [5, 0, 0, 1, 0, 0],
        [5, 7, 0, 1, 1, 0],
        [7, 0, 0, 1, 0, 0],
        [7, 9, 0, 1, 1, 0],
        [9, 0, 0, 1, 0, 0],
        [0, 0, 0, 0, 0, 0],
    ]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TreeSMU(3, order="heap"), "order is stack or queue, not 'heap'"),  # type: ignore[arg-type]
        (lambda: TreeSMU(3, stack=2, top=3), "top is from 1 to the stack's size 2, not 3"),
        (lambda: TreeSMU(3, stack=2, top=0), "top is a whole number, at least 1, not 0"),
        (lambda: StackTreeRNN(3, stack=1, top=2), "top is from 1 to the stack's size 1, not 2"),
        (lambda: TreeSMU(3, normalise="max"), "normalise is sum or softmax, not 'max'"),  # type: ignore[arg-type]
        (lambda: TreeRNN(3, layers=3), "layers is 1 or 2, not 3"),
        (lambda: TreeRNN(3, activation="relu"), "activation is sigmoid or tanh, not 'relu'"),  # type: ignore[arg-type]
        (lambda: TreeLSTM(0), "hidden is a whole number, at least 1, not 0"),
        (lambda: TreeLSTM(3, dropout=1.0), "dropout is a rate from 0 to below 1, not 1.0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@few
def test_a_cell_can_be_made_again_from_its_settings(setting: Setting) -> None:
    cell = encoder_of(setting, dropout=0.25).cell
    again = type(cell)(**cell.settings())
    assert again.settings() == cell.settings()
    assert cell.settings() == {**cell.settings(), **setting[1], "hidden": 3, "dropout": 0.25}


# -- dropout -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vocab", SAMPLES)
@few
def test_dropout_by_hand_and_by_autograd_are_the_same(setting: Setting, vocab: str) -> None:
    known, trees = SAMPLES[vocab]
    encoder = encoder_of(setting, known, dropout=0.4, inputs=2, unit=True)
    for share in (True, False):
        forest = Forest.from_trees(trees, known, share)
        inputs = torch.randn(forest.size, 2, dtype=torch.float64, requires_grad=True)
        weight = torch.randn(forest.size, 3, dtype=torch.float64)
        both = []
        for encoder.by_hand in (True, False):
            torch.manual_seed(7)
            states = encoder.nodes(forest, inputs)
            both.append([states, *gradients(states, weight, encoder, inputs)])
        torch.testing.assert_close(*both, **EXACT)


@few
def test_nothing_is_dropped_outside_of_training(setting: Setting) -> None:
    encoder = encoder_of(setting, dropout=0.4)
    without = encoder_of(setting)
    without.load_state_dict(encoder.state_dict())
    forest = Forest.from_trees(FIXED_TREES, FIXED)
    for encoder.by_hand in (True, False):
        encoder.train()
        assert not torch.equal(encoder(forest), encoder(forest))  # every time other values are dropped
        assert torch.equal(encoder.eval()(forest), without(forest)) or not encoder.by_hand
        torch.testing.assert_close(encoder(forest), without(forest), **EXACT)


@by_hand_or_not
@few
def test_identical_sub_trees_drop_the_same_when_they_are_one_node(setting: Setting, by_hand: bool) -> None:
    encoder = encoder_of(setting, dropout=0.4, hidden=20, by_hand=by_hand)
    twice = [("two", ("neg", "a"), "b")] * 2
    left, right = encoder(Forest.from_trees(twice, FIXED))
    assert torch.equal(left, right)
    left, right = encoder(Forest.from_trees(twice, FIXED, share=False))
    assert not torch.equal(left, right)


RATE = 0.3
DROPPED = {  # what is dropped, as a ratio of what a trace shows of nodes above leaves
    "smu": lambda t: t["memory"][:, 0] / (t["push"] * t["u"]),
    "lstm": lambda t: t["memory"] / (t["i"] * t["u"]),
    "stack-rnn": lambda t: t["memory"][:, 0] / (t["push"] * t["u"]),
}


@pytest.mark.parametrize("kind", DROPPED)
def test_what_is_pushed_is_dropped_or_scaled_and_its_mean_is_kept(kind: str) -> None:
    encoder = encoder_of((kind, {}), dropout=RATE, hidden=4)
    forest = Forest.from_trees([("two", "a", "b")] * 3000, FIXED, share=False)
    trace = {name: rows[len(forest.leaf) :] for name, rows in encoder.trace(forest).items()}
    kept = DROPPED[kind](trace)
    wanted = torch.tensor([0.0, 1 / (1 - RATE)], dtype=torch.float64)
    assert torch.isclose(kept.unsqueeze(-1), wanted, rtol=1e-12).any(-1).all()
    assert kept.mean().item() == pytest.approx(1, abs=0.03)
    gates = encoder.eval().trace(forest)
    for name in {"u", "o", "i", "f", "push", "pop", "no_op"} & set(trace):  # nothing else is dropped
        torch.testing.assert_close(trace[name][:, :2] if name == "f" else trace[name], gates[name][len(forest.leaf) :])


@pytest.mark.parametrize("layers", [1, 2])
def test_every_layer_of_a_tree_rnn_is_dropped_and_its_mean_is_kept(layers: int) -> None:
    encoder = encoder_of(("rnn", {"layers": layers}), dropout=RATE, hidden=4)
    forest = Forest.from_trees([("two", "a", "b")] * 3000, FIXED, share=False)
    first = (lambda: encoder(forest)) if layers == 1 else (lambda: encoder.trace(forest)["first"][len(forest.leaf) :])
    dropped = first()
    plain = (encoder.eval(), first())[1]
    ratio = dropped / plain
    assert torch.isclose(ratio.unsqueeze(-1), torch.tensor([0.0, 1 / (1 - RATE)]).double(), rtol=1e-6).any(-1).all()
    assert ratio.mean().item() == pytest.approx(1, abs=0.03)
    if layers == 2:
        assert (encoder.train()(forest) == 0).double().mean().item() == pytest.approx(RATE, abs=0.03)


# -- precision ---------------------------------------------------------------------------------------------------------


@by_hand_or_not
@few
def test_float32_is_near_float64(setting: Setting, by_hand: bool) -> None:
    double = encoder_of(setting, hidden=8, unit=True, by_hand=by_hand)
    single = copy.deepcopy(double).float()
    forest = Forest.from_trees(FIXED_TREES, FIXED)
    found, wanted = single.nodes(forest), double.nodes(forest)
    assert found.dtype == torch.float32
    torch.testing.assert_close(found.double(), wanted, rtol=1e-5, atol=1e-6)
    weight = torch.randn_like(wanted)
    for ours, exact in zip(gradients(found, weight.float(), single), gradients(wanted, weight, double), strict=True):
        torch.testing.assert_close(ours.double(), exact, rtol=1e-4, atol=1e-5)
