"""The stack-augmented Tree-RNN gives values that were worked out by hand."""

from __future__ import annotations

from math import e

import pytest
import torch

from golden_cells import FF, LN3, F, golden, roots, stacks
from samples import How, each_implementation
from treesmu.models import StackTreeRNN


@each_implementation
def test_stack_tree_rnn_worked_by_hand(how: How) -> None:
    # n = 1, p = 2, k = 1. Of f: z = ln 3 / 2, forget gate 1/2. A h = 0, so push = no-op = pop = 1/3; D h = 0, so u = 1/2.
    #   f(x):    C = [0, 0],      h = tanh(ln 3 / 2 + P·0) = 1/2,              S = [1/3·1/2, 0] = [1/6, 0]
    #   f(f(x)): C = [1/12, 0],   h = tanh(ln 3 / 2 + 6·1/12) = (3e - 1)/(3e + 1),   S = [1/6 + 1/3·1/12 + 0, 1/3·1/12]
    encoder = golden(StackTreeRNN(1, stack=2), [LN3 / 2, 0.0], [0.0] * 3, how)
    with torch.no_grad():
        encoder.wiring.linear("P").weight[0] = 6.0
    assert roots(encoder, F, FF) == pytest.approx([1 / 2, (3 * e - 1) / (3 * e + 1)])
    assert stacks(encoder, F, FF) == [pytest.approx([1 / 6, 0]), pytest.approx([7 / 36, 1 / 36])]


@each_implementation
def test_the_actions_and_the_pushed_value_depend_on_the_state(how: How) -> None:
    # h = 1/2. A h = (ln 3, 0, 0), so push = 3/5, no-op = pop = 1/5; D h = ln 3, so u = 3/4: S = [9/20, 0].
    encoder = golden(StackTreeRNN(1, stack=2), [LN3 / 2, 0.0], [0.0] * 3, how)
    with torch.no_grad():
        encoder.wiring.linear("A").weight[0, 0] = torch.tensor([2 * LN3, 0.0, 0.0])
        encoder.wiring.linear("D").weight[0] = 2 * LN3
    assert stacks(encoder, F) == [pytest.approx([9 / 20, 0])]
