"""The compiled heads and their loss give the numbers of PyTorch: values and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from samples import compiles
from treesmu.models.head import HEADS as HEADS_BY_NAME

pytestmark = compiles

SIZES = [(torch.float64, 1e-12), (torch.float32, 1e-5)]


@pytest.mark.parametrize(("dtype", "error"), SIZES, ids=["double", "single"])
@pytest.mark.parametrize("name", HEADS_BY_NAME)
@pytest.mark.parametrize("size", [0.1, 30.0])  # of states: logits near 0, and so large that exp would overflow
def test_loss_and_gradients_are_those_of_pytorch(name: str, dtype: torch.dtype, error: float, size: float) -> None:
    from treesmu.tasks.comparison_kernel import COMPARE, HEADS

    torch.manual_seed(1)
    head = HEADS_BY_NAME[name]().to(dtype)
    states = (size * torch.randn(9, 7, dtype=dtype)).requires_grad_()
    pairs = torch.randint(0, 9, (20, 2))  # nodes occur several times, also on both sides
    pairs[0] = 3
    label = torch.randint(0, 2, (20,)).float()
    logits = head(states[pairs[:, 0]], states[pairs[:, 1]])
    wanted = 0.7 * binary_cross_entropy_with_logits(logits, label.to(dtype), reduction="sum")
    wanted.backward()
    weights = [p.detach().numpy() for p in head.parameters()]
    before: Any = [np.ones_like(w) for w in (states.detach().numpy(), *weights)]  # gradients are added to what is there
    arrays = states.detach().numpy(), pairs.numpy(), label.numpy()
    loss = COMPARE(dtype, HEADS[type(head)], *arrays, 0.7, weights[0], weights[-1], before[0], before[1], before[-1])
    assert loss == pytest.approx(wanted.item(), rel=error)
    for found, tensor in zip(before, (states, *head.parameters()), strict=True):
        assert tensor.grad is not None
        largest = max(1.0, tensor.grad.abs().max().item())
        np.testing.assert_allclose(found - 1, tensor.grad.numpy(), rtol=0, atol=10 * error * largest)


def test_what_is_not_finite_stays_so() -> None:
    from treesmu.tasks.comparison_kernel import COMPARE, HEADS

    states = np.full((2, 3), np.nan)
    number, grads = np.zeros(1), [np.zeros((2, 3)), np.zeros(1), np.zeros(1)]
    pairs, label = np.array([[0, 1]]), np.ones(1, np.float32)
    for head in HEADS.values():
        assert np.isnan(COMPARE(torch.float64, head, states, pairs, label, 1.0, number, number, *grads))
