"""A checkpoint holds everything that a run needs to be resumed; other files are refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from treesmu.data import DataError
from treesmu.training import checkpoint
from treesmu.training.checkpoint import TrainingProgress

PROGRESS = TrainingProgress(3, 7, 1.5, 64, 900, 2.25, 0.75, 2, [{"epoch": 1, "loss": 0.1}, {"epoch": 2, "loss": 1 / 3}], False)


def trained(steps: int, seed: int = 0) -> tuple[nn.Module, torch.optim.Optimizer]:
    """Return a small model and its optimizer; the second layer never has a gradient, like a number encoder without decimals."""
    torch.manual_seed(seed)
    model = nn.ModuleList([nn.Linear(3, 2), nn.Linear(2, 2)])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1, fused=True)
    train(model, optimizer, steps)
    return model, optimizer


def train(model: nn.Module, optimizer: torch.optim.Optimizer, steps: int) -> None:
    for _ in range(steps):
        optimizer.zero_grad()
        model[0](torch.ones(1, 3)).square().sum().backward()  # type: ignore[index]
        optimizer.step()


def weights(model: nn.Module) -> list[torch.Tensor]:
    return [p.detach() for p in model.parameters()]


def test_a_restored_run_continues_exactly_like_the_original(tmp_path: Path) -> None:
    file = tmp_path / "resume.safetensors"
    model, optimizer = trained(5)
    checkpoint.write(file, PROGRESS, model, optimizer)
    other, its_optimizer = trained(0, seed=1)
    assert checkpoint.restore(file.read_bytes(), file, other, its_optimizer) == PROGRESS
    for one in ((model, optimizer), (other, its_optimizer)):
        train(*one, 4)
    assert all(torch.equal(a, b) for a, b in zip(weights(model), weights(other), strict=True))
    assert [path.name for path in tmp_path.iterdir()] == ["resume.safetensors"]


def test_epochs_count_once_they_can_be_resumed_after(tmp_path: Path) -> None:
    file = tmp_path / "resume.safetensors"
    assert checkpoint.epochs_done(file) == 0
    checkpoint.write(file, PROGRESS, *trained(1))
    assert checkpoint.epochs_done(file) == PROGRESS.epoch
    file.write_bytes(file.read_bytes()[:-1])
    assert checkpoint.epochs_done(file) == 0


def test_the_same_state_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        checkpoint.write(tmp_path / name, PROGRESS, *trained(2))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_else_a_run_needs_is_restored_in_place(tmp_path: Path) -> None:
    file = tmp_path / "resume.safetensors"
    checkpoint.write(file, PROGRESS, *trained(1), {"average.w": torch.tensor([1.0, 2.5])})
    there = torch.zeros(2)
    assert checkpoint.restore(file.read_bytes(), file, *trained(0), {"average.w": there}) == PROGRESS
    assert there.tolist() == [1.0, 2.5]
    with pytest.raises(DataError, match="not a checkpoint of this run"):
        checkpoint.restore(file.read_bytes(), file, *trained(0), {"values.w": there})


@pytest.mark.parametrize("keep", [0, 5, 100, -200, -1])
def test_a_checkpoint_that_was_cut_off_is_refused_in_one_line(keep: int, tmp_path: Path) -> None:
    file = tmp_path / "resume.safetensors"
    checkpoint.write(file, PROGRESS, *trained(2))
    with pytest.raises(DataError) as error:
        checkpoint.restore(file.read_bytes()[:keep], file, *trained(0))
    assert str(error.value).startswith(f"{file}: not a checkpoint of this run (")
    assert str(error.value).endswith("; train into another folder")
    assert "\n" not in str(error.value)


def test_a_checkpoint_of_another_model_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "resume.safetensors"
    other = nn.Linear(9, 9)
    checkpoint.write(file, PROGRESS, other, torch.optim.Adam(other.parameters()))
    with pytest.raises(DataError, match="not a checkpoint of this run"):
        checkpoint.restore(file.read_bytes(), file, *trained(0))


def test_a_batch_is_counted_and_the_next_epoch_starts_at_zero() -> None:
    progress = TrainingProgress(3, 7, 1.5, 64, 900, 2.25, 0.75, 2)
    progress.add(0.5, rows=10, nodes=100)
    assert progress == TrainingProgress(3, 8, 6.5, 74, 1000, 2.25, 0.75, 2)
    progress.next_epoch()
    assert progress == TrainingProgress(epoch=4, best=0.75, best_epoch=2)
