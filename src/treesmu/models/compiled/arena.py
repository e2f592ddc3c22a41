"""Arena: the memory of passes, used again by later passes, since fresh memory from the system is slow."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from .native import Array

KEPT = 4  # blocks that wait for their next use
LARGEST = 1 << 28  # bytes of a block that is kept
LINE = 64  # bytes; every array begins with a line of the cache


class Arena:
    """Blocks of memory that are cut into arrays; those that are given back are used again."""

    def __init__(self) -> None:
        self.lock, self.free = threading.Lock(), list[Array]()

    def take(self, dtype: Any, shapes: Sequence[tuple[int, ...]]) -> tuple[Array, list[Array]]:
        """Return a block, and arrays of these shapes in it, with undefined contents."""
        item = np.dtype(dtype).itemsize
        line = LINE // item
        places, end = [], 0
        for shape in shapes:
            length = prod(shape)
            places.append((end, end + length, shape))
            end += -(-length // line) * line
        block = self._block(end * item)
        numbers = block[: end * item].view(dtype)
        return block, [numbers[start:stop] if len(shape) == 1 else numbers[start:stop].reshape(shape) for start, stop, shape in places]

    def _block(self, size: int) -> Array:
        with self.lock:
            for number, block in enumerate(self.free):  # from the smallest up
                if len(block) >= size:
                    return self.free.pop(number)
        return np.empty(size + size // 4, np.uint8)

    def give_back(self, block: Array) -> None:
        """Keep a block, whose arrays must not be used any more."""
        if len(block) <= LARGEST:
            with self.lock:
                self.free = sorted([*self.free, block], key=len)[-KEPT:]


ARENA = Arena()
