"""What the actions of a queue do."""

from __future__ import annotations

import torch

from nested import chain
from samples import EXACT
from treesmu.data import Forest, Vocab
from treesmu.models import TreeEncoder, TreeSMU
from treesmu.models.cells.queue import Queue


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
