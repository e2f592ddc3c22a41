"""Worker processes: one slow question ends with its process, and no other waits for it. No test measures time."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer import EQUATION, save_models
from paths import HELPERS
from treesmu.engine.user_models import user_models
from treesmu.plugins import load_plugin
from treesmu.web import limits
from treesmu.web.catalogue import ModelFile
from treesmu.web.refusal import Refusal
from treesmu.web.work.pool import EncodedRefusal, Pool
from treesmu.web.work.process import WorkerSetup

SLOW = {"model": "sleepy-cell", "text": "sin(x) + sin(y) + (sin(z) + sin(w)) = 1"}
BUSY = {"model": "sleepy-cell", "text": "sin(x) + sin(y) + (sin(z) + sin(w)) + sin(2) = 1"}
QUICK = {"model": "tree-smu", "text": EQUATION}
ALSO_QUICK = {"model": "sleepy-cell", "text": "sin(x) = 1"}
LONG = 900  # seconds: only against hanging

pytestmark = pytest.mark.xdist_group("explorer")


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory) -> WorkerSetup:
    load_plugin(HELPERS / "sleepy_cell.py")
    folder: Path = tmp_path_factory.mktemp("models")
    models: dict[str, ModelFile] = save_models(folder, "tree-smu", "sleepy-cell")
    return WorkerSetup(models, user_models())


@pytest.fixture(scope="module")
def pool(setup: WorkerSetup) -> Iterator[Pool]:
    found = Pool(setup, workers=2, seconds=LONG, patience=LONG)
    yield found
    found.stop()
    found.join()


def _answer(pool: Pool, arguments: dict[str, Any]) -> tuple[int, Any]:
    status, text = pool.submit("verify", arguments).result(LONG)
    return status, json.loads(text)


def test_a_slow_question_does_not_stall_another(pool: Pool) -> None:
    slow = pool.submit("verify", SLOW)
    for _ in range(3):
        assert _answer(pool, QUICK)[0] == 200
    assert not slow.done()
    pool.seconds = 0.2
    _kill_all(pool)  # the question is asked again, and then cut off
    assert slow.result(LONG)[0] == 503
    pool.seconds = LONG


def _kill_all(pool: Pool) -> None:
    for process in list(pool._processes):
        os.kill(process.process.pid or 0, signal.SIGKILL)


def test_processes_that_somebody_kills_are_replaced(pool: Pool) -> None:
    assert _answer(pool, QUICK)[0] == 200
    _kill_all(pool)
    assert [_answer(pool, QUICK)[0] for _ in range(4)] == [200] * 4


def test_a_slow_question_is_cut_off_and_its_process_replaced(pool: Pool) -> None:
    assert _answer(pool, ALSO_QUICK)[0] == 200
    pool.seconds = 0.2
    status, answer = _answer(pool, SLOW)  # which sleeps, so that the clock ends it
    pool.seconds = LONG
    assert status == 503
    assert answer["error"]["message"] == f"the answer took longer than {limits.CLOCK * 0.2:g} seconds"
    assert [_answer(pool, QUICK)[0] for _ in range(4)] == [200] * 4


def test_processor_time_ends_a_question_and_its_process_is_replaced(pool: Pool) -> None:
    pool.seconds = 0.5
    status, answer = _answer(pool, BUSY)
    pool.seconds = LONG
    assert (status, answer["error"]["message"]) == (503, "the answer took longer than 0.5 seconds of processor time")
    assert [_answer(pool, QUICK)[0] for _ in range(4)] == [200] * 4


def test_any_number_of_slow_questions_leaves_a_worker_for_the_others(setup: WorkerSetup) -> None:
    pool = Pool(setup, workers=2, seconds=LONG, patience=LONG)
    slow = [pool.submit("explain", SLOW) for _ in range(3)]
    assert [_answer(pool, QUICK)[0] for _ in range(4)] == [200] * 4
    assert not any(one.done() for one in slow)
    pool.stop()
    pool.join()
    assert [one.result(LONG)[0] for one in slow] == [503] * 3


def test_a_refusal_of_a_worker_is_raised_with_its_message(pool: Pool) -> None:
    with pytest.raises(EncodedRefusal) as caught:
        asyncio.run(pool.ask("verify", {"model": "tree-smu", "text": "x +"}))
    assert caught.value.status == 400
    assert caught.value.message.startswith("expected")


def test_too_many_questions_are_refused_at_once(setup: WorkerSetup) -> None:
    pool = Pool(setup, workers=1, seconds=LONG, waiting=1, patience=LONG)
    asked = [pool.submit("verify", SLOW), pool.submit("verify", QUICK)]
    with pytest.raises(Refusal) as caught:
        pool.submit("verify", QUICK)
    assert caught.value.status == 429
    pool.stop()
    pool.join()
    assert [future.result(LONG)[0] for future in asked] == [503, 503]
    with pytest.raises(Refusal, match="being stopped"):
        pool.submit("verify", QUICK)


def test_a_question_that_has_waited_too_long_is_refused(setup: WorkerSetup) -> None:
    pool = Pool(setup, workers=1, seconds=LONG, patience=0.0)
    status, text = pool.submit("verify", QUICK).result(LONG)
    assert (status, "no turn within" in text.decode()) == (503, True)
    pool.stop()
    pool.join()


def test_a_cancelled_question_is_not_computed(setup: WorkerSetup) -> None:
    pool = Pool(setup, workers=1, seconds=LONG, waiting=1, patience=LONG)
    for _ in range(5):  # more than may wait: each makes room for the next
        assert pool.submit("verify", SLOW).cancel()
    assert _answer(pool, QUICK)[0] == 200
    pool.stop()
    pool.join()


def test_a_process_that_cannot_start_is_no_endless_wait(setup: WorkerSetup) -> None:
    broken = WorkerSetup({}, setup.user_models)  # without any model it fails at once
    pool = Pool(broken, workers=1, seconds=LONG, patience=LONG)
    status, text = pool.submit("verify", QUICK).result(LONG)
    assert (status, b"has ended" in text) == (503, True)
    pool.stop()
    pool.join()
