"""One step of training: the loss of a batch, its gradients over all processes, and the step of the optimizer."""

from __future__ import annotations

import torch
from torch import Tensor

from treesmu.models.model import Model
from treesmu.tasks.subexpressions import pair_loss
from treesmu.tasks.verify import verification_loss

from .batches import TrainingBatch
from .distributed import ProcessGroup
from .random_streams import DROPOUT, rng_for
from .settings import TrainSettings

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

    def step(self, batch: TrainingBatch, learning_rate: float) -> float:
        """Change the weights by one step; return the loss of the whole batch."""
        for group in self.adam.param_groups:
            group["lr"] = learning_rate
        loss = self.gradients(batch)
        if self.settings.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        self.adam.step()
        return loss

    def gradients(self, batch: TrainingBatch) -> float:
        """Set the gradients of the whole batch, the same in all processes; return the loss of the whole batch."""
        key = (self.settings.seed, batch.epoch, batch.step, self.process_group.rank)
        torch.manual_seed(int(rng_for(DROPOUT, *key).integers(2**63)))
        self.adam.zero_grad()
        loss = self.loss(batch)
        torch.autograd.backward(loss)
        return self.process_group.average(loss, self.model.parameters())

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
