"""What the actions of a stack and of a queue do, and which settings are refused."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from nested import chain
from samples import EXACT, FIXED, FIXED_TREES, Setting, encoder_of, few
from treesmu.data import Forest, Vocab
from treesmu.models import StackTreeRNN, TreeEncoder, TreeLSTM, TreeRNN, TreeSMU
from treesmu.models.cells.queue import Queue


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
        (lambda: TreeSMU(3, order="heap"), "order must be stack or queue, not 'heap'"),  # type: ignore[arg-type]
        (lambda: TreeSMU(3, stack=2, top=3), "top must be from 1 to the stack's size 2, not 3"),
        (lambda: TreeSMU(3, stack=2, top=0), "top must be a whole number of at least 1, not 0"),
        (lambda: StackTreeRNN(3, stack=1, top=2), "top must be from 1 to the stack's size 1, not 2"),
        (lambda: TreeSMU(3, normalise="max"), "normalise must be sum or softmax, not 'max'"),  # type: ignore[arg-type]
        (lambda: TreeRNN(3, layers=3), "layers must be 1 or 2, not 3"),
        (lambda: TreeRNN(3, activation="relu"), "activation must be sigmoid or tanh, not 'relu'"),  # type: ignore[arg-type]
        (lambda: TreeLSTM(0), "hidden must be a whole number of at least 1, not 0"),
        (lambda: TreeLSTM(3, dropout=1.0), "dropout must be at least 0 and below 1, not 1.0"),
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
