"""The value loss: smooth L1 by hand, only where there is a target."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from treesmu.tasks.values import ValueMap, value_loss

NAN = float("nan")


def test_small_errors_count_by_their_square_and_large_ones_linearly() -> None:
    targets = torch.tensor([[1.0, -2.0], [0.5, 3.0]])
    predicted = torch.tensor([[1.05, -2.0], [0.5, 1.0]])
    assert value_loss(predicted, targets).item() == pytest.approx(0.05**2 / 0.2 + (2 - 0.05), rel=1e-4)


def test_what_has_no_target_has_neither_loss_nor_gradient() -> None:
    predicted = torch.tensor([[7.0, 2.0], [-4.0, 0.0]], requires_grad=True)
    loss = value_loss(predicted, torch.tensor([[NAN, 1.0], [NAN, NAN]], dtype=torch.float64))
    assert loss.item() == pytest.approx(0.95)
    loss.backward()
    assert predicted.grad is not None
    assert predicted.grad.tolist() == [[0.0, 1.0], [0.0, 0.0]]


def test_a_batch_without_targets_has_no_loss() -> None:
    assert value_loss(torch.ones(3, 16), torch.full((3, 16), NAN)).item() == 0


def test_the_map_is_linear_and_drawn_by_the_generator() -> None:
    first, same, other = (ValueMap(6, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert torch.equal(first.weight, same.weight)
    assert not torch.equal(first.weight, other.weight)
    states = torch.randn(4, 6)
    assert first(states).shape == (4, 16)
    torch.testing.assert_close(first(2 * states) - first.bias, 2 * (first(states) - first.bias))
