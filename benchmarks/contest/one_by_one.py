"""(a) One tree at a time, as in the original code: a recursion over the nodes with separate modules for every function.

Each gate is an nn.Linear on the states of the children, each a vector; the loss of a batch is the sum over its trees, with one
backward pass. Written from the equations of the paper, and as fast as such a recursion can be: the rows of the embedding are
separated once per batch, a unary node concatenates nothing, Adam is fused. The authors' binary Tree-LSTM has two linear maps
per gate, one for each child; one map for both is faster, so both forms take part.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from treesmu.expr import Expr
from treesmu.models.model import Model

from .contestant import InTorch, Rows
from .equations import Equations
from .ours import Setting


class Gate(nn.Linear):
    """An affine map of the states of all children together."""

    def copy_from(self, weight: Tensor, bias: Tensor) -> None:
        self.weight.copy_(weight.t())
        self.bias.copy_(bias)


class GateInParts(nn.Module):
    """The same as one linear map for each of two children and a bias, as in the authors' binary Tree-LSTM."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.left = nn.Linear(inputs // 2, hidden, bias=False)
        self.right = nn.Linear(inputs // 2, hidden, bias=False)
        self.bias = nn.Parameter(torch.zeros(hidden))

    def forward(self, h: list[Tensor]) -> Tensor:
        out: Tensor = self.left(h[0]) + self.right(h[1]) + self.bias
        return out

    def copy_from(self, weight: Tensor, bias: Tensor) -> None:
        for part, w in zip((self.left, self.right), weight.chunk(2), strict=True):
            part.weight.copy_(w.t())
        self.bias.copy_(bias)


class Node(nn.Module):
    """A function. ``columns``: the gates in the order of treesmu's weights (models/cells/base.py)."""

    columns: tuple[str, ...]

    def __init__(self, hidden: int, arity: int, in_parts: bool = False) -> None:
        super().__init__()
        self.in_parts = in_parts and arity == 2
        self.names = [*self.columns, *(f"forget_{k}" for k in range(arity))]
        for name in self.names:
            setattr(self, name, (GateInParts if self.in_parts else Gate)(arity * hidden, hidden))

    def input(self, h: list[Tensor]) -> Any:
        """Return the input of the gates."""
        return h if self.in_parts else h[0] if len(h) == 1 else torch.cat(h)

    def copy_from(self, weight: Tensor, bias: Tensor) -> None:
        """Copy treesmu's weight (inputs, columns of all gates) and bias (columns of all gates)."""
        gates = len(self.names)
        for name, w, b in zip(self.names, weight.chunk(gates, dim=1), bias.chunk(gates), strict=True):
            getattr(self, name).copy_from(w, b)


class LSTMNode(Node):
    columns = ("u", "i", "o")

    def forward(self, h: list[Tensor], c: list[Tensor]) -> tuple[Tensor, Tensor]:
        """Return state and memory of a node from those of its children, (n,) each."""
        x = self.input(h)
        memory = self.i(x).sigmoid() * self.u(x).tanh() + self.forget_0(x).sigmoid() * c[0]
        if len(h) == 2:
            memory = memory + self.forget_1(x).sigmoid() * c[1]
        return self.o(x).sigmoid() * memory.tanh(), memory


class SMUNode(Node):
    columns = ("u", "o", "push", "no_op", "pop")

    def forward(self, h: list[Tensor], stacks: list[Tensor]) -> tuple[Tensor, Tensor]:
        """Return state (n,) and stack (p, n) of a node from those of its children."""
        x = self.input(h)
        push, no_op, pop = self.push(x).sigmoid(), self.no_op(x).sigmoid(), self.pop(x).sigmoid()
        total = push + no_op + pop
        below = self.forget_0(x).sigmoid() * stacks[0]
        if len(h) == 2:
            below = below + self.forget_1(x).sigmoid() * stacks[1]
        pushed = torch.cat([self.u(x).tanh().unsqueeze(0), below[:-1]])
        popped = nn.functional.pad(below[1:], (0, 0, 0, 1))
        stack = push / total * pushed + no_op / total * below + pop / total * popped
        return self.o(x).sigmoid() * stack[0].tanh(), stack


class Recursive(nn.Module):
    def __init__(self, equations: Equations, setting: Setting, in_parts: bool) -> None:
        super().__init__()
        vocab, n = equations.vocab, setting.hidden
        kind = SMUNode if setting.stack else LSTMNode
        self.of = {f: kind(n, a, in_parts) for f, a in zip(vocab.functions, vocab.arities, strict=True)}
        self.nodes = nn.ModuleList(self.of.values())
        self.embedding = nn.Embedding(len(vocab.leaves), n)
        self.bias = nn.Parameter(torch.zeros(1))
        self.leaf_id = {leaf: i for i, leaf in enumerate(vocab.leaves)}
        self.empty = torch.zeros(setting.stack, n) if setting.stack else torch.zeros(n)

    def forward(self, batch: list[Expr]) -> Tensor:
        """Return logits: (rows,)."""
        rows = self.embedding.weight.unbind()
        logits = [torch.dot(self.state(e.left, rows)[0], self.state(e.right, rows)[0]) for e in batch]
        return torch.stack(logits) + self.bias

    def state(self, e: Expr, rows: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
        if e.op is None:
            return rows[self.leaf_id[e.token]], self.empty
        below = [self.state(child, rows) for child in e.children]
        found: tuple[Tensor, Tensor] = self.of[e.token]([h for h, _ in below], [memory for _, memory in below])
        return found

    @torch.no_grad()
    def copy_from(self, ours: Model) -> None:
        """Copy the weights of a treesmu model."""
        vocab = ours.vocab
        self.embedding.weight.copy_(ours.encoder.leaves.embedding.weight)
        self.bias.copy_(ours.head.bias)
        for f, a in zip(vocab.functions, vocab.arities, strict=True):
            weights, place = ours.encoder.wiring.gates[str(a)], vocab.functions.index(f) - vocab.arities.index(a)
            self.of[f].copy_from(weights.weight[place], weights.bias[place])


class OneByOne(InTorch):
    name = "(a) one tree at a time"
    tree_by_tree = True

    def __init__(self, equations: Equations, setting: Setting, in_parts: bool = False) -> None:
        super().__init__(equations, Recursive(equations, setting, in_parts))
        if in_parts:
            self.name += ", parts"
        self.step_after, self.since_step = 0, 0  # in trees: Adam steps once per full batch, also if only parts of it are timed

    def prepare(self, rows: Rows) -> Any:
        return [self.equations.expr(row) for row in rows.tolist()]

    def train(self, batch: list[Expr], labels: NDArray[np.float32]) -> None:
        loss = nn.functional.binary_cross_entropy_with_logits(self.logits(batch), torch.from_numpy(labels), reduction="sum")
        loss.backward()
        self.since_step += len(batch)
        if self.since_step >= self.step_after:
            self.adam.step()
            self.adam.zero_grad()
            self.since_step = 0
