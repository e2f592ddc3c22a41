"""Stack-augmented Tree-RNN."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor

from ..forest.by_hand import Buffers, Level
from . import stack as stack_rows
from .base import Cell, Gates, Nodes, check_sizes


class StackTreeRNN(Cell):
    r"""The direct tree version of the stack-augmented network of Joulin & Mikolov (2015), the paper's "trivial extension".

    .. math::
        f_k &= \sigma(U_k i + b_k), \quad C = \textstyle\sum_k f_k \odot S_k \\
        h   &= \tanh(W i + P\, C[0{:}k] + b) \\
        a_{push}, a_{noop}, a_{pop} &= \mathrm{softmax}(A h) \in \mathbb{R}^3, \quad u = \mathrm{drop}(\sigma(D h)) \\
        S[0] &= a_{push}\, u + a_{pop}\, C[1] + a_{noop}\, C[0], \quad
        S[j] = a_{push}\, C[j-1] + a_{pop}\, C[j+1] + a_{noop}\, C[j]

    The memory lies beside the cell: the actions are single numbers and the state does not come from the stack alone.
    stack: p. top: k, the rows that the state sees. dropout: on the pushed value. child_sum: i is the sum of the states.
    """

    linear_buffers = MappingProxyType({"P": ("tops", "dstate"), "A": ("state", "dscores"), "D": ("state", "dvalue")})

    def __init__(
        self,
        hidden: int = 50,
        stack: int = 2,
        top: int = 1,
        no_op: bool = True,
        dropout: float = 0.0,
        child_sum: bool = False,
    ) -> None:
        check_sizes(hidden=hidden, stack=stack, top=top)
        if top > stack:
            raise ValueError(f"top is from 1 to the stack's size {stack}, not {top}")
        names = stack_rows.action_names(no_op)
        linears = {"P": (top * hidden, hidden, False), "A": (hidden, len(names), False), "D": (hidden, hidden, False)}
        super().__init__(
            hidden,
            width=hidden,
            memory=(stack, hidden),
            forgets=True,
            child_sum=child_sum,
            linears=linears,
            dropout=dropout,
        )
        self.stack, self.top, self.no_op, self.names = stack, top, no_op, names

    def settings(self) -> dict[str, Any]:
        names = ("hidden", "stack", "top", "no_op", "dropout", "child_sum")
        return {name: getattr(self, name) for name in names}

    def step(self, z: Tensor, memory: Tensor, at: Nodes) -> tuple[Tensor, Tensor, Gates]:
        """z: (nodes, (1 + a)·n); memory: (nodes, a, p, n) the children's stacks."""
        f = self.forget_gates(z)  # (nodes, a, n)
        combined = (f.unsqueeze(2) * memory).sum(1)  # (nodes, p, n)
        h = (z[:, : self.hidden] + at.linear("P", combined[:, : self.top].flatten(1))).tanh()
        actions = at.linear("A", h).softmax(1)  # (nodes, 3): push, no-op, pop
        u = at.linear("D", h).sigmoid()
        rows = stack_rows.moved(combined, at.drop(u), actions.unsqueeze(2), self.names)
        return h, rows, {"u": u, "f": f, **dict(zip(self.names, actions.unsqueeze(2).unbind(1), strict=True))}

    # -- the same by hand ------------------------------------------------------------------------------------------------

    def kept(self) -> dict[str, tuple[int, ...]]:
        n = self.hidden
        shapes = {"tops": (self.top * n,), "from_tops": (n,), "state": (n,), "value": (n,), "scores": (len(self.names),)}
        return {**shapes, "actions": (len(self.names), 1), **stack_rows.kept(self.stack, n)}

    def up_views(self, all_: Buffers) -> dict[str, Tensor]:
        return {**stack_rows.up_views(all_, self.names), "top_rows": all_.padded[:, 1 : 1 + self.top]}

    def gate_views(self, z: Tensor) -> dict[str, Tensor]:
        return {"pre": z[:, : self.hidden]}

    def slopes(self, all_: Buffers) -> Tensor:
        """Of the forget gates; ``down`` needs the state's own before the end, and has applied it."""
        slopes = all_.z - all_.z.square()
        slopes[:, : self.hidden] = 1
        return slopes

    def up(self, at: Level) -> None:
        at.state.copy_(at.pre)
        at.z.sigmoid_()  # the state's columns too, needlessly: all of z in one piece is faster
        stack_rows.combine(at)
        at.tops.copy_(at.top_rows.flatten(1))
        at.linear("P", at.tops, at.from_tops)
        torch.tanh(at.state.add_(at.from_tops), out=at.state)
        at.h.copy_(at.state)
        at.linear("A", at.state, at.scores)
        torch.softmax(at.scores.unsqueeze(2), 1, out=at.actions)
        at.linear("D", at.state, at.value)
        at.value.sigmoid_()
        torch.mul(at.value, at.masks[0], out=at.u_above) if at.masks else at.u_above.copy_(at.value)
        stack_rows.move(at, self.names)

    def down_views(self, all_: Buffers) -> dict[str, Tensor]:
        gradients = {f"d{name}": torch.empty_like(getattr(all_, name)) for name in ("state", "scores", "value")}
        slopes = {"state_slope": 1 - all_.state.square(), "value_slope": all_.value - all_.value.square()}
        views = stack_rows.down_views(all_)
        dtop_rows = views["dcombined"][:, : self.top]
        return {**views, **gradients, **slopes, "dtop_rows": dtop_rows}

    def down(self, at: Level) -> None:
        dactions = stack_rows.move_down(at, self.names).sum(2, keepdim=True)  # (m, 3, 1)
        dactions.sub_((dactions * at.actions).sum(1, keepdim=True))
        torch.mul(dactions, at.actions, out=at.dscores.unsqueeze(2))
        stack_rows.u_down(at, at.dvalue)
        at.dvalue.mul_(at.value_slope)
        for mask in at.masks:
            at.dvalue.mul_(mask)
        dh = at.dh + at.linear_down("A", at.dscores) + at.linear_down("D", at.dvalue)
        torch.mul(dh, at.state_slope, out=at.dstate)
        at.dpre.copy_(at.dstate)
        at.dtop_rows.add_(at.linear_down("P", at.dstate).unflatten(1, (self.top, self.hidden)))
        stack_rows.combine_down(at)
