"""What happens to a differentiable stack: pushed, popped, left alone, each to a degree. Row 0 is the top.

With u above and zeros below the old stack C, the new one is a weighted sum of three windows onto that column:

    padded   u  C_0  C_1  ...  C_{p-1}  0
    push     [u   C_0 ... C_{p-2}]
    no-op        [C_0 ... C_{p-1}]
    pop               [C_1 ... C_{p-1}  0]

Actions are (nodes, 3, n): a degree for each entry of the state, or (nodes, 3, 1): one for all; without no-op, 2 in place of 3.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from .sweep import Buffers, Level

SMALL = 1 << 15  # numbers; below, few calls count, above, little memory


def moved(stack: Tensor, u: Tensor, actions: Tensor) -> Tensor:
    """stack: (nodes, p, n), u: (nodes, n), actions: (nodes, 3 or 2, n or 1) -> (nodes, p, n)"""
    pushed = torch.cat([u.unsqueeze(1), stack[:, :-1]], dim=1)
    popped = F.pad(stack[:, 1:], (0, 0, 0, 1))
    places = (pushed, stack, popped) if actions.shape[1] == 3 else (pushed, popped)
    return sum((a.unsqueeze(1) * place for a, place in zip(actions.unbind(1), places, strict=True)), torch.zeros_like(stack))


# -- the same by hand, over the levels of a sweep --------------------------------------------------------------------------


def up_views(all_: Buffers) -> dict[str, Tensor]:
    """What :func:`move` needs, from the buffers ``padded`` (inner, p + 2, n) and ``actions`` (inner, 3, n or 1)."""
    padded, actions = all_.padded, all_.actions
    padded[:, -1] = 0
    (nodes, rows, n), count = padded.shape, actions.shape[1]
    # windows[:, j] are the rows that can become row j of the new stack: pushed, left alone, popped
    windows = padded.as_strided((nodes, rows - 2, count, n), (rows * n, n, n if count == 3 else 2 * n, 1))
    push, *no_op, pop = actions.unsqueeze(2).unbind(1)  # (inner, 1, n or 1)
    named = {"pushed": padded[:, :-2], "combined": padded[:, 1:-1], "popped": padded[:, 2:], "windows": windows}
    named |= {"push": push, "pop": pop, "u_above": padded[:, 0]}
    return named | ({"no_op": no_op[0]} if no_op else {})


def combine(at: Level) -> None:
    """C = the sum of the children's stacks, each times its forget gate."""
    for k, child in enumerate(at.children):
        child.gate = child.f.unsqueeze(1)
        if k == 0:
            torch.mul(child.gate, child.memory, out=at.combined)
        else:
            child.of(at.combined).addcmul_(child.gate, child.memory)


def move(at: Level, no_op: bool) -> None:
    """The new stack, from the windows and the actions."""
    torch.mul(at.push, at.pushed, out=at.memory)
    at.memory.addcmul_(at.pop, at.popped)
    if no_op:
        at.memory.addcmul_(at.no_op, at.combined)


def down_views(all_: Buffers) -> dict[str, Tensor]:
    """What :func:`move_down` needs, from ``dmemory`` (inner, p, n), the gradient of the new stacks."""
    dstack = all_.dmemory
    dcombined = torch.empty_like(dstack)
    named = {
        "dtop": dstack[:, 0],
        "dstack_low": dstack[:, 1:],
        "dstack_high": dstack[:, :-1],
        "dstack_rows": dstack.unsqueeze(2),
    }
    return {**named, "dcombined": dcombined, "dcombined_low": dcombined[:, 1:], "dcombined_high": dcombined[:, :-1]}


def move_down(at: Level, no_op: bool) -> Tensor:
    """Writes dcombined; returns the gradients of actions (m, 3, n), not yet summed over entries that share one."""
    if no_op:
        torch.mul(at.no_op, at.dmemory, out=at.dcombined)
    else:
        at.dcombined.zero_()
    at.dcombined_high.addcmul_(at.push, at.dstack_low)
    at.dcombined_low.addcmul_(at.pop, at.dstack_high)
    return _sum_of_products(at.dstack_rows, at.windows)


def combine_down(at: Level) -> None:
    """From dcombined to the gradients of forget gates and of the children's stacks."""
    for child in at.children:
        dcombined = child.of(at.dcombined)
        _sum_of_products(dcombined, child.memory, child.df)
        child.add_to_memory(dcombined * child.gate)


def _sum_of_products(a: Tensor, b: Tensor, out: Tensor | None = None) -> Tensor:
    """The sum over the stack's rows of a (m, p, ...) times b (m, p, ...)."""
    if b.numel() < SMALL:
        return torch.sum(a * b, 1, out=out)
    # Row by row: a larger product would leave the cache before it is summed.
    first, *others = zip(a.unbind(1), b.unbind(1), strict=True)
    total = torch.mul(*first, out=out)
    for a_j, b_j in others:
        total.addcmul_(a_j, b_j)
    return total
