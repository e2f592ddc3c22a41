"""The actions on a memory are shares that sum to 1."""

from __future__ import annotations

import pytest
import torch

from samples import EXACT, FIXED, FIXED_TREES
from treesmu.data import Forest
from treesmu.models import StackTreeRNN, TreeEncoder, TreeSMU


@pytest.mark.parametrize("no_op", [True, False])
@pytest.mark.parametrize("kind", ["sum", "softmax", "stack-rnn"])
def test_actions_sum_to_1(kind: str, no_op: bool) -> None:
    cell = StackTreeRNN(3, 4, no_op=no_op) if kind == "stack-rnn" else TreeSMU(3, 4, no_op=no_op, normalise=kind)
    trace = TreeEncoder(cell, FIXED).double().trace(forest := Forest.from_trees(FIXED_TREES, FIXED))
    inner = slice(len(forest.leaf), None)
    assert ("no_op" in trace) == no_op
    total = sum(trace[name][inner] for name in ("push", "no_op", "pop") if name in trace)
    torch.testing.assert_close(total, torch.ones_like(total), **EXACT)
