"""States of length 1."""

from __future__ import annotations

import torch

from treesmu.models.normalise import unit_length


def test_states_keep_their_direction_and_have_length_1() -> None:
    assert unit_length(torch.tensor([[3.0, 4.0], [0.0, -2.0]]).double()).tolist() == [[0.6, 0.8], [0.0, -1.0]]
    assert unit_length(torch.randn(2, 3, 5)).norm(dim=-1).allclose(torch.ones(2, 3))


def test_a_state_of_zeros_stays_and_has_a_finite_gradient() -> None:
    states = torch.zeros(1, 3, requires_grad=True)
    scaled = unit_length(states)
    scaled.sum().backward()
    assert scaled.tolist() == [[0.0] * 3]
    assert states.grad is not None
    assert states.grad.isfinite().all()
