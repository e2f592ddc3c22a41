"""Workspace: the buffers of a pass, used again by later passes, since fresh memory from the system is slow."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from .native import Array

KEPT = 4  # workspaces that wait for their next use
LARGEST = 1 << 28  # bytes of a workspace that is kept


class Workspace:
    """Arrays by name, which grow when they have to."""

    def __init__(self, dtype: Any) -> None:
        self.dtype, self.arrays = np.dtype(dtype), dict[str, Array]()

    def array(self, name: str, *shape: int) -> Array:
        """Return the array of a name with this shape, or with more rows, and with undefined contents."""
        found = self.arrays.get(name)
        if found is None or len(found) < shape[0] or found.shape[1:] != shape[1:]:
            found = self.arrays[name] = np.empty((shape[0] + shape[0] // 4, *shape[1:]), self.dtype)
        return found

    @property
    def size(self) -> int:
        """The bytes of all arrays."""
        return sum(array.nbytes for array in self.arrays.values())


class Workspaces:
    """Workspaces that are not in use."""

    def __init__(self) -> None:
        self.lock, self.free = threading.Lock(), list[Workspace]()

    def take(self, dtype: Any) -> Workspace:
        """Return a workspace for numbers of this type, which nobody else has."""
        with self.lock:
            for place in range(len(self.free) - 1, -1, -1):  # the last one used is the most likely one to be in the cache
                if self.free[place].dtype == dtype:
                    return self.free.pop(place)
        return Workspace(dtype)

    def give_back(self, workspace: Workspace) -> None:
        """Keep a workspace, whose arrays must not be used any more."""
        if workspace.size <= LARGEST:
            with self.lock:
                self.free = [*self.free, workspace][-KEPT:]


WORKSPACES = Workspaces()
