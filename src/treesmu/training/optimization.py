"""One step of training: the loss of a batch, its gradients over all processes, and the step of the optimizer."""

from __future__ import annotations

import torch
from torch import Tensor

from treesmu.models.model import Model
from treesmu.tasks.subexpressions import pair_loss
from treesmu.tasks.values import ValueMap, value_loss
from treesmu.tasks.verify import verification_loss

from .batches import TrainingBatch
from .distributed import ProcessGroup
from .random_streams import DROPOUT, VALUES, rng_for
from .settings import TrainSettings

FUSED = ("cpu", "cuda", "mps")  # devices for which PyTorch has a fused Adam


class Optimization:
    """Adam on the loss of training batches. Under torchrun all processes make the same step, that of the whole batch."""

    def __init__(self, model: Model, settings: TrainSettings, process_group: ProcessGroup) -> None:
        self.model, self.settings, self.process_group = model, settings, process_group
        self.value_map: ValueMap | None = None
        if settings.values:
            device = next(model.parameters()).device
            self.value_map = ValueMap(model.encoder.cell.hidden, rng_for(VALUES, settings.seed)).to(device)
        self.parameters = [*model.parameters(), *(self.value_map.parameters() if self.value_map else ())]
        self.adam = torch.optim.Adam(
            self.parameters,
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
            fused=all(p.device.type in FUSED for p in self.parameters),
        )

    def step(self, batch: TrainingBatch, learning_rate: float) -> float:
        """Change the weights by one step; return the loss of the whole batch."""
        for group in self.adam.param_groups:
            group["lr"] = learning_rate
        loss = self.gradients(batch)
        if self.settings.clip:
            torch.nn.utils.clip_grad_norm_(self.parameters, self.settings.clip)
        self.adam.step()
        return loss

    def gradients(self, batch: TrainingBatch) -> float:
        """Set the gradients of the whole batch, the same in all processes; return the loss of the whole batch."""
        key = (self.settings.seed, batch.epoch, batch.step, self.process_group.rank)
        torch.manual_seed(int(rng_for(DROPOUT, *key).integers(2**63)))
        self.adam.zero_grad()
        loss = self.loss(batch)
        torch.autograd.backward(loss)
        return self.process_group.average(loss, self.parameters)

    def loss(self, batch: TrainingBatch) -> Tensor:
        """Return this process's part of the mean over the rows, plus those of the weighted means over pairs and targets."""
        model = self.model
        if batch.pairs is None and batch.targets is None:
            return batch.weight * verification_loss(model(batch.inputs), batch.label)
        states = model.encoder.nodes(batch.inputs)  # (nodes, n)
        logits = model.compare(model.encoder.at_roots(states, batch.inputs))
        loss = batch.weight * verification_loss(logits, batch.label)
        if batch.pairs is not None:
            weight = self.settings.subexpressions * batch.pair_weight
            loss = loss + weight * pair_loss(states, batch.pairs, model.head)
        if batch.targets is not None and self.value_map is not None:
            weight = self.settings.values * batch.target_weight
            loss = loss + weight * value_loss(self.value_map(states), batch.targets)
        return loss
