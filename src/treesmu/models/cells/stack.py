"""What happens to a differentiable stack: pushed, popped, left alone, each to a degree. Row 0 is the top.

With u above and zeros below the old stack C, the new one is a weighted sum of three windows onto that column:

    padded   u  C_0  C_1  ...  C_{p-1}  0
    push     [u   C_0 ... C_{p-2}]
    no-op        [C_0 ... C_{p-1}]
    pop               [C_1 ... C_{p-1}  0]

Actions are (nodes, 3, n): a degree for each entry of the state, or (nodes, 3, 1): one for all. Without no-op or pop they are
fewer: ``names`` tells which there are. queue.py has the same functions for a queue.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from ..forest.by_hand import Buffers, Level

SMALL = 1 << 15  # numbers; below, few calls count, above, little memory

Names = tuple[str, ...]


def action_names(no_op: bool, pop: bool = True) -> Names:
    """Of the actions that there are, in the order of their columns."""
    return ("push", *(("no_op",) if no_op else ()), *(("pop",) if pop else ()))


def memory_rows(p: int) -> int:
    """How many rows a node remembers."""
    return p


def moved(stack: Tensor, u: Tensor, actions: Tensor, names: Names) -> Tensor:
    """stack: (nodes, p, n), u: (nodes, n), actions: (nodes, names, n or 1) -> (nodes, p, n)"""
    places = {
        "push": torch.cat([u.unsqueeze(1), stack[:, :-1]], dim=1),
        "no_op": stack,
        "pop": F.pad(stack[:, 1:], (0, 0, 0, 1)),
    }
    found = torch.zeros_like(stack)
    for name, action in zip(names, actions.unbind(1), strict=True):
        found = found + action.unsqueeze(1) * places[name]
    return found


# -- the same by hand, over the levels of a sweep --------------------------------------------------------------------------


def kept(p: int, n: int) -> dict[str, tuple[int, ...]]:
    """What a node keeps between up and down."""
    return {"padded": (p + 2, n)}


def up_views(all_: Buffers, names: Names) -> dict[str, Tensor]:
    """What :func:`move` needs, from the buffers ``padded`` (inner, p + 2, n) and ``actions`` (inner, names, n or 1)."""
    padded = all_.padded
    padded[:, -1] = 0
    nodes, rows, n = padded.shape
    # windows[:, j] are the rows that can become row j of the new stack: pushed, left alone, popped
    apart = 2 * n if names == ("push", "pop") else n
    windows = padded.as_strided((nodes, rows - 2, len(names), n), (rows * n, n, apart, 1))
    named = {"pushed": padded[:, :-2], "combined": padded[:, 1:-1], "popped": padded[:, 2:], "windows": windows}
    return named | {"u_above": padded[:, 0]} | action_views(all_, names)


def action_views(all_: Buffers, names: Names) -> dict[str, Tensor]:
    """Each action by its name, (inner, 1, n or 1)."""
    return dict(zip(names, all_.actions.unsqueeze(2).unbind(1), strict=True))


def combine(at: Level) -> None:
    """C = the sum of the children's stacks, each times its forget gate."""
    for k, child in enumerate(at.children):
        child.gate = child.f.unsqueeze(1)
        if k == 0:
            torch.mul(child.gate, child.memory, out=at.combined)
        else:
            child.of(at.combined).addcmul_(child.gate, child.memory)


def move(at: Level, names: Names) -> None:
    """The new stack, from the windows and the actions."""
    torch.mul(at.push, at.pushed, out=at.memory)
    if "pop" in names:
        at.memory.addcmul_(at.pop, at.popped)
    if "no_op" in names:
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
        "push_row": all_.actions[:, 0],
    }
    return {**named, "dcombined": dcombined, "dcombined_low": dcombined[:, 1:], "dcombined_high": dcombined[:, :-1]}


def u_down(at: Level, out: Tensor) -> None:
    """The gradient of what is pushed, u after dropout."""
    torch.mul(at.push_row, at.dtop, out=out)


def move_down(at: Level, names: Names) -> Tensor:
    """Writes dcombined; returns the gradients of actions (m, names, n), not yet summed over entries that share one."""
    if "no_op" in names:
        torch.mul(at.no_op, at.dmemory, out=at.dcombined)
    else:
        at.dcombined.zero_()
    at.dcombined_high.addcmul_(at.push, at.dstack_low)
    if "pop" in names:
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
