"""What the actions of a stack do."""

from __future__ import annotations

import torch

from nested import chain
from samples import EXACT
from treesmu.data import Forest, Vocab
from treesmu.models import TreeEncoder, TreeSMU
from treesmu.models.cells.stack import Stack

PUSH, NO_OP, POP = (torch.eye(3, dtype=torch.double)[k].view(1, 3, 1) for k in range(3))


def test_a_stack_gives_back_what_came_last() -> None:
    """Push 5, push 7, pop, push 9, do nothing, pop twice: 9 lies on 5. What is pushed out of a full stack is lost."""
    stack = Stack(2, ("push", "no_op", "pop"))
    memory, seen = torch.zeros(1, 2, 1).double(), []
    for value, action in ((5, PUSH), (7, PUSH), (0, POP), (9, PUSH), (1, NO_OP), (3, PUSH), (0, POP), (0, POP)):
        memory = stack.moved(memory, torch.full((1, 1), float(value)).double(), action)
        seen.append(memory.flatten().tolist())
    assert seen == [[5, 0], [7, 5], [5, 0], [9, 5], [9, 5], [3, 9], [9, 0], [0, 0]]


def test_actions_are_a_matter_of_degree() -> None:
    # Half push, a quarter no-op, a quarter pop of [4, 2, 1] with u = 8: [8/2 + 4/4 + 2/4, 4/2 + 2/4 + 1/4, 2/2 + 1/4]
    actions = torch.tensor([0.5, 0.25, 0.25]).double().view(1, 3, 1)
    memory = torch.tensor([4.0, 2.0, 1.0]).double().view(1, 3, 1)
    found = Stack(3, ("push", "no_op", "pop")).moved(memory, torch.full((1, 1), 8.0).double(), actions)
    assert found.flatten().tolist() == [5.5, 2.75, 1.25]


def test_with_push_alone_a_stack_holds_the_last_values() -> None:
    # push = 1, no-op = pop = 0, forget gate 1: after f(f(f(x))) the rows are u of the last three nodes, the last one on top.
    encoder = TreeEncoder(TreeSMU(2, stack=3), Vocab(("f",), (1,), ("x",))).double()
    with torch.no_grad():
        encoder.wiring.gates["1"].bias[0, 4:6] = 60.0
        encoder.wiring.gates["1"].bias[0, 6:10] = -60.0
        encoder.wiring.gates["1"].bias[0, 10:] = 60.0
    trace = encoder.trace(Forest.from_trees([chain("f", 5, ("x",))], encoder.vocab))
    torch.testing.assert_close(trace["memory"][-1], trace["u"][-3:].flip(0), **EXACT)
