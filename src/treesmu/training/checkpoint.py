"""Checkpoints of a training run: all that is needed to go on, in one file, written whole or not at all."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from torch import Tensor, nn

from treesmu.data import DataError
from treesmu.files import atomic_write


@dataclass
class TrainingProgress:
    """How far a run is. A step's random numbers come from the seed, the epoch and the step, so none need be kept."""

    epoch: int = 0  # the one that is being trained, from 0
    step: int = 0  # batches done in it
    loss: float = 0.0  # summed over the rows done in it
    rows: int = 0
    nodes: int = 0
    seconds: float = 0.0  # spent in it
    best: float = -1.0  # validation accuracy
    best_epoch: int = -1
    metrics: list[dict[str, Any]] = field(default_factory=list)  # a line an epoch
    finished: bool = False  # tested, too

    def next_epoch(self) -> None:
        self.epoch += 1
        self.step, self.loss, self.rows, self.nodes, self.seconds = 0, 0.0, 0, 0, 0.0


def write(path: Path, progress: TrainingProgress, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    tensors = {f"model.{name}": tensor for name, tensor in model.state_dict().items()}
    for i, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{i}.{name}": value for name, value in state.items()}
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    with atomic_write(path) as temporary:
        temporary.write_bytes(safetensors.torch.save(tensors, {"progress": json.dumps(asdict(progress))}))


def restore(content: bytes, path: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> TrainingProgress:
    """Put a run back to where it was. content: of the file ``path``."""
    try:
        tensors = safetensors.torch.load(content)
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        progress = TrainingProgress(**json.loads(header["__metadata__"]["progress"]))
        model.load_state_dict({name.removeprefix("model."): t for name, t in tensors.items() if name.startswith("model.")})
        optimizer.load_state_dict(_optimizer_state(tensors, optimizer))
    except Exception as error:  # whatever a damaged file may lead to, below safetensors too
        fault = " ".join(str(error).split())[:120]
        raise DataError(f"{path}: no checkpoint of this run ({fault}); train into another folder") from error
    return progress


def _optimizer_state(tensors: dict[str, Tensor], optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, i, key = name.split(".", 2)
            state.setdefault(int(i), {})[key] = tensor
    return {"state": state, "param_groups": optimizer.state_dict()["param_groups"]}
