"""Every implementation of a pass gives the same states, memories and gradients through the same interface."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from samples import EXACT, FEW, FIXED, FOREST, Setting, compiles, encoder_of, name_of
from treesmu.models import TreeEncoder, TreeLSTM
from treesmu.models.forest.by_hand import HandWrittenPass
from treesmu.models.forest.implementation import Implementation, pass_class
from treesmu.models.forest.layout import Layout
from treesmu.models.forest.passes import ForestPass, Gradients
from treesmu.models.normalise import Norm


def run(encoder: TreeEncoder, kind: type[ForestPass], inputs: Tensor, norm: Norm) -> tuple[ForestPass, Gradients]:
    """Take a forest up and down again, with dropout."""
    torch.manual_seed(1)
    layout = Layout(FOREST, torch.device("cpu"))
    leaf_states = encoder.leaves(FOREST).detach().requires_grad_()
    rows = inputs[layout.leaves :].detach().requires_grad_()
    mask = torch.rand(layout.inner, encoder.cell.dropped, encoder.cell.hidden).double()
    forest_pass = kind(encoder.cell, encoder.wiring, layout, leaf_states, rows, mask, norm)
    states = forest_pass.up()
    return forest_pass, forest_pass.down(torch.randn_like(states))


@compiles
@pytest.mark.parametrize("norm", ["none", "unit", "layer"])
@pytest.mark.parametrize("setting", FEW, ids=name_of)
def test_all_passes_agree_in_states_memories_and_gradients(setting: Setting, norm: Norm) -> None:
    torch.manual_seed(0)
    encoder = encoder_of(setting, inputs=2)
    inputs = torch.randn(FOREST.size, 2).double()
    found = {kind: run(encoder, pass_class(kind), inputs, norm) for kind in Implementation}
    expected, expected_gradients = found.pop(Implementation.AUTOGRAD)
    for forest_pass, gradients in found.values():
        torch.testing.assert_close(forest_pass.states, expected.states, **EXACT)
        if encoder.cell.memory:
            torch.testing.assert_close(forest_pass.memories, expected.memories, **EXACT)
        torch.testing.assert_close(gradients.leaf_states, expected_gradients.leaf_states, **EXACT)
        torch.testing.assert_close(gradients.inputs, expected_gradients.inputs, **EXACT)
        assert len(gradients.weights) == len(list(encoder.wiring.parameters()))
        for own, other in zip(gradients.weights, expected_gradients.weights, strict=True):
            torch.testing.assert_close(own, other, **EXACT)


def test_a_cell_without_a_hand_written_step_is_refused_by_that_pass() -> None:
    class Refused(TreeLSTM):
        hand_written = None

    encoder = TreeEncoder(Refused(3), FIXED).double()
    with pytest.raises(ValueError, match="Refused has no hand-written step"):
        run(encoder, HandWrittenPass, torch.zeros(FOREST.size, 0).double(), norm="none")
