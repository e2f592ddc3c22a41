"""Choose the device on which a model computes by its name: the CPU, a CUDA device or Apple's GPU."""

from __future__ import annotations

import torch

from treesmu.data import DataError

NAMES = "auto, cpu, cuda, cuda:N, mps"


def choose_device(name: str | torch.device = "auto") -> torch.device:
    """Return the device of this name; ``auto`` is CUDA or MPS if there is one, otherwise the CPU.

    Raises a DataError for an unknown name, and for a device that this machine does not have.
    """
    if isinstance(name, str) and name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu")
    try:
        device = torch.device(name)
    except (RuntimeError, TypeError):
        raise DataError(f"unknown device {str(name)!r}; known: {NAMES}") from None
    available = _available(device.type)
    if available is None:
        raise DataError(f"unknown device {str(name)!r}; known: {NAMES}")
    if not available:
        raise DataError(f"device {str(name)!r}: PyTorch finds no {device.type} device on this machine; use cpu or auto")
    if (device.index or 0) >= available:
        raise DataError(f"device {str(name)!r}: this machine has {available} {device.type} device(s), numbered from 0")
    return device


def _available(kind: str) -> int | None:
    """Return the number of devices of a kind; None for a kind that treesmu does not use."""
    if kind == "cpu":
        return 1
    if kind == "cuda":
        return torch.cuda.device_count() if torch.cuda.is_available() else 0
    if kind == "mps":
        return int(torch.backends.mps.is_available())
    return None
