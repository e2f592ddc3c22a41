"""Threads run the same function, each with its number; a pass that finds them busy runs alone."""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np
import pytest
import torch

from samples import compiles
from treesmu.models.compiled import threads
from treesmu.models.compiled.native import entry, wait_for_others
from treesmu.models.compiled.threads import allowed_threads, instead_of_pytorch, run_threads

pytestmark = compiles


@entry
def _in_turns(order: Any, rounds: int, barrier: Any, thread: int, of: int) -> None:
    """Write round by round; each thread reads what the other one wrote in the round before."""
    for turn in range(1, rounds):
        order[turn, thread] = order[turn - 1, (thread + 1) % of] + 1
        wait_for_others(barrier, of)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_threads_wait_for_each_other_inside_compiled_code(count: int) -> None:
    order = np.zeros((500, count), np.int64)
    run_threads(_in_turns, count, order, len(order))
    assert (order == np.arange(len(order))[:, None]).all()


def _note(found: list[tuple[int, int, int]], barrier: Any, thread: int, of: int) -> None:
    assert barrier.tolist() == [0, 0, 0]
    found.append((thread, of, threading.get_ident()))


def test_the_calling_thread_is_the_first_one() -> None:
    found: list[tuple[int, int, int]] = []
    run_threads(_note, 3, found)
    assert sorted((thread, of) for thread, of, _ in found) == [(0, 3), (1, 3), (2, 3)]
    assert next(ident for thread, _, ident in found if thread == 0) == threading.get_ident()


def test_while_the_threads_are_busy_another_pass_runs_alone() -> None:
    found: list[tuple[int, int, int]] = []
    with threads._lock:
        run_threads(_note, 2, found)
    assert found == [(0, 1, threading.get_ident())]


def _wait_or_fail(barrier: Any, thread: int, of: int) -> None:
    if thread == 0:
        raise KeyboardInterrupt
    _wait(barrier, of)


@entry
def _wait(barrier: Any, of: int) -> None:
    wait_for_others(barrier, of)


def test_an_interrupted_pass_does_not_leave_threads_that_wait_for_ever() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_threads(_wait_or_fail, 2)
    found: list[tuple[int, int, int]] = []
    run_threads(_note, 2, found)  # the same worker is free again
    assert len(found) == 2


def test_an_error_of_a_worker_is_raised() -> None:
    def fail(barrier: Any, thread: int, of: int) -> None:
        del barrier, of
        if thread:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_threads(fail, 2)


def test_a_forked_process_starts_threads_of_its_own() -> None:
    run_threads(_note, 2, [])
    pid = os.fork()
    if pid == 0:  # only what cannot fail, and no clean-up of pytest's
        found: list[tuple[int, int, int]] = []
        run_threads(_note, 2, found)
        os._exit(0 if len(found) == 2 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_passes_get_the_threads_of_pytorch_only_where_they_are_given_to_them() -> None:
    torch.set_num_threads(2)
    assert allowed_threads() == 1
    with instead_of_pytorch():
        assert (allowed_threads(), torch.get_num_threads()) == (2, 1)
    assert (allowed_threads(), torch.get_num_threads()) == (1, 2)
