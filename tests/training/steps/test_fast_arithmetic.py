"""What training changes in the process, it changes back."""

from __future__ import annotations

import gc

import torch

from treesmu.training.steps.fast_arithmetic import fast_arithmetic, keep_freed_memory


def has_denormals() -> bool:
    return bool((torch.tensor([1e-38]) * torch.tensor([1e-2])).item())


def test_denormals_and_the_garbage_collector_are_as_before_afterwards() -> None:
    assert has_denormals()
    with fast_arithmetic():
        assert not has_denormals() or not torch.set_flush_denormal(True)  # not every processor can flush them
        assert gc.get_freeze_count() > 0
    assert has_denormals()
    assert gc.get_freeze_count() == 0


def test_memory_can_be_kept_with_any_c_library() -> None:
    keep_freed_memory()
    assert torch.ones(3).sum().item() == 3
