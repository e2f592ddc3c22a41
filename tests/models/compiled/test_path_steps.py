"""A compiled step on the path of a blank gives what the forest of each filled equation gives."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from samples import EXACT, FIXED, Setting, compiles, encoder_of, few
from treesmu.data import Forest
from treesmu.models.compiled.path_steps import PathSteps
from treesmu.models.normalise import Norm

pytestmark = compiles


@pytest.mark.parametrize("norm", ["none", "unit", "layer"])
@few
def test_nodes_that_differ_in_one_child_are_those_of_a_forest(setting: Setting, norm: Norm) -> None:
    """The second child of three(..., ..., ...) varies, and then that of its parent, two levels one after the other."""
    encoder = encoder_of(setting, norm=norm)
    varying = [("neg", "a"), ("pair", "a", "b"), ("not", ("neg", "b")), ("a",)]
    lower = [("three", ("neg", "c"), tree, ("b",)) for tree in varying]
    upper = [("three", tree, ("pair", "c", "d"), ("not", "a")) for tree in lower]
    forest = Forest.from_trees(
        [*varying, *lower, *upper, ("neg", "c"), ("b",), ("pair", "c", "d"), ("not", "a")], FIXED, share=False
    )
    states, memories = encoder.states_and_memories(forest)
    roots = forest.roots[:, 0]
    nodes = [roots[0:4], roots[4:8], roots[8:12]]
    one = dict(zip(["neg c", "b", "pair c d", "not a"], roots[12:], strict=True))
    steps = PathSteps(encoder.cell, encoder.wiring, norm, len(varying), encoder.leaves.embedding.weight)
    function, memory = FIXED.functions.index("three"), None if memories is None else memories[nodes[0]]
    for level, others, place in ((1, ("neg c", "b"), 1), (2, ("pair c d", "not a"), 0)):
        below = [np.full(4, one[name]) for name in others]
        below.insert(place, nodes[level - 1])
        z = encoder.wiring(states[np.stack(below, 1)], None, [(function, 4)]).detach()
        if memories is None:
            given = [states.new_zeros(4, 0)] * 3
        else:
            given = [memories[rows[:1]] for rows in below]
            given[place] = memory
        h, memory = steps.step(function, z, place, given)
        torch.testing.assert_close(h, states[nodes[level]], **EXACT)
        if memories is not None:
            torch.testing.assert_close(memory, memories[nodes[level]], **EXACT)
