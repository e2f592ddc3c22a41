"""The simulated device computes as the CPU does and refuses what an accelerator would refuse."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from one_device import DeviceMismatchError, second_device


def trained(device: torch.device) -> nn.Module:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.ones(5, 3).to(device)).square().sum().backward()
        optimizer.step()
    return model


def test_training_on_it_gives_the_weights_of_the_cpu() -> None:
    expected = [p.detach() for p in trained(torch.device("cpu")).parameters()]
    with second_device() as device:
        model = trained(device)
        assert {p.device for p in model.parameters()} == {device}
        found = [p.detach().cpu() for p in model.parameters()]
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other)


def test_views_are_written_through() -> None:
    with second_device() as device:
        rows = torch.zeros(4, 2, device=device)
        rows[1:3] = torch.ones(2, 2)  # a copy between devices is allowed
        rows[:, 0].add_(5)
        assert rows.tolist() == [[5, 0], [6, 1], [6, 1], [5, 0]]


def test_operations_on_two_devices_are_refused() -> None:
    with second_device() as device:
        there, here = torch.ones(3, device=device), torch.ones(3)
        refused = (lambda: there + here, lambda: there[torch.tensor([0])], lambda: torch.cat([here, there]), there.numpy)
        for operation in refused:
            with pytest.raises(DeviceMismatchError):
                operation()
        assert (there * torch.tensor(2.0)).tolist() == [2, 2, 2]
        assert there.numpy(force=True).tolist() == there.cpu().tolist() == [1, 1, 1]


def test_a_device_without_float64_refuses_it() -> None:
    with second_device(has_float64=False) as device:
        there = torch.ones(3, device=device)
        with pytest.raises(DeviceMismatchError, match="no float64"):
            there.double()
        assert there.cpu().double().dtype == torch.float64
