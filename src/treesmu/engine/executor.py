"""What every executor to run jobs offers, and the simplest one: this process."""

from __future__ import annotations

import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

Function = Callable[..., Any]
Arguments = tuple[Any, ...]


class EngineError(RuntimeError):
    """The executor where jobs run does not work; the message says why and what to do."""


class LostWorkerError(EngineError):
    """Who did the job is gone, and nobody knows how far the job was: it may be tried again."""


@dataclass(frozen=True)
class Done:
    """How a job ended."""

    number: int  # of its task
    result: Any  # None if it failed
    error: str | None  # why it failed, in a line
    log: str  # what is known of the failure: the traceback, where there is one
    tries: int


class Executor(ABC):
    """Jobs begun here run at once, as many as there is room for, each in one thread."""

    shares_files = True  # with us: what a job writes is there for us, and what we wrote for it

    def in_order(self, function: Function, tasks: Iterable[Arguments], retries: int = 1) -> Generator[Any, None, None]:
        """The results in the order of the tasks, wherever they are made: who consumes them is deterministic.

        What a job raises is raised here. Tasks are taken as they are needed, one more than can run at once, so that no worker
        waits for the consumer; who stops early cancels the others.
        """
        under_way: deque[tuple[Any, Arguments]] = deque()
        try:
            for arguments in tasks:
                under_way.append((self._begin(function, arguments), arguments))
                if len(under_way) > self._room():
                    yield self._insist(function, *under_way.popleft(), retries)
            while under_way:
                yield self._insist(function, *under_way.popleft(), retries)
        finally:
            for job, _ in under_way:
                self._cancel(job)

    def as_completed(self, function: Function, tasks: Sequence[Arguments], retries: int = 1) -> Generator[Done, None, None]:
        """How the jobs end, as they end; those that ended while nobody asked, in the order of the tasks.

        What a job raises is told and stops no other. A job whose worker is lost is begun again, behind all others, up to
        `retries` times. One that raises is not: it would raise again.
        """
        with Jobs(self, function, retries) as jobs:
            for arguments in tasks:
                jobs.begin(*arguments)
            while jobs:
                yield from jobs.ended()

    def share(self, value: Any) -> Any:
        """What to put into the tasks for a large value that many need: it arrives as the value if it is an argument itself."""
        return value

    def _insist(self, function: Function, job: Any, arguments: Arguments, retries: int) -> Any:
        """The result of a job, begun again where its worker is lost."""
        for _ in range(retries):
            try:
                return self._result(job)
            except LostWorkerError:
                job = self._begin(function, arguments)
        return self._result(job)

    @abstractmethod
    def close(self) -> None:
        """End what is under way."""

    @abstractmethod
    def _room(self) -> int:
        """How many jobs can run at once, beside the one that is asked for its result."""

    @abstractmethod
    def _begin(self, function: Function, arguments: Arguments) -> Any:
        """A job, under way as soon as there is room."""

    @abstractmethod
    def _result(self, job: Any) -> Any:
        """What it returns or raises, as soon as it ends; LostWorkerError if it did not come to an end."""

    @abstractmethod
    def _ended(self, jobs: list[Any]) -> list[Any]:
        """Those that have ended, at least one: wait for it."""

    @abstractmethod
    def _cancel(self, job: Any) -> object:
        """Never begin it, if it has not begun."""


class Jobs:
    """Jobs of one function, numbered as they are begun; others can be begun as some end. Who leaves cancels the rest."""

    def __init__(self, executor: Executor, function: Function, retries: int = 1) -> None:
        self._executor, self._function, self._retries = executor, function, retries
        self._begun = 0
        self._arguments: dict[int, Arguments] = {}  # by number, of those that may have to be tried again
        self._under_way: dict[Any, tuple[int, int]] = {}  # job: its number, and which try this is

    def __enter__(self) -> Jobs:
        return self

    def __exit__(self, *_: object) -> None:
        for job in self._under_way:
            self._executor._cancel(job)

    def __len__(self) -> int:
        return len(self._under_way)

    @property
    def is_full(self) -> bool:
        """Would another have to wait?"""
        return len(self) >= max(1, self._executor._room())

    def begin(self, *arguments: Any) -> int:
        number, self._begun = self._begun, self._begun + 1
        self._arguments[number] = arguments
        self._try(number, 1)
        return number

    def ended(self) -> Generator[Done, None, None]:
        """Wait for one or more, and tell how they ended; nothing, where they are tried again."""
        for job in self._executor._ended(list(self._under_way)):
            number, tries = self._under_way.pop(job)
            outcome = self._outcome(job)
            if outcome.lost and tries <= self._retries:
                self._try(number, tries + 1)
            else:
                del self._arguments[number]
                yield Done(number, outcome.result, outcome.error, outcome.log, tries)

    def _try(self, number: int, tries: int) -> None:
        job = self._executor._begin(_attempt, (self._function, *self._arguments[number]))
        self._under_way[job] = number, tries

    def _outcome(self, job: Any) -> _Outcome:
        try:
            outcome: _Outcome = self._executor._result(job)
            return outcome
        except Exception as error:  # the worker is lost, or what the job returned cannot be sent
            log = "\n".join([_line(error), *getattr(error, "__notes__", ())])
            return _Outcome(error=_line(error), log=log, lost=isinstance(error, LostWorkerError))


class InProcess(Executor):
    """This process: a job is done when its result is asked for."""

    def close(self) -> None:
        pass

    def _room(self) -> int:
        return 0

    def _begin(self, function: Function, arguments: Arguments) -> partial[Any]:
        return partial(function, *arguments)

    def _result(self, job: partial[Any]) -> Any:
        return job()

    def _ended(self, jobs: list[partial[Any]]) -> list[partial[Any]]:
        return jobs[:1]

    def _cancel(self, job: partial[Any]) -> None:
        pass


class _Outcome(NamedTuple):
    """What comes back from a worker: no exception, for not all of them can be sent."""

    result: Any = None
    error: str | None = None
    log: str = ""
    lost: bool = False


def _attempt(function: Function, *arguments: Any) -> _Outcome:
    try:
        return _Outcome(function(*arguments))
    except Exception as error:
        return _Outcome(error=_line(error), log="".join(traceback.format_exception(error)))


def _line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, EngineError) else f"{type(error).__name__}: {text}".removesuffix(": ")
