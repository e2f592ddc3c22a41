"""Tree-SMU: the tree stack memory unit."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor

from ..forest.by_hand import Buffers, Level
from . import queue as queue_rows
from . import stack as stack_rows
from .base import Cell, Gates, Nodes, check_sizes

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

    stack: p. top: k. no_op: whether there is an action that leaves the stack alone. pop: whether there is one that takes the
    top away. order: a ``stack``, or for comparison a ``queue``, with the oldest entry on top (queue.py).
    normalise: the actions are divided by their ``sum``, or ``softmax`` is taken of the squashed gates (as the authors'
    released weights were trained). dropout: on u. child_sum: i is the sum of the children's states.
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
    ) -> None:
        check_sizes(hidden=hidden, stack=stack, top=top)
        if top > stack:
            raise ValueError(f"top is from 1 to the stack's size {stack}, not {top}")
        if normalise not in ("sum", "softmax"):
            raise ValueError(f"normalise is sum or softmax, not {normalise!r}")
        if order not in ("stack", "queue"):
            raise ValueError(f"order is stack or queue, not {order!r}")
        names, rows = stack_rows.action_names(no_op, pop), stack_rows if order == "stack" else queue_rows
        width = (2 + len(names)) * hidden + (top if top > 1 else 0)
        memory = (rows.memory_rows(stack), hidden)
        super().__init__(hidden, width=width, memory=memory, forgets=True, child_sum=child_sum, dropout=dropout)
        self.stack, self.top, self.no_op, self.pop, self.normalise, self.order = stack, top, no_op, pop, normalise, order
        self.names = names

    def settings(self) -> dict[str, Any]:
        names = ("hidden", "stack", "top", "no_op", "normalise", "dropout", "child_sum", "pop", "order")
        return {name: getattr(self, name) for name in names}

    @property
    def rows(self) -> Any:
        """What happens to the memory: the functions of stack.py or queue.py. (A module cannot be copied, so none is kept.)"""
        return stack_rows if self.order == "stack" else queue_rows

    def step(self, z: Tensor, memory: Tensor, at: Nodes) -> tuple[Tensor, Tensor, Gates]:
        """z: (nodes, (5 + a)·n), u, o, push, no-op, pop, [top-k], f; memory: (nodes, a, p, n) the children's stacks."""
        n, k = self.hidden, self.top
        u, o = z[:, :n].tanh(), z[:, n : 2 * n].sigmoid()  # (nodes, n)
        actions = self._normalised(self._actions(z).sigmoid())  # (nodes, 3, n): push, no-op, pop
        f = self.forget_gates(z)  # (nodes, a, n)
        combined = (f.unsqueeze(2) * memory).sum(1)  # (nodes, p, n)
        rows = self.rows.moved(combined, at.drop(u), actions, self.names)
        gates = {"u": u, "o": o, "f": f, **dict(zip(self.names, actions.unbind(1), strict=True))}
        seen = rows[:, 0]
        if k > 1:
            gates["top"] = g = z[:, self.width - k : self.width].sigmoid()  # (nodes, k)
            seen = (g.unsqueeze(2) * rows[:, :k]).sum(1)
        return o * seen.tanh(), rows, gates

    def _actions(self, z: Tensor) -> Tensor:
        """The columns of the actions, (nodes, 3, n)."""
        n, count = self.hidden, len(self.names)
        return z[:, 2 * n : (2 + count) * n].unflatten(1, (count, n))

    def _normalised(self, actions: Tensor) -> Tensor:
        if self.normalise == "softmax":
            return actions.softmax(1)
        return actions / actions.sum(1, keepdim=True).clamp_min(torch.finfo(actions.dtype).tiny)  # all may have underflown

    # -- the same by hand ------------------------------------------------------------------------------------------------

    def kept(self) -> dict[str, tuple[int, ...]]:
        n = self.hidden
        own = {"u": (n,), "actions": (len(self.names), n), "total": (1, n), "tanh_seen": (n,)}
        return own | self.rows.kept(self.stack, n)

    def up_views(self, all_: Buffers) -> dict[str, Tensor]:
        top = {"top_row": all_.memory[:, 0]} if self.top == 1 else {"top_rows": all_.memory[:, : self.top]}
        return self.rows.up_views(all_, self.names) | top

    def gate_views(self, z: Tensor) -> dict[str, Tensor]:
        n, k = self.hidden, self.top
        named = {"z_u": z[:, :n], "o": z[:, n : 2 * n], "squashed": self._actions(z)}
        return named | ({"g": z[:, self.width - k : self.width].unsqueeze(2)} if k > 1 else {})

    def up(self, at: Level) -> None:
        torch.tanh(at.z_u, out=at.u)
        at.z.sigmoid_()  # u's columns too, needlessly: all of z in one piece is faster
        if self.normalise == "sum":
            torch.sum(at.squashed, 1, keepdim=True, out=at.total)
            torch.div(at.squashed, at.total.clamp_min_(torch.finfo(at.total.dtype).tiny), out=at.actions)
        else:
            torch.exp(at.squashed, out=at.actions)
            torch.sum(at.actions, 1, keepdim=True, out=at.total)
            at.actions.div_(at.total)
        if at.masks:
            torch.mul(at.u, at.masks[0], out=at.u_above)
        else:
            at.u_above.copy_(at.u)
        self.rows.combine(at)
        self.rows.move(at, self.names)
        torch.tanh(at.top_row if self.top == 1 else (at.g * at.top_rows).sum(1), out=at.tanh_seen)
        torch.mul(at.o, at.tanh_seen, out=at.h)

    def down_views(self, all_: Buffers) -> dict[str, Tensor]:
        o = all_.z[:, self.hidden : 2 * self.hidden]
        named = {"dseen_dh": o * (1 - all_.tanh_seen.square())}
        top = {"dtop_rows": all_.dmemory[:, : self.top]} if self.top > 1 else {}
        return self.rows.down_views(all_) | named | top

    def down(self, at: Level) -> None:
        torch.mul(at.dh, at.tanh_seen, out=at.do)
        if self.top == 1:
            at.dtop.addcmul_(at.dh, at.dseen_dh)
        else:
            dseen = (at.dh * at.dseen_dh).unsqueeze(1)
            torch.sum(dseen * at.top_rows, 2, keepdim=True, out=at.dg)
            at.dtop_rows.addcmul_(at.g, dseen)
        self.rows.u_down(at, at.dz_u)
        for mask in at.masks:
            at.dz_u.mul_(mask)
        dactions = self.rows.move_down(at, self.names)
        dactions.sub_((dactions * at.actions).sum(1, keepdim=True))
        if self.normalise == "sum":
            torch.div(dactions, at.total, out=at.dsquashed)
        else:
            torch.mul(dactions, at.actions, out=at.dsquashed)
        stack_rows.combine_down(at)
