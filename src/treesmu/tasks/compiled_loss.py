"""CompiledLoss: the loss of a batch and the gradients of all weights of a tree model, in compiled code and without autograd."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from treesmu.data import Forest
from treesmu.models.compiled.encoder_gradients import EncoderGradients
from treesmu.models.forest.encoder import TreeEncoder
from treesmu.models.model import Model
from treesmu.models.trees.tree_model import TreeModel
from treesmu.models.verifier import Verifier

from .comparison_kernel import COMPARE, HEADS

Weighted = tuple[NDArray[np.int64], NDArray[np.float32], float]  # pairs (m, 2) of nodes, their labels (m,) and their weight


class CompiledLoss:
    """The loss of a tree model that ``knows`` says is one of ours, on forests that the encoder computes by compiled code."""

    def __init__(self, model: Model) -> None:
        self.model, self.encoder = model, EncoderGradients(model.encoder)
        self.of_head = list(model.head.parameters())  # bias and, if there is one, raw_scale

    @staticmethod
    def knows(model: Model) -> bool:
        """Return whether the model compares two states of its tree encoder by one of our heads, and does nothing else."""
        is_ours = type(model).forward is Verifier.forward and type(model).compare is Verifier.compare
        return is_ours and type(model.encoder) is TreeEncoder and not model.encoder.inputs and type(model.head) in HEADS

    def serves(self, forest: Forest) -> bool:
        """Return whether there is anything but leaves to compute."""
        return forest.is_equations and forest.size > len(forest.leaf)

    def gradients(self, forest: Forest, compared: list[Weighted]) -> float:
        """Set the gradient of every parameter; return the loss, the sum over all pairs of weight times cross-entropy."""
        states = self.encoder.up(forest).numpy()
        dstates = np.zeros_like(states)
        kind, of_head = HEADS[type(self.model.head)], self.of_head
        weights = [p.detach().numpy() for p in of_head]
        gradients = [np.zeros_like(weight) for weight in weights]
        loss = 0.0
        for pairs, label, weight in compared:
            given = np.ascontiguousarray(pairs, np.int64), np.ascontiguousarray(label, np.float32), weight
            to = dstates, gradients[0], gradients[-1]
            loss += COMPARE(states.dtype, kind, states, *given, weights[0], weights[-1], *to)
        for parameter, gradient in zip(of_head, gradients, strict=True):
            parameter.grad = torch.from_numpy(gradient)
        self.encoder.down(torch.from_numpy(dstates))
        return loss


class CompiledEncoderLoss:
    """The loss of a model of trees: the encoder in compiled code, the readout by autograd."""

    def __init__(self, model: TreeModel) -> None:
        assert isinstance(model.encoder, TreeEncoder)
        self.encoder, self.of_head = EncoderGradients(model.encoder), list(model.head.parameters())

    @staticmethod
    def knows(model: object) -> bool:
        """Return whether the model is one of trees with a tree encoder, and does nothing else."""
        return type(model) is TreeModel and type(model.encoder) is TreeEncoder and not model.encoder.inputs

    def serves(self, forest: Forest) -> bool:
        """Return whether there is anything but leaves to compute."""
        return forest.size > len(forest.leaf)

    def gradients(self, forest: Forest, loss_of: Callable[[Tensor], Tensor]) -> float:
        """Set the gradient of every parameter; return the loss. loss_of: of the states of all nodes, (nodes + 1, n)."""
        states = self.encoder.up(forest).detach().requires_grad_()
        for parameter in self.of_head:
            parameter.grad = None
        loss = loss_of(states)
        torch.autograd.backward(loss)
        assert states.grad is not None
        self.encoder.down(states.grad)
        return loss.item()
