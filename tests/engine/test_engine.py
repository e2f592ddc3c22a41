"""Engines: results in the order of the jobs or as they end, wherever they run; what goes wrong is told."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from paths import HELPERS
from treesmu.engine import Done, EngineError, Jobs, default_jobs, open_executor

TWO_NODES = HELPERS / "ray_two_nodes.py"


def late(i: int, seconds: float) -> tuple[int, int]:
    time.sleep(seconds)
    return i, os.getpid()


def be_killed(i: int) -> int:
    if i == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return i


def be_killed_once(folder: str, i: int) -> int:
    mark = Path(folder, "killed")
    if i == 1 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return i


def fail(i: int) -> int:
    if i == 2:
        raise KeyError(f"job {i}")
    return i


def nothing_that_can_be_sent(_: int) -> Any:
    return threading.Lock()


def note(folder: str, i: int) -> int:
    Path(folder, str(i)).touch()
    time.sleep(0.05)
    return i


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_jobs(jobs):
    """The first takes longest."""
    with open_executor("local", jobs) as executor:
        found = list(executor.in_order(late, ((i, 0.4 if i == 0 else 0.0) for i in range(8))))
    assert [i for i, _ in found] == list(range(8))


def test_jobs_run_in_other_processes_and_at_once():
    with open_executor("local", 2) as executor:
        list(executor.in_order(late, [(0, 0.0), (1, 0.0)]))  # the processes are up
        start = time.perf_counter()
        pids = {pid for _, pid in executor.in_order(late, [(i, 0.5) for i in range(4)])}
        assert time.perf_counter() - start < 1.9  # one after the other it would be 2 s
    assert os.getpid() not in pids
    assert len(pids) == 2


def test_one_job_runs_here():
    with open_executor("local", 1) as executor:
        assert [pid for _, pid in executor.in_order(late, [(0, 0.0)])] == [os.getpid()]


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_jobs_no_results(jobs):
    with open_executor("local", jobs) as executor:
        assert list(executor.in_order(late, [])) == []


def endless(handed_out: list[int], folder: Path) -> Iterator[tuple[str, int]]:
    i = 0
    while True:
        handed_out.append(i)
        yield str(folder), i
        i += 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_jobs_are_taken_as_they_are_needed_and_closing_early_stops(jobs, tmp_path: Path):
    handed_out: list[int] = []
    with open_executor("local", jobs) as executor:
        results = executor.in_order(note, endless(handed_out, tmp_path))
        assert [next(results) for _ in range(3)] == [0, 1, 2]
        results.close()
        assert len(handed_out) <= 3 + jobs + 1
        assert list(executor.in_order(note, [(str(tmp_path), 1000)])) == [1000]  # still of use
    assert len(list(tmp_path.iterdir())) <= 3 + jobs + 2


def test_a_worker_that_is_killed_again_and_again_is_told_with_a_remedy():
    with (
        pytest.raises(EngineError, match="killed, perhaps for lack of memory; try fewer --jobs"),
        open_executor("local", 2) as executor,
    ):
        list(executor.in_order(be_killed, [(i,) for i in range(4)]))


def test_a_worker_that_is_killed_once_costs_no_result(tmp_path: Path):
    with open_executor("local", 2) as executor:
        assert list(executor.in_order(be_killed_once, [(str(tmp_path), i) for i in range(5)])) == list(range(5))
    assert list(tmp_path.iterdir())


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_job_raises_is_raised_here(jobs):
    with open_executor("local", jobs) as executor:
        results = executor.in_order(fail, [(i,) for i in range(5)])
        assert [next(results), next(results)] == [0, 1]
        with pytest.raises(KeyError, match="job 2"):
            next(results)


# -- as they end -------------------------------------------------------------------------------------------------------


def numbers(found: list[Done]) -> list[int]:
    return [done.number for done in found]


def test_jobs_are_told_as_they_end_and_no_worker_is_idle():
    """One worker is busy with the long job; the other does all of the rest meanwhile."""
    with open_executor("local", 2) as executor:
        list(executor.as_completed(late, [(0, 0.3), (1, 0.3)]))  # the processes are up
        found = list(executor.as_completed(late, [(0, 2.0), *((i, 0.05) for i in range(1, 9))]))
    assert numbers(found) == [*range(1, 9), 0]
    assert len({done.result[1] for done in found[:-1]}) == 1
    assert {(done.error, done.log, done.tries) for done in found} == {(None, "", 1)}


def test_workers_do_not_wait_for_who_reads_how_jobs_ended(tmp_path: Path):
    with open_executor("local", 2) as executor:
        results = executor.as_completed(note, [(str(tmp_path), i) for i in range(8)])
        first = next(results)
        assert comes_true(lambda: len(list(tmp_path.iterdir())) == 8)
        assert sorted(done.result for done in [first, *results]) == list(range(8))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_job_that_raises_is_told_and_stops_no_other(jobs):
    with open_executor("local", jobs) as executor:
        found = sorted(executor.as_completed(fail, [(i,) for i in range(5)]), key=lambda done: done.number)
    assert [done.result for done in found] == [0, 1, None, 3, 4]
    assert (found[2].error, found[2].tries) == ("KeyError: 'job 2'", 1)  # it would raise again
    assert "in fail" in found[2].log


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_tasks_no_ends(jobs):
    with open_executor("local", jobs) as executor:
        assert list(executor.as_completed(late, [])) == []


def test_one_job_as_it_ends_runs_here():
    with open_executor("local", 1) as executor:
        assert [done.result for done in executor.as_completed(os.getpid, [()])] == [os.getpid()]


def test_a_job_whose_worker_was_killed_is_tried_again_and_no_other(tmp_path: Path):
    with open_executor("local", 2) as executor:
        found = list(executor.as_completed(be_killed_once, [(str(tmp_path), i) for i in range(6)]))
    assert sorted((done.result, done.tries) for done in found) == [(i, 2 if i == 1 else 1) for i in range(6)]


@pytest.mark.parametrize("retries", [0, 2])
def test_a_job_that_always_kills_its_worker_takes_no_other_with_it(retries):
    with open_executor("local", 2) as executor:
        found = sorted(executor.as_completed(be_killed, [(i,) for i in range(6)], retries), key=lambda done: done.number)
    assert [done.result for done in found] == [0, None, 2, 3, 4, 5]
    assert [done.tries for done in found] == [1, retries + 1, 1, 1, 1, 1]
    assert found[1].error == "a worker process was killed, perhaps for lack of memory; try fewer --jobs"


@pytest.mark.parametrize(
    ("function", "argument", "error", "tries"),
    [
        (os._exit, 9, "a worker process left with exit code 9", 2),
        (os.abort, None, "a worker process crashed (SIGABRT)", 2),
        (sys.exit, 3, "SystemExit: 3", 1),
        (nothing_that_can_be_sent, 0, "TypeError: cannot pickle '_thread.lock' object", 1),
    ],
)
def test_how_a_job_failed_is_told_in_a_line(function, argument, error, tries):
    with open_executor("local", 2) as executor:
        (done,) = executor.as_completed(function, [() if argument is None else (argument,)])
        assert (done.error, done.tries, done.result) == (error, tries, None)
        assert [done.result for done in executor.as_completed(abs, [(-1,)])] == [1]  # still of use


def test_a_job_is_one_thread(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with open_executor("local", 2) as executor:
        assert [done.result for done in executor.as_completed(os.getenv, [("OMP_NUM_THREADS",)])] == ["1"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_shared_arrives_as_it_is(jobs):
    with open_executor("local", jobs) as executor:
        common = executor.share([3, 1, 2])
        assert [done.result for done in executor.as_completed(sorted, [(common,), (common,)])] == [[1, 2, 3]] * 2


def test_leaving_early_waits_for_no_job():
    start = time.perf_counter()
    with open_executor("local", 2) as executor:
        next(executor.as_completed(time.sleep, [(0,), *[(60,)] * 5]))
    assert time.perf_counter() - start < 20


def test_ctrl_c_ends_all_processes_at_once():
    code = (
        "import time; from treesmu.engine import open_executor\n"
        "with open_executor('local', 2) as executor:\n"
        "    for _ in executor.as_completed(time.sleep, [(0.3,), (0.3,), *[(60,)] * 5]): print('one', flush=True)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    with child:
        assert child.stdout is not None
        assert [child.stdout.readline() for _ in range(2)] == ["one\n"] * 2
        os.killpg(child.pid, signal.SIGINT)
        _, told = child.communicate(timeout=20)
    assert child.returncode == -signal.SIGINT
    assert told.rstrip().endswith("KeyboardInterrupt")
    assert told.count("Traceback") == 1  # the workers say nothing
    assert comes_true(lambda: is_gone(child.pid))


def is_gone(group: int) -> bool:
    """Whether no process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def comes_true(what: Callable[[], bool]) -> bool:
    """Whether it does within seconds."""
    for _ in range(100):
        if what():
            return True
        time.sleep(0.1)
    return False


