"""The products of a pass, for some rows of one function: children's states to z, dz to the gradients of i, and of weights.

Rows are consecutive nodes of a group. ``start`` is where their numbers begin in a flat buffer.
"""

from __future__ import annotations

from typing import Any

from numba import carray

from ..native import Array, kernel, place, pointer_to, product, product_down, weight_gradient
from ..network import ABSENT, BIAS, DBIAS, DWEIGHT, FROM, INPUTS, OUTPUTS, TO, WEIGHT
from .arithmetic import add, copy, gelu_down, gelu_to


@kernel
def gather(net: Any, arity: int, children: Array, states: Array, inputs: Array, i: Array) -> None:
    """Write i of some nodes: (rows, size). children: (rows, arity) nodes; inputs: (rows, d), with d = 0 if there are none."""
    n, size = net.n, net.n + net.inputs
    for r in range(len(i)):
        row = i[r]
        if not net.is_sum:
            for k in range(arity):
                copy(states[children[r, k]], row[k * n : (k + 1) * n])
            copy(inputs[r], row[arity * n :])
            continue
        total = row[:n]
        copy(states[children[r, 0]], total)
        for k in range(1, arity):
            add(states[children[r, k]], total)
        copy(inputs[r], row[n:size])
        if len(row) > size:
            for k in range(arity):
                copy(states[children[r, k]], row[(1 + k) * size : (1 + k) * size + n])
                copy(inputs[r], row[(1 + k) * size + n : (2 + k) * size])


@kernel
def layer_up(net: Any, layer: Any, function: int, x: Array, out: Array) -> None:
    """Write a layer's outputs (rows, outputs) from its inputs (rows, inputs)."""
    for m in range(layer.starts[function], layer.starts[function + 1]):
        map_up(net.blas, layer.maps[m], x, 0, out, 0)


@kernel
def map_up(blas: int, m: Array, x: Array, source: int, out: Array, target: int) -> None:
    """Write the outputs of one map. Its inputs begin at column ``source`` of x, its outputs at column ``target`` of out."""
    rows, outputs, beta = len(out), m[OUTPUTS], out.dtype.type(0)
    source, target = source + m[FROM], target + m[TO]
    if m[BIAS] != ABSENT:
        beta = out.dtype.type(1)
        bias = carray(pointer_to(m[BIAS], out), (outputs,))
        for r in range(rows):
            copy(bias, out[r, target : target + outputs])
    given, to = place(x, source, x.shape[1]), place(out, target, out.shape[1])
    product(blas, rows, m[INPUTS], outputs, given, (m[WEIGHT], outputs), beta, to, out.itemsize)


@kernel
def layer_down(net: Any, layer: Any, function: int, dout: Array, dx: Array) -> None:
    """Write the gradients of a layer's inputs (rows, inputs) from those of its outputs (rows, outputs)."""
    for number in range(layer.starts[function], layer.starts[function + 1]):
        map_down(net.blas, layer.maps[number], dout, 0, dx, 0, False)


@kernel
def map_down(blas: int, m: Array, dout: Array, target: int, dx: Array, source: int, is_added: bool) -> None:
    """Write the gradient of one map's inputs to dx, or add it. Columns as in :func:`map_up`."""
    outputs, beta = m[OUTPUTS], dx.dtype.type(1 if is_added else 0)
    given, to = place(dout, target + m[TO], dout.shape[1]), place(dx, source + m[FROM], dx.shape[1])
    product_down(blas, len(dx), m[INPUTS], outputs, given, (m[WEIGHT], outputs), beta, to, dx.itemsize)


@kernel
def map_gradients(
    net: Any, m: Array, x: Array, source: int, dout: Array, target: int, is_added: bool, thread: int, threads: int
) -> None:
    """Write the gradients of one map's weights, from all nodes of its function, or add them.

    Each thread writes some of the outputs' columns. Columns of x and dout as in :func:`map_up`.
    """
    outputs = m[OUTPUTS]
    first, last = outputs * thread // threads, outputs * (thread + 1) // threads
    if first == last:
        return
    target += m[TO] + first
    beta, to = x.dtype.type(1 if is_added else 0), (net.gradients + m[DWEIGHT] + first * x.itemsize, outputs)
    given, inputs = place(dout, target, dout.shape[1]), place(x, source + m[FROM], x.shape[1])
    weight_gradient(net.blas, len(x), m[INPUTS], last - first, inputs, given, beta, to)
    if m[DBIAS] != ABSENT:
        bias = carray(pointer_to(net.gradients + m[DBIAS], x), (outputs,))[first:last]
        if not is_added:
            bias[:] = x.dtype.type(0)
        for r in range(len(dout)):
            add(dout[r, target : target + last - first], bias)


@kernel
def no_gradients(net: Any, function: int, like: Array) -> None:
    """Write zeros as the gradients of all weights of a function that is not in the forest."""
    for layer in (net.first, net.second, net.linears):
        for number in range(layer.starts[function], layer.starts[function + 1]):
            m = layer.maps[number]
            carray(pointer_to(net.gradients + m[DWEIGHT], like), (m[INPUTS] * m[OUTPUTS],))[:] = 0
            if m[DBIAS] != ABSENT:
                carray(pointer_to(net.gradients + m[DBIAS], like), (m[OUTPUTS],))[:] = 0


@kernel
def layer_gradients(net: Any, layer: Any, function: int, x: Array, dout: Array, thread: int, threads: int) -> None:
    """Write the gradients of a layer's weights. x: (nodes, inputs), dout: (nodes, outputs) of all nodes of the function."""
    for number in range(layer.starts[function], layer.starts[function + 1]):
        m = layer.maps[number]
        # Maps of one function with the same weights, the forget gates of a child-sum, follow each other.
        is_added = number > layer.starts[function] and m[DWEIGHT] == layer.maps[number - 1, DWEIGHT]
        map_gradients(net, m, x, 0, dout, 0, is_added, thread, threads)


@kernel
def hidden_up(before: Array, after: Array) -> None:
    """Apply gelu to the hidden layer of some nodes."""
    for r in range(len(before)):
        gelu_to(before[r], after[r])


@kernel
def hidden_down(dhidden: Array, before: Array) -> None:
    """Turn the gradients of the hidden layer into those before gelu, in place."""
    for r in range(len(before)):
        gelu_down(dhidden[r], before[r])


@kernel
def input_gradients(net: Any, di: Array, dinputs: Array) -> None:
    """Write the gradients of inner nodes' inputs (rows, d), from those of i (rows, size)."""
    n, size = net.n, net.n + net.inputs
    for r in range(len(di) if net.inputs else 0):
        if not net.is_sum:
            copy(di[r, len(di[r]) - net.inputs :], dinputs[r])
            continue
        copy(di[r, n:size], dinputs[r])
        for part in range(1, len(di[r]) // size):
            add(di[r, part * size + n : (part + 1) * size], dinputs[r])
