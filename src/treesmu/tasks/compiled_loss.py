"""CompiledLoss: the loss of a batch and the gradients of all weights of a tree model, in compiled code and without autograd."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from treesmu.data import Forest
from treesmu.models.compiled.encoder_gradients import EncoderGradients
from treesmu.models.forest.encoder import TreeEncoder
from treesmu.models.model import Model
from treesmu.models.verifier import Verifier

from .comparison_kernel import COMPARE, HEADS

Weighted = tuple[NDArray[np.int64], NDArray[np.float32], float]  # pairs (m, 2) of nodes, their labels (m,) and their weight


class CompiledLoss:
    """The loss of a tree model whose encoder computes forests by compiled code; ``serves`` says whether it is one for this."""

    def __init__(self, model: Model) -> None:
        self.model, self.encoder = model, EncoderGradients(model.encoder)

    def serves(self, forest: Forest) -> bool:
        """Return whether the loss is one that is compiled here: by one of our heads, from the states of trees."""
        model = self.model
        is_ours = type(model).forward is Verifier.forward and type(model).compare is Verifier.compare
        is_known = is_ours and type(model.encoder) is TreeEncoder and type(model.head) in HEADS
        return is_known and forest.is_equations and self.encoder.serves(forest) and all(p.requires_grad for p in model.parameters())

    def gradients(self, forest: Forest, compared: list[Weighted]) -> float:
        """Set the gradient of every parameter; return the loss, the sum over all pairs of weight times cross-entropy."""
        head = self.model.head
        states = self.encoder.up(forest)
        dstates = torch.zeros_like(states)
        weights = [p.detach().numpy() for p in head.parameters()]  # bias and, if there is one, raw_scale
        gradients = [np.zeros_like(weight) for weight in weights]
        numbers: Any = states.numpy(), dstates.numpy()
        loss = 0.0
        for pairs, label, weight in compared:
            given = np.ascontiguousarray(pairs, np.int64), np.ascontiguousarray(label, np.float32), weight
            of_head = weights[0], weights[-1], numbers[1], gradients[0], gradients[-1]
            loss += COMPARE(states.dtype, HEADS[type(head)], numbers[0], *given, *of_head)
        for parameter, gradient in zip(head.parameters(), gradients, strict=True):
            parameter.grad = torch.from_numpy(gradient)
        self.encoder.down(dstates)
        return loss
