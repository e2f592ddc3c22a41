"""Workspaces use memory again, but never memory that is in use."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treesmu.models.compiled import workspace
from treesmu.models.compiled.workspace import Workspace, Workspaces

shapes = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5)), min_size=1, max_size=4)


@given(st.lists(st.tuples(shapes, st.booleans()), max_size=12))
def test_arrays_in_use_never_share_memory(requests: list[tuple[list[tuple[int, int]], bool]]) -> None:
    """Each request takes arrays, fills them with its number, and some give the workspace of the first one in use back."""
    given_out, pool = [], Workspaces()
    for number, (wanted, is_returned) in enumerate(requests):
        taken = pool.take(np.float64)
        arrays = [taken.array(str(place), *shape) for place, shape in enumerate(wanted)]
        for array, (rows, columns) in zip(arrays, wanted, strict=True):
            assert len(array) >= rows
            assert array.shape[1] == columns
            array[:] = number
        given_out.append((number, taken, arrays))
        if is_returned:
            pool.give_back(given_out.pop(0)[1])
        assert all((array == used).all() for used, _, arrays in given_out for array in arrays)


def test_an_array_is_used_again_while_it_is_large_enough() -> None:
    space = Workspace(np.float32)
    first = space.array("z", 100)
    assert space.array("z", 50) is first
    assert space.array("i", 100) is not first
    assert len(space.array("z", 1000)) >= 1000
    assert space.array("h", 10, 2).shape[1:] == (2,)
    assert space.array("h", 10, 3).shape[1:] == (3,)


def test_what_is_given_back_is_used_again_for_numbers_of_the_same_type() -> None:
    pool = Workspaces()
    single = pool.take(np.float32)
    pool.give_back(single)
    double = pool.take(np.float64)
    assert double is not single
    assert double.array("z", 3).dtype == np.float64
    assert pool.take(np.dtype("float32")) is single
    assert pool.take(np.float32) is not single


def test_only_some_workspaces_are_kept_and_no_huge_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, spaces = Workspaces(), [Workspace(np.float32) for _ in range(workspace.KEPT + 3)]
    for space in spaces:
        pool.give_back(space)
    assert pool.free == spaces[-workspace.KEPT :]
    monkeypatch.setattr(workspace, "LARGEST", 1)
    huge = Workspace(np.float32)
    huge.array("z", 1)
    pool.give_back(huge)
    assert huge not in pool.free


def test_threads_get_different_workspaces() -> None:
    pool, held = Workspaces(), list[Workspace]()
    for _ in range(4):
        pool.give_back(Workspace(np.float32))

    def take() -> None:
        held.extend(pool.take(np.float32) for _ in range(20))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(space) for space in held}) == len(held) == 80
