"""A device is chosen by name; what this machine does not have is refused in one line."""

from __future__ import annotations

import pytest
import torch

from treesmu.data import DataError
from treesmu.models.device import choose_device


def machine(monkeypatch: pytest.MonkeyPatch, cuda: int = 0, mps: bool = False) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)


@pytest.mark.parametrize(
    ("cuda", "mps", "chosen"), [(0, False, "cpu"), (0, True, "mps"), (2, False, "cuda"), (2, True, "cuda")]
)
def test_auto_is_the_best_that_is_there(cuda: int, mps: bool, chosen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, cuda, mps)
    assert choose_device() == choose_device("auto") == torch.device(chosen)
    assert choose_device("cpu") == torch.device("cpu")


def test_cards_are_chosen_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, cuda=2)
    assert choose_device("cuda:1") == choose_device(torch.device("cuda", 1)) == torch.device("cuda", 1)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cuda:2", r"device 'cuda:2': this machine has 2 cuda device\(s\), numbered from 0$"),
        ("mps", r"device 'mps': PyTorch finds no mps device on this machine; use cpu or auto$"),
        ("gpu", r"unknown device 'gpu'; known: auto, cpu, cuda, cuda:N, mps$"),
        ("", r"unknown device ''; known: auto, "),
        ("meta", r"unknown device 'meta'; known: auto, "),
        ("cuda:-1", r"unknown device 'cuda:-1'; known: auto, "),
    ],
)
def test_a_device_that_is_not_there_is_refused_in_one_line(name: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, cuda=2)
    with pytest.raises(DataError, match=message):
        choose_device(name)
