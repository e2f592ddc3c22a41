"""InProcess: the executor that runs each job in this process, when its result is asked for."""

from __future__ import annotations

from functools import partial
from typing import Any

from .executor import Arguments, Executor, Function


class InProcess(Executor):
    """Runs one job at a time, in the order of submission."""

    def close(self) -> None:
        """Do nothing: no job runs after its result was asked for."""

    def _capacity(self) -> int:
        return 0

    def _submit(self, function: Function, arguments: Arguments) -> partial[Any]:
        return partial(function, *arguments)

    def _result(self, job: partial[Any]) -> Any:
        return job()

    def _wait(self, jobs: list[partial[Any]]) -> list[partial[Any]]:
        return jobs[:1]

    def _cancel(self, job: partial[Any]) -> None:
        pass
