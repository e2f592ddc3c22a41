"""EncoderGradients: the states of a forest and the gradients of all weights of an encoder, without autograd.

It is what ``encoder.nodes(forest)`` and ``backward`` compute, by the same compiled pass. Autograd takes longer than compiled
code for a small batch; and the gradients here are parts of one buffer, in which those that stay 0 are not written again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from treesmu.data import Forest

from ..forest.encoder import TreeEncoder
from ..forest.layout import Layout
from ..normalise import normalise_, normalise_down_
from .forest_pass import CompiledPass
from .native import Array

CPU = torch.device("cpu")


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
        self.ids = torch.from_numpy(self.forest.leaf)
        states = torch.embedding(leaves.embedding.weight.detach(), self.ids)
        self.scales = states.new_empty(len(states), 1)
        normalise_(states, norm, self.scales)
        self.leaf_states = states
        return states

    def _leaves_down(self, grad: Tensor) -> None:
        """Set the gradients of the embedding and, if there are decimals, of their network. grad: (leaves, n), changed."""
        leaves, states = self.encoder.leaves, self.leaf_states
        for parameter in self.leaf_parameters:
            parameter.grad = None
        if self.has_numbers:
            torch.autograd.backward(states, grad)
            return
        normalise_down_(grad, states, self.encoder.norm, self.scales)
        table = leaves.embedding.weight
        table.grad = torch.zeros_like(table, requires_grad=False).index_add_(0, self.ids, grad)
