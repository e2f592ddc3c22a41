"""Checkpoints of a training run: everything that is needed to resume it, in one file, written completely or not at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from torch import Tensor, nn

from treesmu.data import DataError
from treesmu.files import atomic_write
from treesmu.models.weights_file import check_sha256, pack

KEY = "progress"  # of the metadata of a checkpoint


@dataclass
class TrainingProgress:
    """How far a run has come. No random state: the random numbers of a step come from the seed, the epoch and the step."""

    epoch: int = 0  # the one that is being trained, from 0
    step: int = 0  # batches of this epoch that are done
    loss: float = 0.0  # summed over the rows of these batches
    rows: int = 0
    nodes: int = 0
    seconds: float = 0.0  # spent in this epoch
    best: float = -1.0  # validation accuracy
    best_epoch: int = -1
    metrics: list[dict[str, Any]] = field(default_factory=list)  # one line per epoch
    finished: bool = False  # trained and tested
    run: str = ""  # the checksum of the run's identity; checkpoints of version 0.1 have none
    trained: dict[str, list[str]] = field(default_factory=dict)  # of a stream: the symbols of its equations so far

    def add(self, loss: float, rows: int, nodes: int) -> None:
        """Count a batch as done. loss: the mean over its rows."""
        self.step += 1
        self.loss += loss * rows
        self.rows += rows
        self.nodes += nodes

    def next_epoch(self) -> None:
        """Begin the next epoch, of which nothing is done."""
        self.epoch += 1
        self.step, self.loss, self.rows, self.nodes, self.seconds = 0, 0.0, 0, 0, 0.0


def write(
    path: Path,
    progress: TrainingProgress,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    others: Mapping[str, Tensor] | None = None,
) -> None:
    """Write the state of a run, from whatever device it is on. others: what else it needs, such as averaged weights."""
    tensors = {f"model.{name}": tensor for name, tensor in model.state_dict().items()}
    tensors |= {f"other.{name}": tensor for name, tensor in (others or {}).items()}
    for i, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{i}.{name}": value for name, value in state.items()}
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    with atomic_write(path) as temporary:
        temporary.write_bytes(pack(tensors, KEY, asdict(progress), allow_nan=True))


def restore(
    content: bytes,
    path: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    others: Mapping[str, Tensor] | None = None,
) -> TrainingProgress:
    """Load the state of a run into its model, its optimizer and others, on their device. content: of the file ``path``."""
    try:
        tensors = safetensors.torch.load(content)
        progress = _progress(content)
        model.load_state_dict({name.removeprefix("model."): t for name, t in tensors.items() if name.startswith("model.")})
        optimizer.load_state_dict(_optimizer_state(tensors, optimizer))
        for name, tensor in (others or {}).items():
            tensor.copy_(tensors[f"other.{name}"])
    except Exception as error:  # a damaged file can fail anywhere, also inside safetensors
        fault = " ".join(str(error).split())[:120]
        raise DataError(f"{path}: not a checkpoint of this run ({fault}); train into another folder") from error
    return progress


def read_progress(content: bytes) -> TrainingProgress | None:
    """Return how far the run of a checkpoint has come; None if it is damaged: who restores it says how."""
    try:
        return _progress(content)
    except Exception:  # it can fail anywhere
        return None


def epochs_done(path: Path) -> int:
    """Return how many epochs a run can be resumed after; 0 also if the checkpoint is damaged: who resumes the run says so."""
    try:
        progress = read_progress(path.read_bytes())
    except OSError:
        return 0
    return 0 if progress is None else progress.epoch


def _progress(content: bytes) -> TrainingProgress:
    check_sha256(content, KEY)
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    stored = json.loads(header["__metadata__"][KEY])
    return TrainingProgress(**{name: value for name, value in stored.items() if name != "sha256"})


def _optimizer_state(tensors: dict[str, Tensor], optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, i, key = name.split(".", 2)
            state.setdefault(int(i), {})[key] = tensor
    return {"state": state, "param_groups": optimizer.state_dict()["param_groups"]}
