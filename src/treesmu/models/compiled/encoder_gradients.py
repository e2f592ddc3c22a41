"""EncoderGradients: the states of a forest and the gradients of all weights of an encoder, without autograd.

It is what ``encoder.nodes(forest)`` and ``backward`` compute, by the same compiled pass. Autograd takes longer than compiled
code for a small batch; and the gradients here are parts of one buffer, in which those that stay 0 are not written again.
"""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import torch
from torch import Tensor

from treesmu.data import Forest

from ..forest.encoder import TreeEncoder
from ..forest.layout import Layout
from ..normalise import Norm
from .forest_pass import CompiledPass
from .kernels.arithmetic import add, copy
from .kernels.normalise import normalise, normalise_down
from .native import Array, DirectCalls, entry

CPU = torch.device("cpu")
NORMS = {name: number for number, name in enumerate(get_args(Norm))}


@entry
def leaves_up(norm: int, table: Array, ids: Array, states: Array, scales: Array) -> None:
    """Write the normalised states (leaves, n) of leaves from the rows of a table, and what they were divided by to scales."""
    for r in range(len(ids)):
        copy(table[ids[r]], states[r])
    normalise(norm, states, scales)


@entry
def leaves_down(norm: int, ids: Array, states: Array, scales: Array, grad: Array, dtable: Array) -> None:
    """Add the gradients of the rows of a table to dtable, from those of leaves (leaves, n), which are changed."""
    normalise_down(norm, grad, states, scales)
    for r in range(len(ids)):
        add(grad[r], dtable[ids[r]])


LEAVES_UP, LEAVES_DOWN = DirectCalls(leaves_up), DirectCalls(leaves_down)


class EncoderGradients:
    """An encoder without inputs of inner nodes, whose forests, not only of leaves, go up and down one at a time."""

    def __init__(self, encoder: TreeEncoder) -> None:
        self.encoder, self.leaf_parameters = encoder, list(encoder.leaves.parameters())
        self.tables: Any = None  # of the wiring, as the buffers below were made for
        self.gradients: Tensor
        self.parts: list[Tensor]
        self.is_zero: Array

    def up(self, forest: Forest) -> Tensor:
        """Return the states of all nodes, (nodes + 1, n), the last row of zeros."""
        encoder, self.forest = self.encoder, forest
        leaf_states = self._leaves_up()
        layout = Layout(forest, CPU)
        mask = encoder.dropout_mask(layout, leaf_states) if encoder.cell.dropout else None
        self.forest_pass = CompiledPass(encoder.cell, encoder.wiring, layout, leaf_states.detach(), None, mask, encoder.norm)
        self.forest_pass.up()
        return self.forest_pass.states

    def down(self, dstates: Tensor) -> None:
        """Set the gradients of all parameters. dstates: (nodes + 1, n) that of the loss, zeros in the last row; changed."""
        tables = self.forest_pass.tables
        if tables is not self.tables or dstates.dtype != self.gradients.dtype:
            self.tables, self.gradients = tables, dstates.new_empty(sum(tables.lengths))
            self.parts, self.is_zero = tables.split(self.gradients), np.zeros(len(tables.sizes), np.int64)
        self.forest_pass.down_into(dstates, self.gradients, self.is_zero)
        del self.forest_pass
        for parameter, part in zip(tables.parameters, self.parts, strict=True):
            parameter.grad = part
        self._leaves_down(dstates[: len(self.forest.leaf)])

    def _leaves_up(self) -> Tensor:
        """Return the normalised states of the leaves, (leaves, n); recorded by autograd if there are decimals among them."""
        leaves, norm = self.encoder.leaves, self.encoder.norm
        self.has_numbers = leaves.numbers is not None and bool((self.forest.leaf == leaves.embedding.num_embeddings).any())
        if self.has_numbers:
            self.leaf_states = self.encoder.leaf_states(self.forest)
            return self.leaf_states
        table = leaves.embedding.weight.detach().numpy()
        states, self.scales = (np.empty((len(self.forest.leaf), *shape), table.dtype) for shape in (table.shape[1:], ()))
        LEAVES_UP(table.dtype, NORMS[norm], table, self.forest.leaf, states, self.scales)
        self.leaf_states = torch.from_numpy(states)
        return self.leaf_states

    def _leaves_down(self, grad: Tensor) -> None:
        """Set the gradients of the embedding and, if there are decimals, of their network. grad: (leaves, n), changed."""
        leaves, states = self.encoder.leaves, self.leaf_states
        for parameter in self.leaf_parameters:
            parameter.grad = None
        if self.has_numbers:
            torch.autograd.backward(states, grad)
            return
        table, grad_of_leaves = leaves.embedding.weight, grad.numpy()
        dtable = np.zeros(table.shape, grad_of_leaves.dtype)
        given = self.forest.leaf, states.numpy(), self.scales, grad_of_leaves, dtable
        LEAVES_DOWN(dtable.dtype, NORMS[self.encoder.norm], *given)
        table.grad = torch.from_numpy(dtable)
