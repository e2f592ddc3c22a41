"""Compiled code computes with float32 and float64 on the CPU, and with nothing else."""

from __future__ import annotations

import pytest
import torch

from treesmu.models.compiled.support import can_be_compiled


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_single_and_double_precision_on_the_cpu_can_be_compiled(dtype: torch.dtype) -> None:
    assert can_be_compiled(torch.zeros(1, dtype=dtype))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.complex64, torch.int32, torch.int64])
def test_other_numbers_cannot(dtype: torch.dtype) -> None:
    assert not can_be_compiled(torch.zeros(1, dtype=dtype))


def test_other_devices_cannot() -> None:
    assert not can_be_compiled(torch.zeros(1, device="meta"))
