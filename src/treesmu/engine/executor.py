"""Executor: the interface of everything that runs jobs, and Jobs, the set of jobs that one caller has submitted."""

from __future__ import annotations

import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Function = Callable[..., Any]
Arguments = tuple[Any, ...]


class EngineError(RuntimeError):
    """An executor does not work; the message says why and what to do."""


class LostWorkerError(EngineError):
    """The worker of a job has died, so it is unknown how far the job came: it may be run again."""


@dataclass(frozen=True)
class FinishedJob:
    """How a job ended."""

    number: int  # in the order of submission, from 0
    result: Any  # None if the job failed
    error: str | None  # why it failed, in one line
    log: str  # details of the failure: the traceback, if there is one
    tries: int  # how often it was started


class Executor(ABC):
    """Runs submitted jobs, as many at a time as it has capacity for, each in one thread."""

    shares_files = True  # whether jobs read and write the same files as this process

    def in_order(self, function: Function, tasks: Iterable[Arguments], retries: int = 1) -> Generator[Any, None, None]:
        """Yield the results in the order of the tasks, so that the consumer is deterministic.

        An exception of a job is raised here. Tasks are taken from the iterable as they are needed, one more than can run at
        once, so that no worker waits for the consumer. Closing the generator cancels the jobs that have not started.
        """
        submitted: deque[tuple[Any, Arguments]] = deque()
        try:
            for arguments in tasks:
                submitted.append((self._submit(function, arguments), arguments))
                if len(submitted) > self._capacity():
                    yield self._result_with_retries(function, *submitted.popleft(), retries)
            while submitted:
                yield self._result_with_retries(function, *submitted.popleft(), retries)
        finally:
            for job, _ in submitted:
                self._cancel(job)

    def as_completed(
        self, function: Function, tasks: Sequence[Arguments], retries: int = 1
    ) -> Generator[FinishedJob, None, None]:
        """Yield the finished jobs as they finish; those that finished between two calls, in the order of the tasks.

        A job that raises is reported and stops no other. A job whose worker was lost is submitted again, behind all others,
        up to ``retries`` times; a job that raised is not, because it would raise again.
        """
        with Jobs(self, function, retries) as jobs:
            for arguments in tasks:
                jobs.submit(*arguments)
            while jobs:
                yield from jobs.wait()

    def share(self, value: Any) -> Any:
        """Return what to pass as an argument in place of a large value that many jobs need; the jobs receive the value."""
        return value

    def _result_with_retries(self, function: Function, job: Any, arguments: Arguments, retries: int) -> Any:
        for _ in range(retries):
            try:
                return self._result(job)
            except LostWorkerError:
                job = self._submit(function, arguments)
        return self._result(job)

    @abstractmethod
    def close(self) -> None:
        """End the jobs that are still running."""

    @abstractmethod
    def _capacity(self) -> int:
        """Return how many jobs can run at once while the caller waits for one of them."""

    @abstractmethod
    def _submit(self, function: Function, arguments: Arguments) -> Any:
        """Return a job, which starts as soon as there is capacity."""

    @abstractmethod
    def _result(self, job: Any) -> Any:
        """Wait for a job and return or raise what it does; LostWorkerError if its worker died."""

    @abstractmethod
    def _wait(self, jobs: list[Any]) -> list[Any]:
        """Wait until at least one job has finished, and return those that have."""

    @abstractmethod
    def _cancel(self, job: Any) -> object:
        """Keep a job from starting, if it has not started."""


class Jobs:
    """Jobs of one function, numbered as they are submitted; more can be submitted as some finish. Leaving cancels the rest."""

    def __init__(self, executor: Executor, function: Function, retries: int = 1) -> None:
        self._executor, self._function, self._retries = executor, function, retries
        self._submitted = 0
        self._arguments: dict[int, Arguments] = {}  # by number, of the jobs that may have to be run again
        self._running: dict[Any, tuple[int, int]] = {}  # job: its number, and which try this is

    def __enter__(self) -> Jobs:
        return self

    def __exit__(self, *_: object) -> None:
        for job in self._running:
            self._executor._cancel(job)

    def __len__(self) -> int:
        return len(self._running)

    @property
    def is_full(self) -> bool:
        """Whether another job would have to wait."""
        return len(self) >= max(1, self._executor._capacity())

    def submit(self, *arguments: Any) -> int:
        """Submit a job and return its number."""
        number, self._submitted = self._submitted, self._submitted + 1
        self._arguments[number] = arguments
        self._start(number, 1)
        return number

    def wait(self) -> Generator[FinishedJob, None, None]:
        """Wait for one job or more, and yield how they ended; nothing, if all of them are run again."""
        for job in self._executor._wait(list(self._running)):
            number, tries = self._running.pop(job)
            outcome = self._outcome(job)
            if outcome.is_lost and tries <= self._retries:
                self._start(number, tries + 1)
            else:
                del self._arguments[number]
                yield FinishedJob(number, outcome.result, outcome.error, outcome.log, tries)

    def _start(self, number: int, tries: int) -> None:
        job = self._executor._submit(_run, (self._function, *self._arguments[number]))
        self._running[job] = number, tries

    def _outcome(self, job: Any) -> _Outcome:
        try:
            outcome: _Outcome = self._executor._result(job)
            return outcome
        except Exception as error:  # the worker is lost, or the result cannot be pickled
            log = "\n".join([_one_line(error), *getattr(error, "__notes__", ())])
            return _Outcome(error=_one_line(error), log=log, is_lost=isinstance(error, LostWorkerError))


class _Outcome(NamedTuple):
    """What a worker sends back. It holds no exception, because some exceptions cannot be pickled."""

    result: Any = None
    error: str | None = None
    log: str = ""
    is_lost: bool = False


def _run(function: Function, *arguments: Any) -> _Outcome:
    try:
        return _Outcome(function(*arguments))
    except Exception as error:
        return _Outcome(error=_one_line(error), log="".join(traceback.format_exception(error)))


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, EngineError) else f"{type(error).__name__}: {text}".removesuffix(": ")
