"""States of length 1, or of mean 0 and variance 1."""

from __future__ import annotations

import pytest
import torch

from treesmu.models.normalise import Norm, check_norm, normalise_, normalise_down_, normalised


def test_unit_states_have_length_1_and_a_state_of_zeros_stays_0() -> None:
    states = torch.tensor([[3.0, 4.0], [0.0, 0.0]])
    torch.testing.assert_close(normalised(states, "unit"), torch.tensor([[0.6, 0.8], [0.0, 0.0]]))


def test_layer_norm_has_mean_0_and_variance_1() -> None:
    states = torch.tensor([[1.0, 2.0, 6.0], [5.0, 5.0, 5.0]]).double()
    variance = (2**2 + 1**2 + 3**2) / 3 + 1e-5
    wanted = torch.tensor([[-2.0, -1.0, 3.0], [0.0, 0.0, 0.0]]).double() / variance**0.5
    torch.testing.assert_close(normalised(states, "layer"), wanted)


def test_none_leaves_states_alone() -> None:
    states = torch.tensor([[3.0, 4.0]])
    assert normalised(states, "none") is states


@pytest.mark.parametrize("norm", ["none", "unit", "layer"])
def test_in_place_and_by_hand_it_is_the_same_with_the_same_gradient(norm: Norm) -> None:
    torch.manual_seed(1)
    states, grad = torch.randn(2, 5, 4).double()
    states.requires_grad_()
    expected = normalised(states, norm)
    (wanted,) = torch.autograd.grad(expected, states, grad)
    found, scale = states.detach().clone(), torch.empty(5, 1).double()
    normalise_(found, norm, scale)
    torch.testing.assert_close(found, expected.detach())
    normalise_down_(grad, found, norm, scale)
    torch.testing.assert_close(grad, wanted)


def test_an_unknown_norm_is_named() -> None:
    assert check_norm("layer") == "layer"
    with pytest.raises(ValueError, match="norm must be none, unit or layer, not 'batch'"):
        check_norm("batch")
