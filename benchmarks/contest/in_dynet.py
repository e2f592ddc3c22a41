"""(d) DyNet with autobatching: the Tree-LSTM of treesmu, with separate weights for every function, built node by node.

DyNet uses one core. As always with DyNet, the graph of a batch is built again in Python at every step; DyNet then finds equal
operations and batches them. Leaves have no memory, so their part of c is left out of the graph.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.expr import Expr
from treesmu.models.model import Model

from .contestant import RATE, Contestant, Rows
from .equations import Equations

MEMORY = 2048  # MB that DyNet allocates at the start; it allocates more if needed


def dynet(strategy: int = 1) -> ModuleType:
    """Return the module, set up for autobatching; raise an ImportError if it is absent."""
    import dynet_config

    if dynet_config.get() is None:
        dynet_config.set(mem=MEMORY, random_seed=1, autobatch=strategy)
    import dynet as dy

    return dy


class DyNet(Contestant):
    name = "(d) DyNet, autobatching"
    install = "pip install --no-deps dyNET38==2.2"

    def __init__(self, equations: Equations, hidden: int) -> None:
        super().__init__(equations)
        self.dy = dy = dynet()
        self.n = hidden
        vocab = equations.vocab
        self.weights = dy.ParameterCollection()
        self.leaf_id = {leaf: i for i, leaf in enumerate(vocab.leaves)}
        self.leaves = self.weights.add_lookup_parameters((len(vocab.leaves), hidden))
        self.bias = self.weights.add_parameters(1)
        self.of = {
            f: (self.weights.add_parameters(((3 + a) * hidden, a * hidden)), self.weights.add_parameters((3 + a) * hidden))
            for f, a in zip(vocab.functions, vocab.arities, strict=True)
        }
        self.adam = dy.AdamTrainer(self.weights, RATE)

    def prepare(self, rows: Rows) -> list[Expr]:
        return [self.equations.expr(row) for row in rows.tolist()]

    def train(self, batch: list[Expr], labels: NDArray[np.float32]) -> None:
        dy = self.dy
        dy.renew_cg()
        logits = self._logits(batch)
        losses = [dy.binary_log_loss(dy.logistic(z), dy.scalarInput(y)) for z, y in zip(logits, labels.tolist(), strict=True)]
        loss = dy.esum(losses)
        loss.forward()
        loss.backward()
        self.adam.update()

    def infer(self, batch: list[Expr]) -> NDArray[np.float32]:
        self.dy.renew_cg()
        return np.asarray(self.dy.concatenate(self._logits(batch)).npvalue(), np.float32)

    def _logits(self, batch: list[Expr]) -> list[Any]:
        dot = self.dy.dot_product
        return [dot(self._state(e.left)[0], self._state(e.right)[0]) + self.bias for e in batch]

    def _state(self, e: Expr) -> tuple[Any, Any]:
        """Return h and c; c is None for a leaf."""
        dy, n = self.dy, self.n
        if e.op is None:
            return self.leaves[self.leaf_id[e.token]], None
        below = [self._state(child) for child in e.children]
        w, b = self.of[e.token]
        x = below[0][0] if len(below) == 1 else dy.concatenate([h for h, _ in below])
        z = dy.affine_transform([b, w, x])  # u, i, o, one forget gate per child, as in treesmu
        gates = dy.logistic(dy.pick_range(z, n, (3 + len(below)) * n))
        c = dy.cmult(dy.pick_range(gates, 0, n), dy.tanh(dy.pick_range(z, 0, n)))
        for k, (_, memory) in enumerate(below, 2):
            if memory is not None:
                c = c + dy.cmult(dy.pick_range(gates, k * n, (k + 1) * n), memory)
        return dy.cmult(dy.pick_range(gates, n, 2 * n), dy.tanh(c)), c

    def copy_from(self, ours: Model) -> None:
        """Copy the weights of a treesmu model."""
        vocab = ours.vocab
        self.leaves.init_from_array(ours.encoder.leaves.embedding.weight.numpy(force=True))
        self.bias.set_value(ours.head.bias.numpy(force=True))
        for f, a in zip(vocab.functions, vocab.arities, strict=True):
            weights, place = ours.encoder.wiring.gates[str(a)], vocab.functions.index(f) - vocab.arities.index(a)
            self.of[f][0].set_value(weights.weight[place].t().numpy(force=True))
            self.of[f][1].set_value(weights.bias[place].numpy(force=True))
