"""Stack: a differentiable stack, which is pushed, popped and left alone, each to a degree. Row 0 is the top.

With u above and zeros below the old stack C, the new one is a weighted sum of three windows onto that column:

    padded   u  C_0  C_1  ...  C_{p-1}  0
    push     [u   C_0 ... C_{p-2}]
    no-op        [C_0 ... C_{p-1}]
    pop               [C_1 ... C_{p-1}  0]
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from .hand_written import Level
from .memory import RowMemory, by_action, sum_of_products


class StackUp(NamedTuple):
    """Buffers of the way up: views of the padded column (m, p + 2, n), and the actions."""

    u_above: Tensor  # (m, n)
    pushed: Tensor  # (m, p, n) the three windows
    combined: Tensor
    popped: Tensor
    windows: Tensor  # (m, p, actions, n) the rows that can become row j: pushed, left alone, popped
    push: Tensor  # (m, 1, n or 1)
    no_op: Tensor | None
    pop: Tensor | None


class StackDown(NamedTuple):
    """Buffers of the way down: views of the gradients of the new and of the combined stack."""

    dtop: Tensor  # (m, n) row 0 of the new stack
    dstack_high: Tensor  # (m, p - 1, n) all rows but the last, all but the first
    dstack_low: Tensor
    dstack_rows: Tensor  # (m, p, 1, n)
    push_row: Tensor  # (m, n or 1)
    dcombined: Tensor  # (m, p, n)
    dcombined_high: Tensor
    dcombined_low: Tensor


class Stack(RowMemory[StackUp, StackDown]):
    """A stack of p rows."""

    @property
    def rows(self) -> int:
        return self.p

    def moved(self, memory: Tensor, u: Tensor, actions: Tensor) -> Tensor:
        windows = {
            "push": torch.cat([u.unsqueeze(1), memory[:, :-1]], dim=1),
            "no_op": memory,
            "pop": F.pad(memory[:, 1:], (0, 0, 0, 1)),
        }
        stack = torch.zeros_like(memory)
        for name, action in zip(self.actions, actions.unbind(1), strict=True):
            stack = stack + action.unsqueeze(1) * windows[name]
        return stack

    def up_rows(self, memory: Tensor, actions: Tensor) -> StackUp:
        nodes, p, n = memory.shape
        padded = memory.new_empty(nodes, p + 2, n)
        padded[:, -1] = 0
        apart = 2 * n if self.actions == ("push", "pop") else n
        windows = padded.as_strided((nodes, p, len(self.actions), n), ((p + 2) * n, n, apart, 1))
        views = (padded[:, 0], padded[:, :-2], padded[:, 1:-1], padded[:, 2:], windows)
        return StackUp(*views, *by_action(self.actions, actions))

    def pushed(self, rows: StackUp) -> Tensor:
        return rows.u_above

    def combine(self, at: Level, rows: StackUp) -> None:
        for k, child in enumerate(at.children):
            if k == 0:
                torch.mul(child.gate, child.memory, out=rows.combined)
            else:
                child.of(rows.combined).addcmul_(child.gate, child.memory)

    def move(self, at: Level, rows: StackUp) -> None:
        torch.mul(rows.push, rows.pushed, out=at.memory)
        if rows.pop is not None:
            at.memory.addcmul_(rows.pop, rows.popped)
        if rows.no_op is not None:
            at.memory.addcmul_(rows.no_op, rows.combined)

    def down_rows(self, up: StackUp, dmemory: Tensor) -> StackDown:
        dcombined = torch.empty_like(dmemory)
        of_new = (dmemory[:, 0], dmemory[:, :-1], dmemory[:, 1:], dmemory.unsqueeze(2))
        return StackDown(*of_new, up.push[:, 0], dcombined, dcombined[:, :-1], dcombined[:, 1:])

    def top_gradient(self, down: StackDown) -> Tensor:
        return down.dtop

    def combined_gradient(self, down: StackDown) -> Tensor:
        return down.dcombined

    def pushed_down(self, up: StackUp, down: StackDown, out: Tensor) -> None:
        del up
        torch.mul(down.push_row, down.dtop, out=out)

    def move_down(self, at: Level, up: StackUp, down: StackDown) -> Tensor:
        if up.no_op is not None:
            torch.mul(up.no_op, at.dmemory, out=down.dcombined)
        else:
            down.dcombined.zero_()
        down.dcombined_high.addcmul_(up.push, down.dstack_low)
        if up.pop is not None:
            down.dcombined_low.addcmul_(up.pop, down.dstack_high)
        return sum_of_products(down.dstack_rows, up.windows)
