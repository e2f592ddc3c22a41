"""Run compiled code on several threads, which wait for each other inside it.

PyTorch's own threads stay awake for some milliseconds after each operation, and would keep ours from the cores. Therefore
passes run on one thread unless :func:`instead_of_pytorch` gives them those of PyTorch.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

INTERRUPTED = 2  # the entry of a barrier that is 1 if the calling thread was interrupted
_lock = threading.Lock()  # one pass at a time has the workers: threads that wait for each other must all run
_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}  # by process, since threads do not survive a fork, and number of workers
_threads = [1]  # how many threads a pass may use; the last entry counts


def allowed_threads() -> int:
    """Return how many threads a pass may use."""
    return _threads[-1]


@contextmanager
def instead_of_pytorch() -> Iterator[None]:
    """Give compiled passes as many threads as PyTorch uses, and PyTorch one, within this context."""
    count = torch.get_num_threads()
    _threads.append(count)
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(count)
        _threads.pop()


def run_threads(function: Callable[..., None], threads: int, *arguments: Any) -> None:
    """Call a function that releases Python's lock as often as there are threads: (*arguments, barrier, thread, threads).

    If the workers are busy with another pass, this one runs on the calling thread alone.
    """
    barrier = np.zeros(3, np.int64)
    if threads == 1 or not _lock.acquire(blocking=False):
        function(*arguments, barrier, 0, 1)
        return
    try:
        workers = [_pool(threads - 1).submit(function, *arguments, barrier, t, threads) for t in range(1, threads)]
        function(*arguments, barrier, 0, threads)
        for worker in workers:
            worker.result()
    except BaseException:  # Ctrl-C, for example: without this the workers would wait for the calling thread for ever
        barrier[INTERRUPTED] = 1
        raise
    finally:
        _lock.release()


def _pool(workers: int) -> ThreadPoolExecutor:
    key = os.getpid(), workers
    if key not in _pools:
        # As in training: numbers too small for the usual format are slow, and 0 is near enough.
        _pools[key] = ThreadPoolExecutor(workers, "treesmu", initializer=torch.set_flush_denormal, initargs=(True,))
    return _pools[key]
