"""One step of training: the loss of a batch, its gradients over all processes, and the step of the optimizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from treesmu.models.forest.encoder import TreeEncoder
from treesmu.models.forest.implementation import Implementation
from treesmu.models.model import Model
from treesmu.tasks.subexpressions import pair_loss
from treesmu.tasks.verify import verification_loss

from .batches import TrainingBatch
from .distributed import ProcessGroup
from .random_streams import DROPOUT, rng_for
from .settings import TrainSettings

if TYPE_CHECKING:
    from treesmu.tasks.compiled_loss import CompiledLoss

FUSED = ("cpu", "cuda", "mps")  # devices for which PyTorch has a fused Adam


class Optimization:
    """Adam on the loss of training batches. Under torchrun all processes make the same step, that of the whole batch."""

    def __init__(self, model: Model, settings: TrainSettings, process_group: ProcessGroup) -> None:
        self.model, self.settings, self.process_group = model, settings, process_group
        self.adam = torch.optim.Adam(
            model.parameters(),
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
            fused=all(p.device.type in FUSED for p in model.parameters()),
        )
        self._compiled_loss: CompiledLoss | None = None  # made when it is first needed

    def step(self, batch: TrainingBatch, learning_rate: float) -> float:
        """Change the weights by one step; return the loss of the whole batch."""
        for group in self.adam.param_groups:
            group["lr"] = learning_rate
        loss = self.gradients(batch)
        if self.settings.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        if self.compiled(batch) is None:
            self.adam.step()
        else:
            from . import compiled_adam

            compiled_adam.step(self.adam)
        return loss

    def gradients(self, batch: TrainingBatch) -> float:
        """Set the gradients of the whole batch, the same in all processes; return the loss of the whole batch."""
        compiled = self.compiled(batch)
        if compiled is None or self.model.encoder.cell.dropout:  # nothing else in a compiled pass is random
            key = (self.settings.seed, batch.epoch, batch.step, self.process_group.rank)
            torch.manual_seed(int(rng_for(DROPOUT, *key).integers(2**63)))
        if compiled is not None:
            found = compiled.gradients(batch.inputs, self._compared(batch))
            return found if self.process_group.world == 1 else self._average(torch.tensor(found))
        self.adam.zero_grad()
        loss = self.loss(batch)
        torch.autograd.backward(loss)
        return self._average(loss)

    def _average(self, loss: Tensor) -> float:
        return self.process_group.average(loss, self.model.parameters())

    def compiled(self, batch: TrainingBatch) -> CompiledLoss | None:
        """Return the compiled loss if the encoder computes this batch by compiled code, and the loss is one that it knows."""
        model = self.model
        if not isinstance(model.encoder, TreeEncoder):
            return None
        if model.encoder.implementation(batch.inputs.size) is not Implementation.COMPILED:
            return None
        if self._compiled_loss is None:
            from treesmu.tasks.compiled_loss import CompiledLoss  # takes a second, for Numba

            self._compiled_loss = CompiledLoss(model)
        return self._compiled_loss if self._compiled_loss.serves(batch.inputs) else None

    def _compared(self, batch: TrainingBatch) -> list[Any]:
        """Return the pairs of nodes that are compared, with labels and weight: both sides of equations, and sub-expressions."""
        found = [(batch.inputs.roots, batch.label.numpy(), batch.weight)]
        if batch.pairs is not None:
            pairs, label = np.stack([batch.pairs.first, batch.pairs.second], axis=1), batch.pairs.label
            found.append((pairs, label, self.settings.subexpressions * batch.pair_weight))
        return found

    def loss(self, batch: TrainingBatch) -> Tensor:
        """Return this process's part of the mean over the rows, plus that of the weighted mean over the pairs."""
        model = self.model
        if batch.pairs is None:
            return batch.weight * verification_loss(model(batch.inputs), batch.label)
        states = model.encoder.nodes(batch.inputs)  # (nodes, n)
        logits = model.compare(model.encoder.at_roots(states, batch.inputs))
        loss = batch.weight * verification_loss(logits, batch.label)
        weight = self.settings.subexpressions * batch.pair_weight
        return loss + weight * pair_loss(states, batch.pairs, model.head)
