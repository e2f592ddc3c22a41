"""Pool: worker processes that answer questions. One that takes too long is ended and replaced; the others go on.

What counts is processor time, so that a busy machine refuses nothing; only after many times as long the clock counts too.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from .. import limits
from ..answers import FaultAnswer
from ..refusal import Refusal
from .process import READY, TIMED_OUT, Answer, WorkerSetup, run_worker
from .turns import Turns

_SPAWN = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads may hold
_START = 300.0  # seconds after which a process that has not loaded its model is given up
_EXIT = 10.0  # seconds that the end of a process may take; it has been killed
STOPPED = "the service is being stopped"
SLOW = frozenset({"explain", "complete"})  # questions that may take longer than a person notices
LOST = "the process that computed the answer has ended, perhaps for lack of memory"


@dataclass(frozen=True)
class _Question:
    name: str
    arguments: Mapping[str, Any]
    future: Future[Answer]
    asked: float  # the time


class Pool:
    """Some worker processes, each served by a thread of this process, and a queue of bounded length."""

    def __init__(
        self,
        setup: WorkerSetup,
        workers: int,
        seconds: float = limits.SECONDS,
        waiting: int = limits.WAITING,
        patience: float = limits.PATIENCE,
    ) -> None:
        """Start the processes; the constructor does not wait for them.

        seconds: of processor time that an answer may take. waiting: questions that may wait. patience: seconds that a
        question may wait. Of several processes, the first takes no slow questions.
        """
        self.setup, self.seconds, self.waiting, self.patience = setup, seconds, waiting, patience
        self.workers = workers
        self._questions: Turns[_Question] = Turns()
        self._processes: set[_Process] = set()
        self._lock = threading.Lock()
        self._unanswered = 0
        self._is_stopped = False
        self._has_first = threading.Event()
        self._threads = [threading.Thread(target=self._serve, args=(number,), daemon=True) for number in range(workers)]
        for thread in self._threads:
            thread.start()

    async def ask(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Return the answer to a question; raise a Refusal if there is none in time or too many wait already."""
        most = self.patience + limits.CLOCK * self.seconds
        try:
            status, found = await asyncio.wait_for(asyncio.wrap_future(self.submit(name, arguments)), most)
        except TimeoutError:
            raise Refusal(503, f"no answer within {most:.0f} seconds: the models are still being loaded", "try again") from None
        if status != 200:
            raise EncodedRefusal(status, found)
        return found

    def submit(self, name: str, arguments: Mapping[str, Any]) -> Future[Answer]:
        """Return the future answer to a question."""
        with self._lock:
            if self._is_stopped:
                raise Refusal(503, STOPPED)
            if self._unanswered >= self.workers + self.waiting:
                raise Refusal(429, "too many requests are waiting", "try again in a second")
            self._unanswered += 1
        question = _Question(name, arguments, Future(), time.monotonic())
        question.future.add_done_callback(self._count_answer)
        self._questions.put(question, is_slow=name in SLOW)
        return question.future

    def stop(self) -> None:
        """End all processes at once; open questions are refused."""
        with self._lock:
            self._is_stopped = True
            for process in self._processes:
                process.kill()
        self._questions.close()

    def join(self) -> None:
        """Wait until a stopped pool has freed its processes, so that none is left for the exit of the interpreter."""
        for thread in self._threads:
            thread.join(_EXIT)

    def _count_answer(self, _: Future[Answer]) -> None:
        with self._lock:
            self._unanswered -= 1

    # -- in a thread for each process ----------------------------------------------------------------------------------

    def _serve(self, number: int) -> None:
        """Answer questions with a process, which is replaced if it is lost."""
        if number > 0:
            self._has_first.wait()  # the first is ready sooner if the others do not load PyTorch at the same time
        process = self._start()
        self._has_first.set()
        while (question := self._questions.get(takes_slow=number > 0 or self.workers == 1)) is not None:
            if not question.future.set_running_or_notify_cancel():
                continue
            waited = time.monotonic() - question.asked
            if self._is_stopped or waited > self.patience:
                question.future.set_result(_refused(STOPPED if self._is_stopped else f"no turn within {waited:.0f} seconds"))
            else:
                process, found = self._answer(process or self._start(), question)
                question.future.set_result(found)
                process = process or self._start()
        if process is not None:
            self._release(process)

    def _answer(self, process: _Process | None, question: _Question) -> tuple[_Process | None, Answer]:
        """Return the process, or None if it is lost, and the answer. A process that somebody has killed is replaced once."""
        for _ in range(2):
            if process is None:
                break
            found = process.ask(question, self.seconds)
            if not process.is_lost and found is not None:
                return process, found
            self._release(process)
            if found is not None:
                return None, found
            process = self._start()
        return process, _refused(LOST)

    def _start(self) -> _Process | None:
        """Return a new process that is ready, or None if it cannot be started or the pool is stopped."""
        with self._lock:
            if self._is_stopped:
                return None
            process = _Process(self.setup)
            self._processes.add(process)
        if process.is_ready():
            return process
        self._release(process)
        return None

    def _release(self, process: _Process) -> None:
        with self._lock:
            self._processes.discard(process)
        process.release()


class _Process:
    """A worker process and the pipe to it."""

    def __init__(self, setup: WorkerSetup) -> None:
        self.pipe, far_end = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=run_worker, args=(far_end, setup), daemon=True)
        self.process.start()
        far_end.close()  # otherwise the end of the process would not close the pipe
        self.is_lost = False

    def is_ready(self) -> bool:
        """Wait until the process has loaded its model; return whether it has."""
        try:
            return self.pipe.poll(_START) and self.pipe.recv() == READY
        except (EOFError, OSError):
            return False

    def ask(self, question: _Question, seconds: float) -> Answer | None:
        """Return the answer, or None if somebody has ended the process. If there is none in time, the process is lost."""
        try:
            self.pipe.send((question.name, question.arguments, seconds))
            if self.pipe.poll(limits.CLOCK * seconds):
                found: Answer = self.pipe.recv()
                return found
        except (EOFError, OSError):
            self.is_lost = True
            self.process.join(_EXIT)
            return _too_long(f"{seconds:g} seconds of processor time") if self.process.exitcode == TIMED_OUT else None
        self.is_lost = True
        return _too_long(f"{limits.CLOCK * seconds:g} seconds")

    def kill(self) -> None:
        self.process.kill()

    def release(self) -> None:
        """End the process and free the system's resources."""
        self.process.kill()
        self.process.join()
        self.process.close()
        self.pipe.close()


class EncodedRefusal(Exception):  # noqa: N818 (as Refusal)
    """A refusal by a worker process, with the JSON text to be sent."""

    def __init__(self, status: int, text: bytes) -> None:
        super().__init__(status)
        self.status, self.text = status, text

    @property
    def message(self) -> str:
        """What is wrong."""
        return FaultAnswer.model_validate_json(self.text).error.message


def _too_long(time: str) -> Answer:
    return _refused(f"the answer took longer than {time}", "enter something smaller")


def _refused(message: str, remedy: str | None = "try again") -> Answer:
    return 503, Refusal(503, message, remedy).answer.model_dump_json().encode()
