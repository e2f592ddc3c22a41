"""Settings of the process that make training faster: denormal numbers, freed memory and the garbage collector."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import torch

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # options of mallopt
KEPT_BYTES = 1 << 28  # of freed memory that stays with the process


def keep_freed_memory() -> None:
    """Ask the C library to use freed memory again instead of returning it to the system; without effect if it is not glibc."""
    with suppress(AttributeError, OSError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_TRIM_THRESHOLD, KEPT_BYTES)
        mallopt(M_MMAP_THRESHOLD, KEPT_BYTES)


@contextmanager
def fast_arithmetic() -> Iterator[None]:
    """Flush denormals to zero on the CPU, since values deep in a stack decay towards them and they are slow.

    Also keeps the garbage collector from searching what is in memory already, and the C library from returning memory to the
    system after every step: to get it back costs as much as a fifth of a small step.
    """
    torch.set_flush_denormal(True)
    keep_freed_memory()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        torch.set_flush_denormal(False)
