"""Treesmu itself: compiled, without sharing, by the hand-written steps, and differentiated by autograd (b)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from treesmu.models import TreeEncoder
from treesmu.models.build import build
from treesmu.models.head import DotHead
from treesmu.models.model import Model
from treesmu.registry import model_class
from treesmu.tasks.verification import Verification
from treesmu.training.batches import TrainingBatch
from treesmu.training.distributed import ProcessGroup
from treesmu.training.optimization import Optimization
from treesmu.training.settings import TrainSettings

from .contestant import DECAY, RATE, InTorch, Rows
from .equations import Equations


@dataclass(frozen=True)
class Setting:
    """A cell and its sizes."""

    cell: str
    hidden: int
    stack: int = 0  # for Tree-SMU only
    depth: int = 1

    @property
    def arguments(self) -> dict[str, Any]:
        return {"hidden": self.hidden, "depth": self.depth} | ({"stack": self.stack} if self.stack else {})

    def __str__(self) -> str:
        return f"{self.cell} n={self.hidden}" + (f" p={self.stack}" if self.stack else "")


SETTINGS = [Setting("tree-smu", 50, 5), Setting("tree-smu", 100, 2), Setting("tree-lstm", 50), Setting("tree-lstm", 100)]


class Ours(InTorch):
    """The step of ``treesmu train``."""

    name = "ours"

    def __init__(self, equations: Equations, setting: Setting, share: bool = True) -> None:
        super().__init__(equations, build(setting.cell, equations.vocab, setting.arguments))
        self.model.encoder.compiled = True
        self.share = share
        if not share:
            self.name = "ours, nothing shared"
        settings = TrainSettings.of(model=setting.cell, learning_rate=RATE, weight_decay=DECAY)
        self.optimization = Optimization(self.model, Verification(), settings, ProcessGroup())

    def logits(self, batch: Rows) -> Tensor:
        return self.model(self.equations.plan.batch(batch, self.share))

    def train(self, batch: Rows, labels: NDArray[np.float32]) -> None:
        forest = self.equations.plan.batch(batch, self.share)
        given = TrainingBatch(0, 0, forest, torch.from_numpy(labels), 1 / len(batch), rows=len(batch), nodes=forest.size)
        self.optimization.step(given, RATE)


class InALoop(Ours):
    """The encoder in a loop of the user's own: differentiated by PyTorch, with PyTorch's fused Adam."""

    name = "ours, in a PyTorch loop"

    def train(self, batch: Rows, labels: NDArray[np.float32]) -> None:
        InTorch.train(self, batch, labels)


class WithHiddenLayer(Ours):
    name = "ours, with a hidden layer"

    def __init__(self, equations: Equations, setting: Setting) -> None:
        super().__init__(equations, replace(setting, depth=2))


class ByHand(Ours):
    name = "ours, by hand"

    def __init__(self, equations: Equations, setting: Setting) -> None:
        super().__init__(equations, setting)
        self.model.encoder.compiled = False


class PerLevel(InALoop):
    name = "(b) per level, autograd"

    def __init__(self, equations: Equations, setting: Setting) -> None:
        encoder = TreeEncoder(model_class(setting.cell)(**setting.arguments), equations.vocab, by_hand=False)
        InTorch.__init__(self, equations, Model(setting.cell, encoder, DotHead()))
        self.share = True
