"""The queue of one node, compiled: cells/queue.py. A memory has p rows of entries Q and p rows E, how far each is filled."""

from __future__ import annotations

from ..native import Array, kernel


@kernel
def move(p: int, n: int, u: Array, combined: Array, actions: Array, out: Array) -> None:
    """Write Q and E of the new queue. combined: C and D of the children, (2·p·n,), of which D is cut off at 1 here."""
    one, zero = u.dtype.type(1), u.dtype.type(0)
    push, no_op, pop = actions[:n], actions[n : 2 * n], actions[2 * n : 3 * n]
    for c in range(p * n, 2 * p * n):
        combined[c] = min(combined[c], one)
    for j in range(p):
        at, to = j * n, (p + j) * n
        for c in range(n):
            before = one if j == 0 else combined[to - n + c]
            here = combined[to + c]
            after = combined[to + n + c] if j + 1 < p else zero
            entry = combined[at + c]
            entry_after = combined[at + n + c] if j + 1 < p else zero
            out[at + c] = push[c] * (entry + (before - here) * u[c]) + no_op[c] * entry + pop[c] * entry_after
            out[to + c] = push[c] * before + no_op[c] * here + pop[c] * after


@kernel
def move_down(
    p: int, n: int, u: Array, combined: Array, actions: Array, dout: Array, dcombined: Array, dactions: Array, du: Array
) -> None:
    """Write the gradients of C and D (2·p·n,), of the actions (3·n,) and of u (n,), from that of the new queue."""
    one, zero = u.dtype.type(1), u.dtype.type(0)
    push, no_op, pop = actions[:n], actions[n : 2 * n], actions[2 * n : 3 * n]
    du[:] = zero
    dactions[:] = zero
    for c in range(2 * p * n):
        dcombined[c] = zero
    for j in range(p):
        at, to = j * n, (p + j) * n
        for c in range(n):
            dq, de = dout[at + c], dout[to + c]
            before = one if j == 0 else min(combined[to - n + c], one)
            here = min(combined[to + c], one)
            pushed = push[c] * dq
            free = before - here
            du[c] += pushed * free
            dactions[c] += dq * (combined[at + c] + free * u[c]) + de * before
            dactions[n + c] += dq * combined[at + c] + de * here
            dcombined[at + c] += pushed + no_op[c] * dq
            dcombined[to + c] += no_op[c] * de - pushed * u[c]
            if j > 0:
                dcombined[to - n + c] += pushed * u[c] + push[c] * de
            if j + 1 < p:
                dactions[2 * n + c] += dq * combined[at + n + c] + de * min(combined[to + n + c], one)
                dcombined[at + n + c] += pop[c] * dq
                dcombined[to + n + c] += pop[c] * de
    for c in range(p * n, 2 * p * n):
        if combined[c] > one:
            dcombined[c] = zero
