"""Tree-LSTM."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ..forest.by_hand import Buffers, Level
from .base import Cell, Gates, Nodes, check_sizes


class TreeLSTM(Cell):
    r"""Tree-LSTM of Tai et al. (2015), with one forget gate a child and weights of its own for each function.

    .. math::
        i, o &= \sigma(W x + b), \quad f_k = \sigma(W_k x + b_k), \quad u = \tanh(W_u x + b_u) \\
        c    &= i \odot \mathrm{drop}(u) + \textstyle\sum_k f_k \odot c_k, \qquad h = o \odot \tanh(c)

    where :math:`x = [h_1; \dots; h_a]` are the states of the *a* children. With ``child_sum``,
    :math:`x = \sum_k h_k` and :math:`f_k = \sigma(W_f h_k + b_f)`.
    """

    def __init__(self, hidden: int = 50, dropout: float = 0.0, child_sum: bool = False) -> None:
        check_sizes(hidden=hidden)
        super().__init__(hidden, width=3 * hidden, memory=(hidden,), forgets=True, child_sum=child_sum, dropout=dropout)

    def settings(self) -> dict[str, Any]:
        return {"hidden": self.hidden, "dropout": self.dropout, "child_sum": self.child_sum}

    def step(self, z: Tensor, memory: Tensor, at: Nodes) -> tuple[Tensor, Tensor, Gates]:
        """z: (nodes, (3 + a)·n); memory: (nodes, a, n) the children's c."""
        u, i, o = z[:, : self.width].chunk(3, dim=1)
        u, i, o = u.tanh(), i.sigmoid(), o.sigmoid()  # (nodes, n)
        f = self.forget_gates(z)  # (nodes, a, n)
        c = i * at.drop(u) + (f * memory).sum(1)
        h = o * c.tanh()
        return h, c, {"u": u, "i": i, "o": o, "f": f}

    # -- the same by hand ------------------------------------------------------------------------------------------------

    def kept(self) -> dict[str, tuple[int, ...]]:
        return {"u": (self.hidden,), "tanh_c": (self.hidden,)}

    def gate_views(self, z: Tensor) -> dict[str, Tensor]:
        u, i, o = z[:, : self.width].chunk(3, dim=1)
        return {"z_u": u, "i": i, "o": o}

    def up(self, at: Level) -> None:
        torch.tanh(at.z_u, out=at.u)
        at.z.sigmoid_()  # u's columns too, needlessly: all of z in one piece is faster
        torch.mul(at.i, at.u * at.masks[0] if at.masks else at.u, out=at.memory)
        for child in at.children:
            child.of(at.memory).addcmul_(child.f, child.memory)
        torch.tanh(at.memory, out=at.tanh_c)
        torch.mul(at.o, at.tanh_c, out=at.h)

    def down_views(self, all_: Buffers) -> dict[str, Tensor]:
        o = all_.z[:, 2 * self.hidden : self.width]
        return {"dc_dh": o * (1 - all_.tanh_c.square())}

    def down(self, at: Level) -> None:
        dc = at.dmemory.addcmul_(at.dh, at.dc_dh)
        torch.mul(at.dh, at.tanh_c, out=at.do)
        torch.mul(dc, at.u, out=at.di)
        torch.mul(dc, at.i, out=at.dz_u)
        for mask in at.masks:
            at.di.mul_(mask)
            at.dz_u.mul_(mask)
        for child in at.children:
            dc_k = child.of(dc)
            torch.mul(dc_k, child.memory, out=child.df)
            child.add_to_memory(dc_k * child.f)
