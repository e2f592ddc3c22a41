"""Engines: results in the order of the jobs, wherever they run; what goes wrong is told."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from treesmu.engine import EngineError, default_jobs, engine


def late(i: int, seconds: float) -> tuple[int, int]:
    time.sleep(seconds)
    return i, os.getpid()


def die(i: int) -> int:
    if i == 1:
        os._exit(9)
    return i


def fail(i: int) -> int:
    if i == 2:
        raise KeyError(f"job {i}")
    return i


def note(folder: str, i: int) -> int:
    Path(folder, str(i)).touch()
    time.sleep(0.05)
    return i


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_jobs(jobs):
    """The first takes longest."""
    with engine("local", jobs) as run:
        found = list(run(late, ((i, 0.4 if i == 0 else 0.0) for i in range(8))))
    assert [i for i, _ in found] == list(range(8))


def test_jobs_run_in_other_processes_and_at_once():
    with engine("local", 2) as run:
        list(run(late, [(0, 0.0), (1, 0.0)]))  # the processes are up
        start = time.perf_counter()
        pids = {pid for _, pid in run(late, [(i, 0.5) for i in range(4)])}
        assert time.perf_counter() - start < 1.9  # one after the other it would be 2 s
    assert os.getpid() not in pids
    assert len(pids) == 2


def test_one_job_runs_here():
    with engine("local", 1) as run:
        assert [pid for _, pid in run(late, [(0, 0.0)])] == [os.getpid()]


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_jobs_no_results(jobs):
    with engine("local", jobs) as run:
        assert list(run(late, [])) == []


def endless(handed_out: list[int], folder: Path) -> Iterator[tuple[str, int]]:
    i = 0
    while True:
        handed_out.append(i)
        yield str(folder), i
        i += 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_jobs_are_taken_as_they_are_needed_and_closing_early_stops(jobs, tmp_path: Path):
    handed_out: list[int] = []
    with engine("local", jobs) as run:
        results = run(note, endless(handed_out, tmp_path))
        assert [next(results) for _ in range(3)] == [0, 1, 2]
        results.close()
        assert len(handed_out) <= 3 + jobs + 1
        assert list(run(note, [(str(tmp_path), 1000)])) == [1000]  # still of use
    assert len(list(tmp_path.iterdir())) <= 3 + jobs + 2


def test_a_worker_that_dies_is_told_with_a_remedy():
    with pytest.raises(EngineError, match="killed, perhaps for lack of memory; try fewer --jobs"), engine("local", 2) as run:
        list(run(die, [(i,) for i in range(4)]))


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_job_raises_is_raised_here(jobs):
    with engine("local", jobs) as run:
        results = run(fail, [(i,) for i in range(5)])
        assert [next(results), next(results)] == [0, 1]
        with pytest.raises(KeyError, match="job 2"):
            next(results)


def test_an_unknown_engine_is_named_with_those_known():
    with pytest.raises(EngineError, match="unknown engine 'abacus'; known: local, ray"), engine("abacus"):
        pass


def test_ray_that_is_not_installed_is_told_with_a_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(EngineError, match=r"pip install 'treesmu\[cluster\]'"), engine("ray"):
        pass


def test_default_is_a_job_for_each_core_that_is_ours():
    assert 1 <= default_jobs() <= (os.cpu_count() or 1)
