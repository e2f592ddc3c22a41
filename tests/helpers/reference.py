"""The tree networks once more, one node at a time, as in the formulas: slow, and short enough to be checked on paper.

Nothing of treesmu.models is used but the weights and the settings of a given encoder. Names are those of the formulas:
n the size of a state, h a state, i what a node sees of its children, s the logistic function, p the size of a stack,
S a stack with row 0 on top, C the children's stacks combined, k how many rows of the stack are seen.

Where the weights are:

- encoder.leaves.embedding: a row for each leaf; encoder.leaves.numbers.linear1 and .linear2: the number encoder
- encoder.wiring.gates[arity]: weight (functions of this arity, in, out), bias (functions of this arity, out), z = i W + b;
  the columns of z are the cell's own gates (see each cell below), then the forget gates of the first child, the second, ...
- child-sum: encoder.wiring.gates, for all functions together, makes the cell's own gates, encoder.wiring.forget the forget gate
- with a hidden layer: encoder.wiring.hidden makes the hidden columns as above, encoder.wiring.second maps them to z
- encoder.wiring.linears[name]: further maps of a cell, for all functions together
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

s = torch.sigmoid
tanh = torch.tanh


class Reference:
    """What an encoder should compute. Trees are nested tuples, (label, child, ...); a leaf is (label,)."""

    def __init__(self, encoder: Any) -> None:
        self.encoder, self.cell, self.vocab = encoder, encoder.cell, encoder.vocab
        self.n = self.cell.hidden
        self.node = {
            "TreeSMU": self.tree_smu,
            "TreeLSTM": self.tree_lstm,
            "TreeRNN": self.tree_rnn,
            "StackTreeRNN": self.stack_tree_rnn,
        }[type(self.cell).__name__]

    def states(self, trees: Iterable[Any], inputs: Tensor | None = None) -> Tensor:
        """(places, n): the state of every place of every tree, in preorder. inputs: (places, d)."""
        h: list[Any] = []

        def visit(tree: Any) -> tuple[Tensor, Tensor]:
            place = len(h)
            h.append(None)
            x = self.zeros(0) if inputs is None else inputs[place]
            below = [visit(child) for child in tree[1:]]
            own, memory = self.inner(tree[0], below, x) if below else self.leaf(tree[0])
            if self.encoder.norm == "unit":
                own = own / own.norm().clamp_min(1e-12)
            elif self.encoder.norm == "layer":
                centred = own - own.sum() / self.n
                own = centred / ((centred * centred).sum() / self.n + 1e-5) ** 0.5
            h[place] = own
            return own, memory

        for tree in trees:
            visit(tree)
        return torch.stack(h)

    def zeros(self, *shape: int) -> Tensor:
        return self.encoder.leaves.embedding.weight.new_zeros(shape)

    def leaf(self, label: str) -> tuple[Tensor, Tensor]:
        """Return an embedding row, or the number encoder's s(W2 s(W1 v + b1) + b2), and an empty memory."""
        empty = self.zeros(*self.cell.memory)
        if label in self.vocab.leaves:
            return self.encoder.leaves.embedding.weight[self.vocab.leaves.index(label)], empty
        first, second = self.encoder.leaves.numbers.linear1, self.encoder.leaves.numbers.linear2
        v = self.zeros(1) + float(label)
        return s(second.weight @ s(first.weight @ v + first.bias) + second.bias), empty

    def inner(self, label: str, below: list[tuple[Tensor, Tensor]], x: Tensor) -> tuple[Tensor, Tensor]:
        function = self.vocab.functions.index(label)
        states, memories = [h for h, _ in below], [memory for _, memory in below]
        see = self.see_sum if self.cell.child_sum else self.see_all
        z, forget = see(function, states, x)
        return self.node(function, z, [s(f) for f in forget], memories)

    # -- what a node sees of its children ----------------------------------------------------------------------------------

    def see_all(self, function: int, states: list[Tensor], x: Tensor) -> tuple[Tensor, list[Tensor]]:
        """i = [h_1; ...; h_a; x], zeros for a child that is not there. Returns the cell's own columns, and those of f_k."""
        arity = self.vocab.arities[function]
        place = function - self.vocab.arities.index(arity)  # among the functions of this arity
        not_there = [self.zeros(self.n)] * (arity - len(states))
        layers = [wiring.gates[str(arity)] for wiring in self.layers()]
        z = self.through(layers, place, torch.cat([*states, *not_there, x]))
        own, forget = z[: self.cell.width], z[self.cell.width :]
        return own, [forget[k * self.n : (k + 1) * self.n] for k in range(len(states))] if len(forget) else []

    def see_sum(self, function: int, states: list[Tensor], x: Tensor) -> tuple[Tensor, list[Tensor]]:
        """i = [h_1 + ... + h_a; x] for the cell's own gates, [h_k; x] for the forget gate of child k."""
        layers = self.layers()
        own = self.through([wiring.gates for wiring in layers], function, torch.cat([sum(states), x]))
        forget = [wiring.forget for wiring in layers]
        if forget[0] is None:
            return own, []
        return own, [self.through(forget, function, torch.cat([h_k, x])) for h_k in states]

    def layers(self) -> list[Any]:
        """Return the wiring, or the two layers of one that has a hidden layer."""
        wiring = self.encoder.wiring
        return [wiring] if self.cell.depth == 1 else [wiring.hidden, wiring.second]

    def through(self, layers: list[Any], place: int, i: Tensor) -> Tensor:
        """z = W i + b, or W2 g(W1 i + b1) + b2 with g(x) = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))."""
        first, *second = [lambda y, w=w: y @ w.weight[place] + w.bias[place] for w in layers]
        z = first(i)
        for layer in second:
            z = layer(z / 2 * (1 + tanh((2 / torch.pi) ** 0.5 * (z + 0.044715 * z**3))))
        return z

    def linear(self, name: str, function: int, x: Tensor) -> Tensor:
        weights = self.encoder.wiring.linears[name]
        y = x @ weights.weight[function]
        return y if weights.bias is None else y + weights.bias[function]

    # -- the cells: (function, z, forget gates, memories of the children) -> state, memory ---------------------------------

    def tree_lstm(self, _function: int, z: Tensor, f: list[Tensor], c_below: list[Tensor]) -> tuple[Tensor, Tensor]:
        u, i_gate, o = z.split(self.n)
        c = s(i_gate) * tanh(u)
        for f_k, c_k in zip(f, c_below, strict=True):
            c = c + f_k * c_k
        return s(o) * tanh(c), c

    def tree_smu(self, _function: int, z: Tensor, f: list[Tensor], stacks: list[Tensor]) -> tuple[Tensor, Tensor]:
        n, k = self.n, self.cell.top
        u, o = tanh(z[:n]), s(z[n : 2 * n])
        squashed = [s(z[j * n : (j + 1) * n]) for j in range(2, 3 + self.cell.no_op + self.cell.pop)]
        if self.cell.normalise == "softmax":
            squashed = [torch.exp(a) for a in squashed]
        actions = [a / sum(squashed) for a in squashed]
        stack = (self.queued if self.cell.order == "queue" else self.moved)(self.combined(f, stacks), u, actions)
        if k == 1:
            return o * tanh(stack[0]), stack
        g = s(z[len(z) - k :])
        seen = self.zeros(n)
        for j in range(k):
            seen = seen + g[j] * stack[j]
        return o * tanh(seen), stack

    def tree_rnn(self, function: int, z: Tensor, _f: list[Tensor], _none: list[Tensor]) -> tuple[Tensor, Tensor]:
        phi = s if self.cell.activation == "sigmoid" else tanh
        h = phi(z)
        if self.cell.layers == 2:
            h = phi(self.linear("second", function, h))
        return h, self.zeros()

    def stack_tree_rnn(self, function: int, z: Tensor, f: list[Tensor], stacks: list[Tensor]) -> tuple[Tensor, Tensor]:
        c = self.combined(f, stacks)
        top = torch.cat([c[j] for j in range(self.cell.top)])
        h = tanh(z + self.linear("P", function, top))
        scores = torch.exp(self.linear("A", function, h))
        pushed = s(self.linear("D", function, h))
        return h, self.moved(c, pushed, [score / scores.sum() for score in scores])

    # -- stacks ------------------------------------------------------------------------------------------------------------

    def combined(self, f: list[Tensor], stacks: list[Tensor]) -> Tensor:
        """C = f_1 * S_1 + ... + f_a * S_a, in every row."""
        c = self.zeros(*self.cell.memory)
        for f_k, s_k in zip(f, stacks, strict=True):
            c = c + torch.stack([f_k * row for row in s_k])
        return c

    def moved(self, c: Tensor, u: Tensor, actions: list[Tensor]) -> Tensor:
        """S[0] = push * u + pop * C[1] + no_op * C[0], S[j] = push * C[j-1] + pop * C[j+1] + no_op * C[j]; 0 past the end."""
        push, no_op, pop = self.all_actions(actions)
        rows = []
        for j in range(len(c)):
            above = u if j == 0 else c[j - 1]
            below = c[j + 1] if j + 1 < len(c) else self.zeros(self.n)
            rows.append(push * above + pop * below + no_op * c[j])
        return torch.stack(rows)

    def all_actions(self, actions: list[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """Push, no-op, pop; 0 for one that the cell does not have."""
        push, *others = actions
        no_op = others.pop(0) if self.cell.no_op else self.zeros(1)
        return push, no_op, others.pop(0) if getattr(self.cell, "pop", True) else self.zeros(1)

    def queued(self, combined: Tensor, u: Tensor, actions: list[Tensor]) -> Tensor:
        """A queue: entries q, and below them how far each row is filled.

        A push goes to where the filled rows end. They behave like a stack of ones: pushed, there is one more on top.
        """
        p = len(combined) // 2
        c, d = combined[:p], combined[p:].clamp(max=1)
        push, no_op, pop = self.all_actions(actions)
        q = []
        for j in range(p):
            before = d[j - 1] if j else torch.ones_like(u)
            behind = c[j + 1] if j + 1 < p else self.zeros(self.n)
            q.append(push * (c[j] + (before - d[j]) * u) + no_op * c[j] + pop * behind)
        return torch.cat([torch.stack(q), self.moved(d, torch.ones_like(u), actions)])
