"""Queue: a differentiable queue, for comparison with the stack. The oldest entry is on top, in row 0.

The paper mentions it in one sentence: with a queue "all the nodes see the state of the tree leaves on top of their memory".
Here a push appends u behind the last entry, and a pop removes the oldest one. The position of the last entry is a matter of
degree, so a queue consists of two tables of p rows: the entries Q, and E, how far each row is filled (what Q would hold if only
ones had been pushed). C and D are those of the children, combined as stacks are; D is at most 1.

    free   F[j] = D[j-1] - D[j], with D[-1] = 1: how far row j is the first one that is not filled
    push   Q[j] = C[j] + F[j] u          E[j] = D[j-1]
    no-op  Q[j] = C[j]                   E[j] = D[j]
    pop    Q[j] = C[j+1]                 E[j] = D[j+1]

Rows past the end are 0: what is pushed into a full queue is lost. The memory of a node is (2p, n), Q and below it E.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from .hand_written import Level
from .memory import Actions, RowMemory, by_action
from .stack import Stack


class QueueUp(NamedTuple):
    """Buffers of the way up."""

    u: Tensor  # (m, n) what is pushed
    c_here: Tensor  # (m, p, n) views of C with a row of zeros below it
    c_next: Tensor
    d_before: Tensor  # (m, p, n) views of D with a row of ones above and a row of zeros below it
    d_here: Tensor
    d_next: Tensor
    is_open: Tensor  # (m, p, n) 1 where D was not cut off at 1
    free: Tensor  # (m, p, n)
    entries: Tensor  # (m, p, n) Q and E, the two halves of the new memory
    filled: Tensor
    push: Tensor  # (m, 1, n)
    no_op: Tensor | None
    pop: Tensor | None


class QueueDown(NamedTuple):
    """Buffers of the way down."""

    dtop: Tensor  # (m, n) row 0 of the new entries
    dentries: Tensor  # (m, p, n)
    dfilled: Tensor
    push_row: Tensor  # (m, n)
    dcombined: Tensor  # (m, 2p, n)
    dc: Tensor  # (m, p, n) its two halves
    dd: Tensor


class Queue(RowMemory[QueueUp, QueueDown]):
    """A queue of p rows."""

    def __init__(self, p: int, actions: Actions) -> None:
        super().__init__(p, actions)
        self.stack_of_ones = Stack(p, actions)  # E moves like it

    @property
    def rows(self) -> int:
        return 2 * self.p

    def moved(self, memory: Tensor, u: Tensor, actions: Tensor) -> Tensor:
        c, d = memory.chunk(2, dim=1)
        d = d.clamp_max(1)
        free = torch.cat([torch.ones_like(d[:, :1]), d[:, :-1]], dim=1) - d
        choices = {"push": c + free * u.unsqueeze(1), "no_op": c, "pop": F.pad(c[:, 1:], (0, 0, 0, 1))}
        q = torch.zeros_like(c)
        for name, action in zip(self.actions, actions.unbind(1), strict=True):
            q = q + action.unsqueeze(1) * choices[name]
        return torch.cat([q, self.stack_of_ones.moved(d, torch.ones_like(u), actions)], dim=1)

    def up_rows(self, memory: Tensor, actions: Tensor) -> QueueUp:
        nodes, _, n = memory.shape
        c, d = memory.new_empty(nodes, self.p + 1, n), memory.new_empty(nodes, self.p + 2, n)
        c[:, -1] = 0
        d[:, 0] = 1
        d[:, -1] = 0
        is_open, free = memory.new_empty(2, nodes, self.p, n).unbind()
        views = (c[:, :-1], c[:, 1:], d[:, :-2], d[:, 1:-1], d[:, 2:])
        entries, filled = memory.chunk(2, dim=1)
        u = memory.new_empty(nodes, n)
        return QueueUp(u, *views, is_open, free, entries, filled, *by_action(self.actions, actions))

    def pushed(self, rows: QueueUp) -> Tensor:
        return rows.u

    def combine(self, at: Level, rows: QueueUp) -> None:
        for k, child in enumerate(at.children):
            for table, below in zip((rows.c_here, rows.d_here), child.memory.chunk(2, dim=1), strict=True):
                if k == 0:
                    torch.mul(child.gate, below, out=table)
                else:
                    child.of(table).addcmul_(child.gate, below)
        rows.is_open.copy_(rows.d_here <= 1)
        rows.d_here.clamp_max_(1)

    def move(self, at: Level, rows: QueueUp) -> None:
        del at
        torch.sub(rows.d_before, rows.d_here, out=rows.free)
        torch.mul(rows.push, torch.addcmul(rows.c_here, rows.free, rows.u.unsqueeze(1)), out=rows.entries)
        torch.mul(rows.push, rows.d_before, out=rows.filled)
        for action, c, d in ((rows.no_op, rows.c_here, rows.d_here), (rows.pop, rows.c_next, rows.d_next)):
            if action is not None:
                rows.entries.addcmul_(action, c)
                rows.filled.addcmul_(action, d)

    def down_rows(self, up: QueueUp, dmemory: Tensor) -> QueueDown:
        dcombined = torch.empty_like(dmemory)
        (dentries, dfilled), (dc, dd) = dmemory.chunk(2, dim=1), dcombined.chunk(2, dim=1)
        return QueueDown(dmemory[:, 0], dentries, dfilled, up.push[:, 0], dcombined, dc, dd)

    def top_gradient(self, down: QueueDown) -> Tensor:
        return down.dtop

    def combined_gradient(self, down: QueueDown) -> Tensor:
        return down.dcombined

    def pushed_down(self, up: QueueUp, down: QueueDown, out: Tensor) -> None:
        torch.mul(down.push_row, (down.dentries * up.free).sum(1), out=out)

    def move_down(self, at: Level, up: QueueUp, down: QueueDown) -> Tensor:
        del at
        u, dentries, dfilled, dc, dd = up.u.unsqueeze(1), down.dentries, down.dfilled, down.dc, down.dd
        pushed = up.push * dentries  # (m, p, n)
        dfree = pushed * u
        dc.copy_(pushed)
        torch.neg(dfree, out=dd)
        dd[:, :-1] += dfree[:, 1:] + up.push * dfilled[:, 1:]
        dactions = [(dentries * torch.addcmul(up.c_here, up.free, u) + dfilled * up.d_before).sum(1)]
        if up.no_op is not None:
            dc.addcmul_(up.no_op, dentries)
            dd.addcmul_(up.no_op, dfilled)
            dactions.append((dentries * up.c_here + dfilled * up.d_here).sum(1))
        if up.pop is not None:
            dc[:, 1:].addcmul_(up.pop, dentries[:, :-1])
            dd[:, 1:].addcmul_(up.pop, dfilled[:, :-1])
            dactions.append((dentries * up.c_next + dfilled * up.d_next).sum(1))
        dd.mul_(up.is_open)
        return torch.stack(dactions, 1)
