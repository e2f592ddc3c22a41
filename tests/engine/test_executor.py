"""Executors: results in the order of the tasks or as they finish, and Jobs, to which more can be submitted as some finish."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine_jobs import (
    fail,
    kill_own_process,
    kill_own_process_once,
    leave_mark,
    process_of,
    wait_for_mark,
    wait_until,
)
from treesmu.engine import EngineError, FinishedJob, Jobs, default_jobs, open_executor

here_and_in_processes = pytest.mark.parametrize("jobs", [1, 2])


# -- in the order of the tasks -----------------------------------------------------------------------------------------


@here_and_in_processes
def test_results_come_in_the_order_of_the_tasks(jobs: int, tmp_path: Path) -> None:
    """With two processes the first job finishes after the second has started."""
    awaited = 1 if jobs > 1 else None
    tasks = ((str(tmp_path), number, awaited if number == 0 else None) for number in range(8))
    with open_executor("local", jobs) as executor:
        assert [number for number, _ in executor.in_order(wait_for_mark, tasks)] == list(range(8))


@here_and_in_processes
def test_no_tasks_no_results(jobs: int) -> None:
    with open_executor("local", jobs) as executor:
        assert list(executor.in_order(process_of, [])) == []
        assert list(executor.as_completed(process_of, [])) == []


def endless(taken: list[int], folder: Path) -> Iterator[tuple[str, int]]:
    number = 0
    while True:
        taken.append(number)
        yield str(folder), number
        number += 1


@here_and_in_processes
def test_tasks_are_taken_as_they_are_needed_and_closing_early_stops(jobs: int, tmp_path: Path) -> None:
    taken: list[int] = []
    with open_executor("local", jobs) as executor:
        results = executor.in_order(leave_mark, endless(taken, tmp_path))
        assert [next(results) for _ in range(3)] == [0, 1, 2]
        results.close()
        assert len(taken) <= 3 + jobs + 1
        assert list(executor.in_order(leave_mark, [(str(tmp_path), 1000)])) == [1000]  # it can still be used
    assert len(list(tmp_path.iterdir())) <= 3 + jobs + 2


def test_a_worker_that_is_killed_again_and_again_is_an_error_with_a_remedy() -> None:
    remedy = "killed, perhaps for lack of memory; try fewer --jobs"
    with pytest.raises(EngineError, match=remedy), open_executor("local", 2) as executor:
        list(executor.in_order(kill_own_process, [(i,) for i in range(4)]))


def test_a_worker_that_is_killed_once_costs_no_result(tmp_path: Path) -> None:
    with open_executor("local", 2) as executor:
        tasks = [(str(tmp_path), i) for i in range(5)]
        assert list(executor.in_order(kill_own_process_once, tasks)) == list(range(5))
    assert list(tmp_path.iterdir())


@here_and_in_processes
def test_what_a_job_raises_is_raised_here(jobs: int) -> None:
    with open_executor("local", jobs) as executor:
        results = executor.in_order(fail, [(i,) for i in range(5)])
        assert [next(results), next(results)] == [0, 1]
        with pytest.raises(KeyError, match="job 2"):
            next(results)


# -- as they finish ----------------------------------------------------------------------------------------------------


def numbers(found: list[FinishedJob]) -> list[int]:
    return [job.number for job in found]


def test_jobs_are_reported_as_they_finish_and_no_worker_is_idle(tmp_path: Path) -> None:
    """One worker is busy with the first job until all others are reported; the other worker runs all of these."""
    release = 1000
    tasks = [(str(tmp_path), number, release if number == 0 else None) for number in range(9)]
    with open_executor("local", 2) as executor:
        results = executor.as_completed(wait_for_mark, tasks)
        found = [next(results) for _ in range(8)]
        leave_mark(str(tmp_path), release)
        found += results
    assert numbers(found) == [*range(1, 9), 0]
    assert len({job.result[1] for job in found[:-1]}) == 1
    assert {(job.error, job.log, job.tries) for job in found} == {(None, "", 1)}


def test_workers_do_not_wait_for_the_reader_of_results(tmp_path: Path) -> None:
    with open_executor("local", 2) as executor:
        results = executor.as_completed(leave_mark, [(str(tmp_path), i) for i in range(8)])
        first = next(results)
        wait_until(lambda: len(list(tmp_path.iterdir())) == 8)
        assert sorted(job.result for job in [first, *results]) == list(range(8))


@here_and_in_processes
def test_a_job_that_raises_is_reported_and_stops_no_other(jobs: int) -> None:
    with open_executor("local", jobs) as executor:
        found = sorted(executor.as_completed(fail, [(i,) for i in range(5)]), key=lambda job: job.number)
    assert [job.result for job in found] == [0, 1, None, 3, 4]
    assert (found[2].error, found[2].tries) == ("KeyError: 'job 2'", 1)  # it would raise again
    assert "in fail" in found[2].log


def test_a_job_whose_worker_was_killed_is_run_again_and_no_other(tmp_path: Path) -> None:
    with open_executor("local", 2) as executor:
        found = list(executor.as_completed(kill_own_process_once, [(str(tmp_path), i) for i in range(6)]))
    assert sorted((job.result, job.tries) for job in found) == [(i, 2 if i == 1 else 1) for i in range(6)]


@pytest.mark.parametrize("retries", [0, 2])
def test_a_job_that_always_kills_its_worker_affects_no_other(retries: int) -> None:
    with open_executor("local", 2) as executor:
        found = sorted(executor.as_completed(kill_own_process, [(i,) for i in range(6)], retries), key=lambda job: job.number)
    assert [job.result for job in found] == [0, None, 2, 3, 4, 5]
    assert [job.tries for job in found] == [1, retries + 1, 1, 1, 1, 1]
    assert found[1].error == "a worker process was killed, perhaps for lack of memory; try fewer --jobs"


@here_and_in_processes
def test_a_shared_value_arrives_as_it_is(jobs: int) -> None:
    with open_executor("local", jobs) as executor:
        value = executor.share([3, 1, 2])
        assert [job.result for job in executor.as_completed(sorted, [(value,), (value,)])] == [[1, 2, 3]] * 2


# -- Jobs: more are submitted as some finish ---------------------------------------------------------------------------


@here_and_in_processes
def test_more_jobs_are_submitted_as_some_finish_and_keep_their_numbers(jobs: int) -> None:
    """Each result decides what is submitted next: 8 -> 7 -> ... -> 0."""
    with open_executor("local", jobs) as executor, Jobs(executor, abs) as running:
        found = []
        assert [running.submit(-8), running.submit(-3)] == [0, 1]
        while running:
            for job in running.wait():
                found.append((job.number, job.result))
                if job.result:
                    running.submit(1 - job.result)
    assert sorted(number for number, _ in found) == list(range(len(found)))
    assert sorted(result for _, result in found) == sorted([*range(9), *range(4)])


class Argument:
    """Something that can be weakly referenced."""


def test_the_arguments_of_a_finished_job_are_released() -> None:
    """On a cluster they contain a whole run folder."""
    arguments = [Argument() for _ in range(3)]
    references = [weakref.ref(argument) for argument in arguments]
    with open_executor("local", 1) as executor, Jobs(executor, type) as jobs:
        for argument in arguments:
            jobs.submit(argument)
        del arguments, argument
        while jobs:
            for _ in jobs.wait():
                pass
        assert [reference() for reference in references] == [None] * 3


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_jobs_are_full_as_soon_as_another_would_wait(jobs: int) -> None:
    with open_executor("local", jobs) as executor, Jobs(executor, abs) as running:
        for _ in range(jobs):
            assert not running.is_full
            running.submit(-1)
        assert running.is_full
        assert len(list(running.wait())) >= 1
        assert not running.is_full


def test_a_job_whose_worker_was_lost_is_run_again_before_it_is_reported(tmp_path: Path) -> None:
    with open_executor("local", 2) as executor, Jobs(executor, kill_own_process_once) as running:
        running.submit(str(tmp_path), 1)
        assert list(running.wait()) == []  # lost, and submitted again
        assert len(running) == 1
        (job,) = running.wait()
    assert (job.number, job.result, job.error, job.tries) == (0, 1, None, 2)


def test_a_job_that_raises_leaves_room_for_others() -> None:
    with open_executor("local", 2) as executor, Jobs(executor, fail) as running:
        running.submit(2)
        (job,) = running.wait()
        assert (job.result, job.error) == (None, "KeyError: 'job 2'")
        running.submit(3)
        assert [job.result for job in running.wait()] == [3]


@here_and_in_processes
def test_leaving_cancels_what_has_not_started(jobs: int, tmp_path: Path) -> None:
    """All jobs but the first wait for the test, so that no more than one per worker can have started."""
    release = 1000
    with open_executor("local", jobs) as executor:
        with Jobs(executor, wait_for_mark) as running:
            for number in range(30):
                running.submit(str(tmp_path), number, release if number else None)
            next(running.wait())
        leave_mark(str(tmp_path), release)
        assert list(executor.in_order(leave_mark, [(str(tmp_path), 1001)])) == [1001]  # it can still be used
    assert len(list(tmp_path.iterdir())) <= 1 + jobs + 2


# -- by name -----------------------------------------------------------------------------------------------------------


def test_an_unknown_engine_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(EngineError, match="unknown engine 'abacus'; known: local, ray"), open_executor("abacus"):
        pass


def test_default_jobs_is_the_number_of_cores_of_this_process() -> None:
    assert 1 <= default_jobs() <= (os.cpu_count() or 1)
