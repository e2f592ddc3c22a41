"""The stack of one node, compiled: cells/stack.py, and the combination of the children's memories. A row j begins at j·n."""

from __future__ import annotations

from ..native import Array, kernel, row_kernel
from .arithmetic import copy


@kernel
def combine(f: Array, memories: Array, children: Array, n: int, out: Array) -> None:
    """Write the sum of the children's memories, each times its forget gate: C = Σ f_k S_k. f: (a·n,), out: (memory,)."""
    arity = len(f) // n
    if arity == 1:
        _times(f, memories[children[0]], n, out)
        return
    _times_two(f[:n], memories[children[0]], f[n : 2 * n], memories[children[1]], n, out)
    for k in range(2, arity):
        add_times(f[k * n : (k + 1) * n], memories[children[k]], n, out)


@row_kernel
def _times(gate: Array, memory: Array, n: int, out: Array) -> None:
    for j in range(len(out) // n):
        row, to = memory[j * n : (j + 1) * n], out[j * n : (j + 1) * n]
        for c in range(n):
            to[c] = gate[c] * row[c]


@row_kernel
def _times_two(gate: Array, memory: Array, other_gate: Array, other_memory: Array, n: int, out: Array) -> None:
    for j in range(len(out) // n):
        row, other, to = memory[j * n : (j + 1) * n], other_memory[j * n : (j + 1) * n], out[j * n : (j + 1) * n]
        for c in range(n):
            to[c] = gate[c] * row[c] + other_gate[c] * other[c]


@row_kernel
def add_times(gate: Array, memory: Array, n: int, out: Array) -> None:
    """Add a memory times a gate to out, row by row."""
    for j in range(len(out) // n):
        row, to = memory[j * n : (j + 1) * n], out[j * n : (j + 1) * n]
        for c in range(n):
            to[c] += gate[c] * row[c]


@kernel
def combine_down(f: Array, memories: Array, children: Array, n: int, dcombined: Array, df: Array) -> None:
    """Write the gradients of the pre-activations of the forget gates, df f (1 - f) with df_k = Σ_j dC[j] S_k[j]."""
    for k in range(len(f) // n):
        _gate_down(f[k * n : (k + 1) * n], memories[children[k]], n, dcombined, df[k * n : (k + 1) * n])


@row_kernel
def _gate_down(gate: Array, memory: Array, n: int, dcombined: Array, out: Array) -> None:
    one = gate.dtype.type(1)
    for c in range(n):
        out[c] = dcombined[c] * memory[c]
    for j in range(1, len(dcombined) // n):
        row, grad = memory[j * n : (j + 1) * n], dcombined[j * n : (j + 1) * n]
        for c in range(n):
            out[c] += grad[c] * row[c]
    for c in range(n):
        out[c] *= gate[c] * (one - gate[c])


@kernel
def move(p: int, n: int, u: Array, combined: Array, actions: Array, out: Array) -> None:
    """Write S[j] = push C[j-1] + no-op C[j] + pop C[j+1], with u above C and zeros below it. actions: (3·n,)."""
    push, no_op, pop = actions[:n], actions[n : 2 * n], actions[2 * n : 3 * n]
    for j in range(p):
        above = u if j == 0 else combined[(j - 1) * n : j * n]
        here, to = combined[j * n : (j + 1) * n], out[j * n : (j + 1) * n]
        if j + 1 < p:
            _moved(push, above, no_op, here, pop, combined[(j + 1) * n : (j + 2) * n], to)
        else:
            _moved_last(push, above, no_op, here, to)


@row_kernel
def _moved(push: Array, above: Array, no_op: Array, here: Array, pop: Array, below: Array, out: Array) -> None:
    for c in range(len(out)):
        out[c] = push[c] * above[c] + no_op[c] * here[c] + pop[c] * below[c]


@row_kernel
def _moved_last(push: Array, above: Array, no_op: Array, here: Array, out: Array) -> None:
    for c in range(len(out)):
        out[c] = push[c] * above[c] + no_op[c] * here[c]


@kernel
def move_down(
    p: int, n: int, u: Array, combined: Array, actions: Array, dout: Array, dcombined: Array, dactions: Array, du: Array
) -> None:
    """Write the gradients of C (p·n,), of the actions (3·n,) and of u (n,), from that of the new stack (p·n,).

    combined and dout have room for one more row, of zeros: what is below the stack.
    """
    push, no_op, pop = actions[:n], actions[n : 2 * n], actions[2 * n : 3 * n]
    dpush, dno_op, dpop = dactions[:n], dactions[n : 2 * n], dactions[2 * n : 3 * n]
    first, second = dout[:n], dout[n : 2 * n]
    here = combined[:n]
    _top_down(push, no_op, u, here, first, second, du, dpush, dno_op, dpop, dcombined[:n])
    for j in range(1, p):
        before, grad, after = dout[(j - 1) * n : j * n], dout[j * n : (j + 1) * n], dout[(j + 1) * n : (j + 2) * n]
        here, dhere = combined[j * n : (j + 1) * n], dcombined[j * n : (j + 1) * n]
        _row_down(push, no_op, pop, before, grad, after, here, dpush, dno_op, dpop, dhere)


@row_kernel
def _top_down(
    push: Array,
    no_op: Array,
    u: Array,
    here: Array,
    grad: Array,
    after: Array,
    du: Array,
    dpush: Array,
    dno_op: Array,
    dpop: Array,
    dhere: Array,
) -> None:
    """Write the gradients of u and of row 0 of C, and begin those of the actions."""
    zero = u.dtype.type(0)
    for c in range(len(du)):
        du[c] = push[c] * grad[c]
        dhere[c] = no_op[c] * grad[c] + push[c] * after[c]
        dpush[c] = grad[c] * u[c] + after[c] * here[c]
        dno_op[c] = grad[c] * here[c]
        dpop[c] = zero


@row_kernel
def _row_down(
    push: Array,
    no_op: Array,
    pop: Array,
    before: Array,
    grad: Array,
    after: Array,
    here: Array,
    dpush: Array,
    dno_op: Array,
    dpop: Array,
    dhere: Array,
) -> None:
    """Write the gradient of a row of C, and add to those of the actions. before, grad, after: of rows j-1, j and j+1 of S."""
    for c in range(len(dhere)):
        dhere[c] = no_op[c] * grad[c] + push[c] * after[c] + pop[c] * before[c]
        dpush[c] += after[c] * here[c]
        dno_op[c] += grad[c] * here[c]
        dpop[c] += before[c] * here[c]


@kernel
def dropped(masks: Array, r: int, layer: int, row: Array, out: Array) -> Array:
    """Return a row after dropout: the row itself if there is none, otherwise out, to which it is written."""
    if masks.shape[1] == 0:
        return row
    times(row, masks[r, layer], out)
    return out


@kernel
def drop(masks: Array, r: int, layer: int, row: Array, out: Array) -> None:
    """Write a row after dropout to out."""
    if masks.shape[1] == 0:
        copy(row, out)
    else:
        times(row, masks[r, layer], out)


@row_kernel
def times(row: Array, other: Array, out: Array) -> None:
    """Write the products of two rows to out."""
    for c in range(len(out)):
        out[c] = row[c] * other[c]


@kernel
def drop_down(masks: Array, r: int, layer: int, grad: Array) -> None:
    """Turn the gradient of what dropout left into that of the row before it, in place."""
    if masks.shape[1] > 0:
        _scale(masks[r, layer], grad)


@row_kernel
def _scale(by: Array, row: Array) -> None:
    for c in range(len(row)):
        row[c] *= by[c]
