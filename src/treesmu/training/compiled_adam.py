"""CompiledAdam: a step of Adam for all parameters in one call of compiled code, on the state of a ``torch.optim.Adam``."""

from __future__ import annotations

import math
from operator import is_
from typing import Any

import numpy as np
import torch
from numba import carray
from torch import Tensor

from treesmu.models.compiled.native import Array, DirectCalls, entry, kernel, pointer_to, row_kernel, wait_for_others
from treesmu.models.compiled.threads import allowed_threads, run_threads

WEIGHT, GRADIENT, FIRST, SECOND, STEPS, NUMBERS = range(6)  # columns of the table
NUMBERS_PER_THREAD = 100_000
TYPES = {torch.float32: np.float32, torch.float64: np.float64}


@row_kernel
def _update(w: Array, grad: Array, m: Array, v: Array, keep1: Any, add1: Any, keep2: Any, add2: Any, rest: Any) -> None:
    """Change weights and moments. keep, add: the betas and 1 - beta of the moments. rest: see :func:`adam_step`."""
    decay, rate, by, eps = rest
    for c in range(len(w)):
        g = grad[c] + decay * w[c]
        m[c] = keep1 * m[c] + add1 * g
        v[c] = keep2 * v[c] + add2 * g * g
        w[c] -= rate * m[c] / (np.sqrt(v[c]) * by + eps)


@entry
def adam_step(
    table: Array,
    like: Array,
    learning_rate: float,
    betas: Any,
    eps: float,
    decay: float,
    barrier: Array,
    thread: int,
    threads: int,
) -> None:
    """Change all parameters of a table (parameters, 6) of addresses and sizes. like: an array of the type of the weights."""
    number, counts = like.dtype.type, np.empty(0, np.float32)
    (beta1, beta2), one = betas, 1.0
    keep1, add1, keep2, add2 = number(beta1), number(one - beta1), number(beta2), number(one - beta2)  # 1 - beta in float64
    for row in table:
        steps = carray(pointer_to(row[STEPS], counts), (1,))[0] + 1
        rate = learning_rate / (one - beta1**steps)  # corrected, as is √v below, for the zeros at the start
        rest = number(decay), number(rate), number(one / math.sqrt(one - beta2**steps)), number(eps)
        first, last = row[NUMBERS] * thread // threads, row[NUMBERS] * (thread + 1) // threads
        w, grad = _numbers(row[WEIGHT], like, first, last), _numbers(row[GRADIENT], like, first, last)
        m, v = _numbers(row[FIRST], like, first, last), _numbers(row[SECOND], like, first, last)
        _update(w, grad, m, v, keep1, add1, keep2, add2, rest)
    wait_for_others(barrier, threads)
    for row in table[: len(table) if thread == 0 else 0]:
        carray(pointer_to(row[STEPS], counts), (1,))[0] += 1


@kernel
def _numbers(address: int, like: Array, first: int, last: int) -> Array:
    return carray(pointer_to(address, like), (last,))[first:]


STEP = DirectCalls(adam_step)


class CompiledAdam:
    """Compiled steps on the weights and the state of a ``torch.optim.Adam``, which may go on to make steps itself."""

    def __init__(self, adam: torch.optim.Adam) -> None:
        self.adam, self.parameters, self.table = adam, list[Tensor](), np.empty((0, 6), np.int64)
        adam.register_load_state_dict_post_hook(lambda _: self.parameters.clear())

    def step(self) -> None:
        """Make one step with the gradients that the parameters have. Where compiled code cannot, PyTorch makes it."""
        group, *others = self.adam.param_groups
        given = [p for p in group["params"] if p.grad is not None]
        if others or not given or not all(_is_plain(p, given[0].dtype) for p in given):
            self.adam.step()
            return
        for p in given:
            p.grad = p.grad.contiguous()
        if not _are_same(given, self.parameters) or self.table[0, WEIGHT] != given[0].data_ptr():
            self.parameters, self.table = given, np.array([_row(p, self.adam.state[p]) for p in given], np.int64)
        self.table[:, GRADIENT] = [p.grad.data_ptr() for p in given]
        threads = max(1, min(allowed_threads(), int(self.table[:, NUMBERS].sum()) // NUMBERS_PER_THREAD))
        like = np.empty(0, TYPES[given[0].dtype])
        values = group["lr"], group["betas"], group["eps"], group["weight_decay"]
        run_threads(STEP, threads, like.dtype, self.table, like, *values)


def _are_same(some: list[Tensor], others: list[Tensor]) -> bool:
    return len(some) == len(others) and all(map(is_, some, others))


def _is_plain(p: Tensor, dtype: torch.dtype) -> bool:
    """Return whether compiled code can read a parameter, and it is of this type."""
    return dtype in TYPES and p.is_cpu and p.dtype == dtype and p.is_contiguous()  # its gradient has its type and device


def _row(p: Tensor, state: dict[str, Any]) -> list[int]:
    """Return the addresses of a parameter, its gradient, its moments and its number of steps, and its size."""
    if not state:  # as PyTorch's own step begins
        state |= {"step": torch.zeros(()), "exp_avg": torch.zeros_like(p), "exp_avg_sq": torch.zeros_like(p)}
    tensors = p, p, state["exp_avg"], state["exp_avg_sq"], state["step"]
    return [*(tensor.data_ptr() for tensor in tensors), p.numel()]
