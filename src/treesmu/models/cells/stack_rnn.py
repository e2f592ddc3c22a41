"""StackTreeRNN: a Tree-RNN with a stack beside it, the tree version of the network of Joulin and Mikolov (2015)."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from .arguments import check_flags, check_sizes, check_stack
from .base import Cell, Gates, Nodes
from .hand_written import HandWritten, Level, gradient_of
from .memory import action_names
from .stack import Stack, StackDown, StackUp


class StackTreeRNN(Cell):
    r"""The direct tree version of the stack-augmented network of Joulin & Mikolov (2015), the paper's "trivial extension".

    .. math::
        f_k &= \sigma(U_k i + b_k), \quad C = \textstyle\sum_k f_k \odot S_k \\
        h   &= \tanh(W i + P\, C[0{:}k] + b) \\
        a_{push}, a_{noop}, a_{pop} &= \mathrm{softmax}(A h) \in \mathbb{R}^3, \quad u = \mathrm{drop}(\sigma(D h)) \\
        S[0] &= a_{push}\, u + a_{pop}\, C[1] + a_{noop}\, C[0], \quad
        S[j] = a_{push}\, C[j-1] + a_{pop}\, C[j+1] + a_{noop}\, C[j]

    The memory is separate from the cell: an action is one number per node, and the state does not come from the stack alone.
    stack: p. top: k, the number of rows that the state depends on. dropout: on the pushed value. child_sum: i is the sum of
    the children's states.
    """

    def __init__(
        self,
        hidden: int = 50,
        stack: int = 2,
        top: int = 1,
        no_op: bool = True,
        dropout: float = 0.0,
        child_sum: bool = False,
        depth: int = 1,
        expansion: int = 4,
    ) -> None:
        check_sizes(hidden=hidden)
        check_stack(stack, top)
        check_flags(no_op=no_op)
        actions = action_names(no_op)
        super().__init__(
            hidden,
            width=hidden,
            memory=(stack, hidden),
            forgets=True,
            child_sum=child_sum,
            linears={"P": (top * hidden, hidden, False), "A": (hidden, len(actions), False), "D": (hidden, hidden, False)},
            dropout=dropout,
            depth=depth,
            expansion=expansion,
        )
        self.stack, self.top, self.no_op = stack, top, no_op
        self.actions, self.structure = actions, Stack(stack, actions)

    def step(self, z: Tensor, memory: Tensor, at: Nodes) -> tuple[Tensor, Tensor, Gates]:
        """Compute nodes of one arity a. z: (nodes, (1 + a)·n); memory: (nodes, a, p, n), the children's stacks."""
        f = self.forget_gates(z)  # (nodes, a, n)
        combined = (f.unsqueeze(2) * memory).sum(1)  # (nodes, p, n)
        h = (z[:, : self.hidden] + at.linear("P", combined[:, : self.top].flatten(1))).tanh()
        actions = at.linear("A", h).softmax(1).unsqueeze(2)  # (nodes, 3, 1): push, no-op, pop
        u = at.linear("D", h).sigmoid()
        rows = self.structure.moved(combined, at.drop(u), actions)
        return h, rows, {"u": u, "f": f, **dict(zip(self.actions, actions.unbind(1), strict=True))}


class _Up(NamedTuple):
    pre: Tensor  # (m, n) columns of z: W i + b
    tops: Tensor  # (m, k·n) the top rows of the combined stack
    top_rows: Tensor  # (m, k, n) the same, where they are computed
    from_tops: Tensor  # (m, n)
    state: Tensor  # (m, n)
    scores: Tensor  # (m, 3)
    actions: Tensor  # (m, 3, 1)
    value: Tensor  # (m, n) u before dropout
    stack: StackUp


