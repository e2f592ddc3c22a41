"""TreeSMU: the tree stack memory unit, the paper's cell with a differentiable stack at every node."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor

from treesmu.errors import DataError

from .arguments import check_flags, check_sizes, check_stack
from .base import Cell, Gates, Nodes
from .hand_written import HandWritten, Level, gate_slopes, gradient_of
from .memory import RowMemory, action_names
from .queue import Queue
from .stack import Stack

Normalise = Literal["sum", "softmax"]
Order = Literal["stack", "queue"]


class TreeSMU(Cell):
    r"""The tree stack memory unit: a stack :math:`S \in \mathbb{R}^{p \times n}` at every node, row 0 on top.

    .. math::
        f_k &= \sigma(U_k i + b_k), \quad o = \sigma(U_o i + b_o), \quad u = \tanh(U_u i + b_u) \\
        a_{push}, a_{noop}, a_{pop} &= \mathrm{normalise}(\sigma(A\, i + b)) \\
        C &= \textstyle\sum_k f_k \odot S_k \\
        S[0] &= a_{push} \odot \mathrm{drop}(u) + a_{pop} \odot C[1] + a_{noop} \odot C[0] \\
        S[j] &= a_{push} \odot C[j-1] + a_{pop} \odot C[j+1] + a_{noop} \odot C[j] \\
        h &= o \odot \tanh(S[0]) \quad\text{or, top-}k\text{:}\quad h = o \odot \tanh(\textstyle\sum_{j<k} g_j S[j]),
        \quad g = \sigma(U_p i + b_p) \in \mathbb{R}^k

    where :math:`i = [h_1; \dots; h_a]` are the states of the *a* children, :math:`S_k` their stacks; rows past the end are 0.

    stack: p. top: k. no_op: whether there is an action that leaves the stack alone. pop: whether there is one that removes the
    top. order: a ``stack``, or for comparison a ``queue``, with the oldest entry on top (queue.py).
    normalise: the actions are divided by their ``sum``, or ``softmax`` is applied to the squashed gates (as the authors'
    released weights were trained). dropout: on u. child_sum: i is the sum of the children's states. depth: 2 for a hidden layer
    of expansion·n columns between i and the gates.
    """

    def __init__(
        self,
        hidden: int = 50,
        stack: int = 2,
        top: int = 1,
        no_op: bool = True,
        normalise: Normalise = "sum",
        dropout: float = 0.0,
        child_sum: bool = False,
        pop: bool = True,
        order: Order = "stack",
        depth: int = 1,
        expansion: int = 4,
    ) -> None:
        check_sizes(hidden=hidden)
        check_stack(stack, top)
        check_flags(no_op=no_op, pop=pop)
        if normalise not in ("sum", "softmax"):
            raise DataError(f"normalise must be sum or softmax, not {normalise!r}")
        if order not in ("stack", "queue"):
            raise DataError(f"order must be stack or queue, not {order!r}")
        actions = action_names(no_op, pop)
        structure: RowMemory[Any, Any] = (Stack if order == "stack" else Queue)(stack, actions)
        width = (2 + len(actions)) * hidden + (top if top > 1 else 0)
        memory = (structure.rows, hidden)
        super().__init__(
            hidden,
            width=width,
            memory=memory,
            forgets=True,
            child_sum=child_sum,
            dropout=dropout,
            depth=depth,
            expansion=expansion,
        )
        self.stack, self.top, self.no_op, self.pop, self.normalise, self.order = stack, top, no_op, pop, normalise, order
        self.actions, self.structure = actions, structure

    def step(self, z: Tensor, memory: Tensor, at: Nodes) -> tuple[Tensor, Tensor, Gates]:
        """Compute nodes of one arity a. z: (nodes, (5 + a)·n), the columns of u, o, push, no-op, pop, [top-k], f.

        memory: (nodes, a, p, n), the children's stacks.
        """
        n, k = self.hidden, self.top
        u, o = z[:, :n].tanh(), z[:, n : 2 * n].sigmoid()  # (nodes, n)
        actions = self._normalised(self.action_columns(z).sigmoid())  # (nodes, 3, n): push, no-op, pop
        f = self.forget_gates(z)  # (nodes, a, n)
        combined = (f.unsqueeze(2) * memory).sum(1)  # (nodes, p, n)
        rows = self.structure.moved(combined, at.drop(u), actions)
        gates = {"u": u, "o": o, "f": f, **dict(zip(self.actions, actions.unbind(1), strict=True))}
        seen = rows[:, 0]
        if k > 1:
            gates["top"] = g = self.top_columns(z).sigmoid()  # (nodes, k)
            seen = (g.unsqueeze(2) * rows[:, :k]).sum(1)
        return o * seen.tanh(), rows, gates

    def action_columns(self, z: Tensor) -> Tensor:
        """Return the columns of the actions, (nodes, 3, n)."""
        n, count = self.hidden, len(self.actions)
        columns: Tensor = z[:, 2 * n : (2 + count) * n].unflatten(1, (count, n))
        return columns

    def top_columns(self, z: Tensor) -> Tensor:
        """Return the columns that weight the top k rows, (nodes, k)."""
        return z[:, self.width - self.top : self.width]

    def _normalised(self, actions: Tensor) -> Tensor:
        if self.normalise == "softmax":
            return actions.softmax(1)
        return actions / actions.sum(1, keepdim=True).clamp_min(torch.finfo(actions.dtype).tiny)  # all may have underflowed


class _Up(NamedTuple):
    z_u: Tensor  # (m, n) columns of z
    o: Tensor
    squashed: Tensor  # (m, 3, n) columns of z: the actions before they are normalised
    g: Tensor | None  # (m, k, 1) columns of z, with top-k
    u: Tensor  # (m, n)
    actions: Tensor  # (m, 3, n)
    total: Tensor  # (m, 1, n) what the actions were divided by
    tanh_seen: Tensor  # (m, n)
    top_rows: Tensor  # (m, n) the top row of the new memory; with top-k (m, k, n)
    structure: Any  # the buffers of the stack or the queue


class _Down(NamedTuple):
    dz_u: Tensor  # columns of dz, as above
    do: Tensor
    dsquashed: Tensor
    dg: Tensor | None
    dseen_dh: Tensor  # (m, n)
    dtop_rows: Tensor  # (m, n), with top-k (m, k, n)
    structure: Any


@gradient_of(TreeSMU)
class _TreeSMUByHand(HandWritten[TreeSMU, _Up, _Down]):
    def up_rows(self, z: Tensor, memory: Tensor) -> _Up:
        n, count = self.cell.hidden, len(self.cell.actions)
        u, tanh_seen = z.new_empty(2, len(z), n).unbind()
        actions, total = z.new_empty(len(z), count, n), z.new_empty(len(z), 1, n)
        structure = self.cell.structure.up_rows(memory, actions)
        return _Up(*self._columns(z), u, actions, total, tanh_seen, self._top(memory), structure)

    def _columns(self, z: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
        cell, n = self.cell, self.cell.hidden
        g = cell.top_columns(z).unsqueeze(2) if cell.top > 1 else None
        return z[:, :n], z[:, n : 2 * n], cell.action_columns(z), g

    def _top(self, memory: Tensor) -> Tensor:
        return memory[:, 0] if self.cell.top == 1 else memory[:, : self.cell.top]

    def up(self, at: Level, rows: _Up) -> None:
        cell, structure = self.cell, self.cell.structure
        torch.tanh(rows.z_u, out=rows.u)
        at.z.sigmoid_()  # needless for the columns of u, but all of z in one call is faster
        if cell.normalise == "sum":
            torch.sum(rows.squashed, 1, keepdim=True, out=rows.total)
            torch.div(rows.squashed, rows.total.clamp_min_(torch.finfo(rows.total.dtype).tiny), out=rows.actions)
        else:
            torch.exp(rows.squashed, out=rows.actions)
            torch.sum(rows.actions, 1, keepdim=True, out=rows.total)
            rows.actions.div_(rows.total)
        pushed = structure.pushed(rows.structure)
        torch.mul(rows.u, at.masks[0], out=pushed) if at.masks else pushed.copy_(rows.u)
        structure.combine(at, rows.structure)
        structure.move(at, rows.structure)
        torch.tanh(rows.top_rows if rows.g is None else (rows.g * rows.top_rows).sum(1), out=rows.tanh_seen)
        torch.mul(rows.o, rows.tanh_seen, out=at.h)

    def down_rows(self, up: _Up, dz: Tensor, dmemory: Tensor) -> _Down:
        dseen_dh = up.o * (1 - up.tanh_seen.square())
        return _Down(*self._columns(dz), dseen_dh, self._top(dmemory), self.cell.structure.down_rows(up.structure, dmemory))

    def down(self, at: Level, up: _Up, down: _Down) -> None:
        structure = self.cell.structure
        torch.mul(at.dh, up.tanh_seen, out=down.do)
        if up.g is None or down.dg is None:
            down.dtop_rows.addcmul_(at.dh, down.dseen_dh)
        else:
            dseen = (at.dh * down.dseen_dh).unsqueeze(1)
            torch.sum(dseen * up.top_rows, 2, keepdim=True, out=down.dg)
            down.dtop_rows.addcmul_(up.g, dseen)
        structure.pushed_down(up.structure, down.structure, down.dz_u)
        for mask in at.masks:
            down.dz_u.mul_(mask)
        dactions = structure.move_down(at, up.structure, down.structure)
        dactions.sub_((dactions * up.actions).sum(1, keepdim=True))
        if self.cell.normalise == "sum":
            torch.div(dactions, up.total, out=down.dsquashed)
        else:
            torch.mul(dactions, up.actions, out=down.dsquashed)
        structure.combine_down(at, down.structure)

    def slopes(self, z: Tensor, up: _Up) -> Tensor:
        return gate_slopes(z, up.u)
