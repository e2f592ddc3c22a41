"""The command line with jobs that never end: python tests/helpers/endless_jobs.py FOLDER ARGUMENTS.

Tests that send signals need a command in the middle of its work. With jobs that repeat their work until the process is ended,
the command cannot finish before the signal arrives; and each process that runs jobs creates a file in FOLDER when it begins.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from treesmu.cli import main
from treesmu.engine import Executor


@dataclass(frozen=True)
class EndlessJob:
    """A job that reports its process by a file, and then repeats its work."""

    folder: Path
    work: Callable[..., Any]

    def __call__(self, *arguments: Any) -> NoReturn:
        (self.folder / str(os.getpid())).touch()
        while True:
            self.work(*arguments)


def make_jobs_endless(folder: Path) -> None:
    """Replace the jobs of commands that wait for results in order."""
    in_order = Executor.in_order

    def endless(
        executor: Executor, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], retries: int = 1
    ) -> Generator[Any, None, None]:
        return in_order(executor, EndlessJob(folder, function), tasks, retries)

    Executor.in_order = endless  # type: ignore[method-assign]


if __name__ == "__main__":
    make_jobs_endless(Path(sys.argv.pop(1)))
    main()