class _Down(NamedTuple):
    dpre: Tensor  # (m, n) columns of dz
    dstate: Tensor  # (m, n) the gradient of the state's pre-activations, and its slope
    state_slope: Tensor
    dscores: Tensor  # (m, 3)
    dvalue: Tensor  # (m, n) the gradient of the pushed value's pre-activations, and its slope
    value_slope: Tensor
    dtop_rows: Tensor  # (m, k, n)
    stack: StackDown


@gradient_of(StackTreeRNN)
class _StackTreeRNNByHand(HandWritten[StackTreeRNN, _Up, _Down]):
    def up_rows(self, z: Tensor, memory: Tensor) -> _Up:
        nodes, n, k, actions = len(z), self.cell.hidden, self.cell.top, len(self.cell.actions)
        tops, scores, degrees = z.new_empty(nodes, k * n), z.new_empty(nodes, actions), z.new_empty(nodes, actions, 1)
        from_tops, state, value = z.new_empty(3, nodes, n).unbind()
        stack = self.cell.structure.up_rows(memory, degrees)
        return _Up(z[:, :n], tops, stack.combined[:, :k], from_tops, state, scores, degrees, value, stack)

    def up(self, at: Level, rows: _Up) -> None:
        structure = self.cell.structure
        rows.state.copy_(rows.pre)
        at.z.sigmoid_()  # needless for the columns of the state, but all of z in one call is faster
        structure.combine(at, rows.stack)
        rows.tops.copy_(rows.top_rows.flatten(1))
        at.linear("P", rows.tops, rows.from_tops)
        torch.tanh(rows.state.add_(rows.from_tops), out=rows.state)
        at.h.copy_(rows.state)
        at.linear("A", rows.state, rows.scores)
        torch.softmax(rows.scores.unsqueeze(2), 1, out=rows.actions)
        at.linear("D", rows.state, rows.value)
        rows.value.sigmoid_()
        pushed = structure.pushed(rows.stack)
        torch.mul(rows.value, at.masks[0], out=pushed) if at.masks else pushed.copy_(rows.value)
        structure.move(at, rows.stack)

    def down_rows(self, up: _Up, dz: Tensor, dmemory: Tensor) -> _Down:
        stack = self.cell.structure.down_rows(up.stack, dmemory)
        return _Down(
            dpre=dz[:, : self.cell.hidden],
            dstate=torch.empty_like(up.state),
            state_slope=1 - up.state.square(),
            dscores=torch.empty_like(up.scores),
            dvalue=torch.empty_like(up.value),
            value_slope=up.value - up.value.square(),
            dtop_rows=stack.dcombined[:, : self.cell.top],
            stack=stack,
        )

    def down(self, at: Level, up: _Up, down: _Down) -> None:
        structure = self.cell.structure
        dactions = structure.move_down(at, up.stack, down.stack).sum(2, keepdim=True)  # (m, 3, 1)
        dactions.sub_((dactions * up.actions).sum(1, keepdim=True))
        torch.mul(dactions, up.actions, out=down.dscores.unsqueeze(2))
        structure.pushed_down(up.stack, down.stack, down.dvalue)
        down.dvalue.mul_(down.value_slope)
        for mask in at.masks:
            down.dvalue.mul_(mask)
        dh = at.dh + at.linear_down("A", down.dscores) + at.linear_down("D", down.dvalue)
        torch.mul(dh, down.state_slope, out=down.dstate)
        down.dpre.copy_(down.dstate)
        down.dtop_rows.add_(at.linear_down("P", down.dstate).unflatten(1, (self.cell.top, self.cell.hidden)))
        structure.combine_down(at, down.stack)

    def slopes(self, z: Tensor, up: _Up) -> Tensor:
        """Return the derivatives of the forget gates, and 1 for the state, whose derivative ``down`` has applied already."""
        del up
        slopes = z - z.square()
        slopes[:, : self.cell.hidden] = 1
        return slopes

    def linear_rows(self, up: _Up, down: _Down) -> dict[str, tuple[Tensor, Tensor]]:
        return {"P": (up.tops, down.dstate), "A": (up.state, down.dscores), "D": (up.state, down.dvalue)}