# -- more begun as some end --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_more_jobs_are_begun_as_some_end_and_keep_their_numbers(jobs):
    """Each result decides what is begun next: 8 -> 7 -> ... -> 0."""
    with open_executor("local", jobs) as executor, Jobs(executor, abs) as under_way:
        found = []
        assert [under_way.begin(-8), under_way.begin(-3)] == [0, 1]
        while under_way:
            for done in under_way.ended():
                found.append((done.number, done.result))
                if done.result:
                    under_way.begin(1 - done.result)
    assert sorted(number for number, _ in found) == list(range(len(found)))
    assert sorted(result for _, result in found) == sorted([*range(9), *range(4)])


def test_what_an_ended_job_was_given_is_let_go():
    """On a cluster that is a whole run folder."""
    given = [Given() for _ in range(3)]
    left = [weakref.ref(one) for one in given]
    with open_executor("local", 1) as executor, Jobs(executor, type) as jobs:
        for one in given:
            jobs.begin(one)
        del given, one
        while jobs:
            for _ in jobs.ended():
                pass
        assert [one() for one in left] == [None] * 3


class Given:
    pass


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_a_place_is_full_as_soon_as_another_job_would_wait(jobs):
    with open_executor("local", jobs) as executor, Jobs(executor, abs) as under_way:
        for _ in range(jobs):
            assert not under_way.is_full
            under_way.begin(-1)
        assert under_way.is_full
        assert len(list(under_way.ended())) >= 1
        assert not under_way.is_full


