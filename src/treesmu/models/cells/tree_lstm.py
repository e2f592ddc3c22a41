"""TreeLSTM: the Tree-LSTM of Tai et al. (2015)."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from .arguments import check_sizes
from .base import Cell, Gates, Nodes
from .hand_written import HandWritten, Level, gate_slopes, gradient_of


class TreeLSTM(Cell):
    r"""Tree-LSTM of Tai et al. (2015), with one forget gate per child and separate weights for each function.

    .. math::
        i, o &= \sigma(W x + b), \quad f_k = \sigma(W_k x + b_k), \quad u = \tanh(W_u x + b_u) \\
        c    &= i \odot \mathrm{drop}(u) + \textstyle\sum_k f_k \odot c_k, \qquad h = o \odot \tanh(c)

    where :math:`x = [h_1; \dots; h_a]` are the states of the *a* children. With ``child_sum``,
    :math:`x = \sum_k h_k` and :math:`f_k = \sigma(W_f h_k + b_f)`.
    """

    def __init__(
        self, hidden: int = 50, dropout: float = 0.0, child_sum: bool = False, depth: int = 1, expansion: int = 4
    ) -> None:
        check_sizes(hidden=hidden)
        super().__init__(
            hidden,
            width=3 * hidden,
            memory=(hidden,),
            forgets=True,
            child_sum=child_sum,
            dropout=dropout,
            depth=depth,
            expansion=expansion,
        )

    def step(self, z: Tensor, memory: Tensor, at: Nodes) -> tuple[Tensor, Tensor, Gates]:
        """Compute nodes of one arity a. z: (nodes, (3 + a)·n); memory: (nodes, a, n), the children's c."""
        u, i, o = z[:, : self.width].chunk(3, dim=1)
        u, i, o = u.tanh(), i.sigmoid(), o.sigmoid()  # (nodes, n)
        f = self.forget_gates(z)  # (nodes, a, n)
        c = i * at.drop(u) + (f * memory).sum(1)
        h = o * c.tanh()
        return h, c, {"u": u, "i": i, "o": o, "f": f}


class _Up(NamedTuple):
    z_u: Tensor  # (m, n) columns of z
    i: Tensor
    o: Tensor
    u: Tensor
    tanh_c: Tensor


class _Down(NamedTuple):
    dz_u: Tensor  # (m, n) columns of dz
    di: Tensor
    do: Tensor
    dc_dh: Tensor


@gradient_of(TreeLSTM)
class _TreeLSTMByHand(HandWritten[TreeLSTM, _Up, _Down]):
    def up_rows(self, z: Tensor, memory: Tensor) -> _Up:
        return _Up(*self._gates(z), u=torch.empty_like(memory), tanh_c=torch.empty_like(memory))

    def _gates(self, z: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        u, i, o = z[:, : self.cell.width].chunk(3, dim=1)
        return u, i, o

    def up(self, at: Level, rows: _Up) -> None:
        torch.tanh(rows.z_u, out=rows.u)
        at.z.sigmoid_()  # needless for the columns of u, but all of z in one call is faster
        torch.mul(rows.i, rows.u * at.masks[0] if at.masks else rows.u, out=at.memory)
        for child in at.children:
            child.of(at.memory).addcmul_(child.f, child.memory)
        torch.tanh(at.memory, out=rows.tanh_c)
        torch.mul(rows.o, rows.tanh_c, out=at.h)

    def down_rows(self, up: _Up, dz: Tensor, dmemory: Tensor) -> _Down:
        del dmemory
        return _Down(*self._gates(dz), dc_dh=up.o * (1 - up.tanh_c.square()))

    def down(self, at: Level, up: _Up, down: _Down) -> None:
        dc = at.dmemory.addcmul_(at.dh, down.dc_dh)
        torch.mul(at.dh, up.tanh_c, out=down.do)
        torch.mul(dc, up.u, out=down.di)
        torch.mul(dc, up.i, out=down.dz_u)
        for mask in at.masks:
            down.di.mul_(mask)
            down.dz_u.mul_(mask)
        for child in at.children:
            dc_k = child.of(dc)
            torch.mul(dc_k, child.memory, out=child.df)
            child.add_to_memory(dc_k * child.f)

    def slopes(self, z: Tensor, up: _Up) -> Tensor:
        return gate_slopes(z, up.u)
