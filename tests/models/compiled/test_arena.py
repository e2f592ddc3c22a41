"""The arena uses memory again, but never memory that is in use."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from treesmu.models.compiled import arena
from treesmu.models.compiled.arena import LINE, Arena

shapes = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 40)), min_size=1, max_size=4)


@given(st.lists(st.tuples(shapes, st.booleans()), max_size=12))
def test_arrays_in_use_never_share_memory(requests: list[tuple[list[tuple[int, int]], bool]]) -> None:
    """Each request takes arrays, fills them with its number, and some give the block of the first one in use back."""
    given_out, memory = [], Arena()
    for number, (wanted, is_returned) in enumerate(requests):
        block, arrays = memory.take(np.float64, wanted)
        assert [array.shape for array in arrays] == wanted
        for array in arrays:
            array[:] = number
        given_out.append((number, block, arrays))
        if is_returned:
            memory.give_back(given_out.pop(0)[1])
        assert all((array == used).all() for used, _, arrays in given_out for array in arrays)


def test_what_is_given_back_is_used_again() -> None:
    memory = Arena()
    block, _ = memory.take(np.float32, [(100,)])
    memory.give_back(block)
    again, arrays = memory.take(np.float64, [(10, 2), (3,)])
    assert again is block
    assert [array.ctypes.data % LINE for array in arrays] == [block.ctypes.data % LINE] * 2
    other, _ = memory.take(np.float32, [(100,)])
    assert other is not block


def test_only_some_blocks_are_kept_and_no_huge_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Arena()
    blocks = [memory.take(np.uint8, [(size,)])[0] for size in range(100, 1000, 100)]
    for block in blocks:
        memory.give_back(block)
    assert [len(block) for block in memory.free] == [len(block) for block in blocks[-arena.KEPT :]]
    monkeypatch.setattr(arena, "LARGEST", 1)
    before = list(memory.free)
    memory.give_back(np.empty(2, np.uint8))
    assert len(memory.free) == len(before)


def test_threads_get_different_blocks() -> None:
    memory, held = Arena(), list[NDArray[Any]]()
    for _ in range(4):
        memory.give_back(memory.take(np.uint8, [(1000,)])[0])

    def take() -> None:
        held.extend(memory.take(np.uint8, [(1000,)])[0] for _ in range(20))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({block.ctypes.data for block in held}) == len(held) == 80
