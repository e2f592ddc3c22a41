"""One step of training: the loss of a batch, its gradients over all processes, and the step of the optimizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from treesmu.models.forest.encoder import TreeEncoder
from treesmu.models.forest.implementation import MANY_NODES, Implementation
from treesmu.models.trees.tree_model import TreeModel
from treesmu.tasks.ranking import ranking_loss
from treesmu.tasks.subexpressions import pair_loss
from treesmu.tasks.task import Task
from treesmu.tasks.values import ValueMap, value_loss

from .batches import TrainingBatch
from .distributed import ProcessGroup
from .random_streams import DROPOUT, VALUES, rng_for
from .settings import TrainSettings

if TYPE_CHECKING:
    from treesmu.tasks.compiled_loss import CompiledEncoderLoss, CompiledLoss

    from .compiled_adam import CompiledAdam

FUSED = ("cpu", "cuda", "mps")  # devices for which PyTorch has a fused Adam


class CompiledStep(NamedTuple):
    """A step without PyTorch: the loss with its gradients, and Adam."""

    loss: CompiledLoss | CompiledEncoderLoss
    adam: CompiledAdam


class Optimization:
    """Adam on the loss of training batches. Under torchrun all processes make the same step, that of the whole batch."""

    def __init__(self, model: Any, task: Task, settings: TrainSettings, process_group: ProcessGroup) -> None:
        """model: a Model, or a TreeModel."""
        self.model, self.task, self.settings, self.process_group = model, task, settings, process_group
        self.value_map: ValueMap | None = None
        if settings.values:
            device = next(model.parameters()).device
            values = (1,) if settings.points else ()
            self.value_map = ValueMap(model.encoder.cell.hidden, rng_for(VALUES, settings.seed), *values).to(device)
        self.parameters = [*model.parameters(), *(self.value_map.parameters() if self.value_map else ())]
        self.adam = torch.optim.Adam(
            self.parameters,
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
            fused=all(p.device.type in FUSED for p in self.parameters),
        )
        self._compiled_step: CompiledStep | None = None  # made when it is first needed
        self._checked: tuple[int, bool | None, bool] | None = None  # the batches for which it is known whether there is one
        self.is_compiled = False  # whether there is one for them

    def step(self, batch: TrainingBatch, learning_rate: float) -> float:
        """Change the weights by one step; return the loss of the whole batch."""
        for group in self.adam.param_groups:
            group["lr"] = learning_rate
        compiled = self._compiled(batch)
        loss = self._gradients(batch, compiled)
        if self.settings.clip:
            torch.nn.utils.clip_grad_norm_(self.parameters, self.settings.clip)
        if compiled is None:
            self.adam.step()
        else:
            compiled.adam.step()
        return loss

    def gradients(self, batch: TrainingBatch) -> float:
        """Set the gradients of the whole batch, the same in all processes; return the loss of the whole batch."""
        return self._gradients(batch, self._compiled(batch))

    def _gradients(self, batch: TrainingBatch, compiled: CompiledStep | None) -> float:
        if compiled is None or self.model.encoder.cell.dropout:  # nothing else in a compiled pass is random
            key = (self.settings.seed, batch.epoch, batch.step, self.process_group.rank)
            torch.manual_seed(int(rng_for(DROPOUT, *key).integers(2**63)))
        if compiled is not None:
            found = self._compiled_gradients(batch, compiled.loss)
            return found if self.process_group.world == 1 else self._average(torch.tensor(found))
        self.adam.zero_grad()
        loss = self.loss(batch)
        torch.autograd.backward(loss)
        return self._average(loss)

    def _compiled_gradients(self, batch: TrainingBatch, loss: CompiledLoss | CompiledEncoderLoss) -> float:
        if isinstance(self.model, TreeModel):
            model: TreeModel = self.model

            def loss_of(states: Tensor) -> Tensor:
                return batch.weight * self.task.loss(model.from_states(states, batch.inputs), batch.label)

            return loss.gradients(batch.inputs, loss_of)  # type: ignore[arg-type]
        return loss.gradients(batch.inputs, self._compared(batch))  # type: ignore[arg-type]

    def _average(self, loss: Tensor) -> float:
        return self.process_group.average(loss, self.parameters)

    def _compiled(self, batch: TrainingBatch) -> CompiledStep | None:
        """Return the compiled step if the encoder computes this batch by compiled code, and the loss is one that it knows.

        What cannot change between two batches is looked at once per epoch.
        """
        encoder, forest = self.model.encoder, batch.inputs
        if not isinstance(encoder, TreeEncoder) or self.value_map is not None or batch.rivals is not None:
            return None  # these losses have no compiled form yet
        key = batch.epoch, encoder.compiled, forest.size >= MANY_NODES
        if key != self._checked:
            self._checked, is_compiled = key, encoder.implementation(forest.size) is Implementation.COMPILED
            self.is_compiled = is_compiled and self._make_compiled()
        step = self._compiled_step if self.is_compiled else None
        return step if step is not None and step.loss.serves(forest) else None

    def _make_compiled(self) -> bool:
        """Make the compiled step unless it is there; return whether the model is one for it: all its weights are learned."""
        from treesmu.tasks.compiled_loss import CompiledEncoderLoss, CompiledLoss  # takes a second, for Numba

        from .compiled_adam import CompiledAdam

        kind = CompiledEncoderLoss if isinstance(self.model, TreeModel) else CompiledLoss
        if self._compiled_step is None:
            self._compiled_step = CompiledStep(kind(self.model), CompiledAdam(self.adam))
        return kind.knows(self.model) and all(p.requires_grad for p in self.model.parameters())

    def _compared(self, batch: TrainingBatch) -> list[Any]:
        """Return the pairs of nodes that are compared, with labels and weight: both sides of equations, and sub-expressions."""
        found = [(batch.inputs.roots, batch.label.numpy(), batch.weight)]
        if batch.pairs is not None:
            pairs, label = np.stack([batch.pairs.first, batch.pairs.second], axis=1), batch.pairs.label
            found.append((pairs, label, self.settings.subexpressions * batch.pair_weight))
        return found

    def loss(self, batch: TrainingBatch) -> Tensor:
        """Return this process's part of the mean over the rows, plus those of the weighted means over pairs and targets."""
        model = self.model
        if batch.pairs is None and batch.targets is None and batch.rivals is None:
            return batch.weight * self.task.loss(model(batch.inputs), batch.label)
        states = model.encoder.nodes(batch.inputs)  # (nodes, n)
        by_node = model.encoder.by_plain_node(states, batch.inputs)  # of which pairs and targets are
        logits = model.compare(model.encoder.at_roots(states, batch.inputs))
        loss = batch.weight * self.task.loss(logits, batch.label)
        if batch.pairs is not None:
            weight = self.settings.subexpressions * batch.pair_weight
            loss = loss + weight * pair_loss(by_node, batch.pairs, model.head)
        if batch.targets is not None and self.value_map is not None:
            weight = self.settings.values * batch.target_weight
            loss = loss + weight * value_loss(self.value_map(by_node), batch.targets)
        if batch.rivals is not None and len(batch.rivals.other):
            weight = self.settings.ranking * batch.rival_weight
            loss = loss + weight * ranking_loss(by_node, batch.rivals, model.head)
        return loss