def test_a_job_whose_worker_was_lost_is_tried_again_before_it_is_told(tmp_path: Path):
    with open_executor("local", 2) as executor, Jobs(executor, be_killed_once) as under_way:
        under_way.begin(str(tmp_path), 1)
        assert list(under_way.ended()) == []  # lost, and begun again
        assert len(under_way) == 1
        (done,) = under_way.ended()
    assert (done.number, done.result, done.error, done.tries) == (0, 1, None, 2)


def test_a_job_that_raises_leaves_room_for_others():
    with open_executor("local", 2) as executor, Jobs(executor, fail) as under_way:
        under_way.begin(2)
        (done,) = under_way.ended()
        assert (done.result, done.error) == (None, "KeyError: 'job 2'")
        under_way.begin(3)
        assert [done.result for done in under_way.ended()] == [3]


@pytest.mark.parametrize("jobs", [1, 2])
def test_who_leaves_cancels_what_has_not_begun(jobs, tmp_path: Path):
    with open_executor("local", jobs) as executor:
        with Jobs(executor, note) as under_way:
            for i in range(30):
                under_way.begin(str(tmp_path), i)
            next(under_way.ended())
        assert list(executor.in_order(note, [(str(tmp_path), 1000)])) == [1000]  # still of use
    assert len(list(tmp_path.iterdir())) < 20


# -- other engines -----------------------------------------------------------------------------------------------------


def test_an_unknown_engine_is_named_with_those_known():
    with pytest.raises(EngineError, match="unknown engine 'abacus'; known: local, ray"), open_executor("abacus"):
        pass


def test_ray_that_is_not_installed_is_told_with_a_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(EngineError, match=r"pip install 'treesmu\[cluster\]'"), open_executor("ray"):
        pass


def test_default_is_a_job_for_each_core_that_is_ours():
    assert 1 <= default_jobs() <= (os.cpu_count() or 1)


# -- Ray ---------------------------------------------------------------------------------------------------------------


@pytest.mark.xdist_group("ray")
@pytest.mark.filterwarnings("ignore")
def test_an_address_where_nobody_answers_is_told_at_once():
    pytest.importorskip("ray")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start = time.perf_counter()
    with pytest.raises(EngineError, match=rf"no Ray cluster at 127\.0\.0\.1:{port}: .*refused"):
        open_executor("ray", 2, f"127.0.0.1:{port}").__enter__()
    assert time.perf_counter() - start < 15


@pytest.fixture
def two_nodes(tmp_path: Path) -> Iterator[list[dict[str, Any]]]:
    """How the jobs of two_nodes.py ended; nothing of it is left running, whatever happens."""
    pytest.importorskip("ray")
    out = tmp_path / "ended.json"
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as folder:  # short, for names of sockets are
        settings = {
            "RAY_TMPDIR": folder,
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # 127.0.0.1 stays 127.0.0.1
            "RAY_health_check_period_ms": "500",  # a dead node is noticed in seconds
        }
        environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"} | settings
        script = subprocess.Popen(
            [sys.executable, str(TWO_NODES), str(out)],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )  # fmt: skip
        try:
            told, _ = script.communicate(timeout=120)
            assert script.returncode == 0, told[-4000:]
            yield json.loads(out.read_text())
        finally:
            end_group(script.pid)


def end_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:  # all of it has ended
        return
    assert comes_true(lambda: is_gone(group))


@pytest.mark.xdist_group("ray")
def test_a_node_of_a_cluster_killed_in_the_middle_costs_no_result(two_nodes):
    """Twenty jobs on two nodes: the first raises, the second always kills its worker; then one node is killed."""
    failed, fine = ([end for end in two_nodes if (end["number"] < 2) is wrong] for wrong in (True, False))
    assert sorted(end["number"] for end in fine) == list(range(2, 20))
    assert {(end["number"] == end["result"], end["common"], end["bytes"], end["error"]) for end in fine} == {
        (True, 1_000_000, 200_000, None)
    }
    assert len({end["node"] for end in fine}) == 2
    assert {end["tries"] for end in fine} == {1, 2}  # the dead node was in the middle of one
    assert sorted((end["number"], end["error"], end["tries"]) for end in failed) == [
        (0, "ValueError: job 0", 1),
        (1, "a job on the Ray cluster did not come to its end (WorkerCrashedError)", 2),
    ]
