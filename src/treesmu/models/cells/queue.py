"""What happens to a differentiable queue, for comparison with the stack: the oldest entry is on top, row 0.

The paper has it in a sentence: with a queue "all the nodes see the state of the tree leaves on top of their memory". Here a
push puts u behind the last entry, a pop takes the oldest one away. Where the last entry is, is a matter of degree, so a queue
is two tables of p rows, the entries Q and how far each row is filled, E: what would be in Q if only ones had been pushed.
C and D are the children's, combined as stacks are; D is at most 1.

    free   F[j] = D[j-1] - D[j], with D[-1] = 1: how far row j is the first one that is not filled
    push   Q[j] = C[j] + F[j] u          E[j] = D[j-1]
    no-op  Q[j] = C[j]                   E[j] = D[j]
    pop    Q[j] = C[j+1]                 E[j] = D[j+1]

Rows past the end are 0: what is pushed into a full queue is lost. The functions are those of stack.py; a node's memory is
(2p, n), Q and below it E.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from ..forest.by_hand import Buffers, Level
from . import stack
from .stack import Names


def memory_rows(p: int) -> int:
    return 2 * p


def moved(memory: Tensor, u: Tensor, actions: Tensor, names: Names) -> Tensor:
    """memory: (nodes, 2p, n), u: (nodes, n), actions: (nodes, names, n) -> (nodes, 2p, n)"""
    c, d = memory.chunk(2, dim=1)
    d = d.clamp_max(1)
    free = torch.cat([torch.ones_like(d[:, :1]), d[:, :-1]], dim=1) - d
    places = {"push": c + free * u.unsqueeze(1), "no_op": c, "pop": F.pad(c[:, 1:], (0, 0, 0, 1))}
    q = torch.zeros_like(c)
    for name, action in zip(names, actions.unbind(1), strict=True):
        q = q + action.unsqueeze(1) * places[name]
    return torch.cat([q, stack.moved(d, torch.ones_like(u), actions, names)], dim=1)


# -- the same by hand, over the levels of a sweep --------------------------------------------------------------------------


def kept(p: int, n: int) -> dict[str, tuple[int, ...]]:
    """c: C and a row of zeros; d: a row of ones, D, a row of zeros; is_open: 1 where D was not cut off at 1."""
    return {"c": (p + 1, n), "d": (p + 2, n), "is_open": (p, n), "free": (p, n), "u_above": (n,)}


def up_views(all_: Buffers, names: Names) -> dict[str, Tensor]:
    all_.c[:, -1] = 0
    all_.d[:, 0] = 1
    all_.d[:, -1] = 0
    entries, filled = all_.memory.chunk(2, dim=1)
    own = {"c_here": all_.c[:, :-1], "c_next": all_.c[:, 1:], "entries": entries, "filled": filled}
    beside = {"d_before": all_.d[:, :-2], "d_here": all_.d[:, 1:-1], "d_next": all_.d[:, 2:]}
    return own | beside | stack.action_views(all_, names)


def combine(at: Level) -> None:
    """C and D: the sums of the children's, each times its forget gate; D is at most 1."""
    for k, child in enumerate(at.children):
        child.gate = child.f.unsqueeze(1)
        for table, below in zip((at.c_here, at.d_here), child.memory.chunk(2, dim=1), strict=True):
            if k == 0:
                torch.mul(child.gate, below, out=table)
            else:
                child.of(table).addcmul_(child.gate, below)
    at.is_open.copy_(at.d_here <= 1)
    at.d_here.clamp_max_(1)


def move(at: Level, names: Names) -> None:
    torch.sub(at.d_before, at.d_here, out=at.free)
    torch.mul(at.push, torch.addcmul(at.c_here, at.free, at.u_above.unsqueeze(1)), out=at.entries)
    torch.mul(at.push, at.d_before, out=at.filled)
    for name, c, d in (("no_op", at.c_here, at.d_here), ("pop", at.c_next, at.d_next)):
        if name in names:
            at.entries.addcmul_(getattr(at, name), c)
            at.filled.addcmul_(getattr(at, name), d)


def down_views(all_: Buffers) -> dict[str, Tensor]:
    dentries, dfilled = all_.dmemory.chunk(2, dim=1)
    dcombined = torch.empty_like(all_.dmemory)
    dc, dd = dcombined.chunk(2, dim=1)
    named = {"dtop": all_.dmemory[:, 0], "push_row": all_.actions[:, 0], "dentries": dentries, "dfilled": dfilled}
    return named | {"dcombined": dcombined, "dc": dc, "dd": dd}


def u_down(at: Level, out: Tensor) -> None:
    """The gradient of what is pushed, u after dropout."""
    torch.mul(at.push_row, (at.dentries * at.free).sum(1), out=out)


def move_down(at: Level, names: Names) -> Tensor:
    """Writes dcombined; returns the gradients of actions (m, names, n)."""
    u = at.u_above.unsqueeze(1)
    pushed = at.push * at.dentries  # (m, p, n)
    dfree = pushed * u
    at.dc.copy_(pushed)
    torch.neg(dfree, out=at.dd)
    at.dd[:, :-1] += dfree[:, 1:] + at.push * at.dfilled[:, 1:]
    dactions = [(at.dentries * torch.addcmul(at.c_here, at.free, u) + at.dfilled * at.d_before).sum(1)]
    if "no_op" in names:
        at.dc.addcmul_(at.no_op, at.dentries)
        at.dd.addcmul_(at.no_op, at.dfilled)
        dactions.append((at.dentries * at.c_here + at.dfilled * at.d_here).sum(1))
    if "pop" in names:
        at.dc[:, 1:].addcmul_(at.pop, at.dentries[:, :-1])
        at.dd[:, 1:].addcmul_(at.pop, at.dfilled[:, :-1])
        dactions.append((at.dentries * at.c_next + at.dfilled * at.d_next).sum(1))
    at.dd.mul_(at.is_open)
    return torch.stack(dactions, 1)
