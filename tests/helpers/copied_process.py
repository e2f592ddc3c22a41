"""Commands in processes of their own. Loading PyTorch takes two seconds, so they are copies of one that has done it.

For tests of commands that are killed, interrupted or must know nothing of what the process of the test has loaded, and for
which it does not matter how Python was started.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory

from in_process import Done
from process_groups import PATIENCE, members


@contextmanager
def started(*arguments: object, errors: Path, before: Callable[[], object] | None = None) -> Iterator[BaseProcess]:
    """Start ``treesmu ARGUMENTS`` in a process group of its own. What is left of it is killed in the end.

    errors: the file for its standard error; beside it is a file ``output`` for what it prints. before: is called first in its
    process; it must be a function of a module.
    """
    environment = dict(os.environ)  # that of the process from which it is copied may be another
    words = [str(word) for word in arguments]
    process = multiprocessing.get_context("forkserver").Process(
        target=_run, args=(words, environment, str(errors.with_name("output")), str(errors), before)
    )
    process.start()
    try:
        yield process
    finally:
        process.kill()  # has no effect on a process that has ended
        process.join()
        if process.pid is not None and members(process.pid):
            os.killpg(process.pid, signal.SIGKILL)


def run_copy(*arguments: object, before: Callable[[], object] | None = None) -> Done:
    """Run ``treesmu ARGUMENTS`` to its end; return its exit code, or minus the number of the signal that killed it."""
    with TemporaryDirectory() as folder:
        errors = Path(folder, "errors")
        with started(*arguments, errors=errors, before=before) as process:
            process.join(PATIENCE)
            assert process.exitcode is not None, "it hangs"
        output = errors.with_name("output")
        return Done(process.exitcode, output.read_text(encoding="utf-8"), errors.read_text(encoding="utf-8"))


def _run(words: list[str], environment: dict[str, str], output: str, errors: str, before: Callable[[], object] | None) -> None:
    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    from treesmu.cli import main

    for number, file in ((1, output), (2, errors)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), number)
    sys.argv = ["treesmu", *words]
    if before is not None:
        before()
    main()


def die_after_a_checkpoint(epoch: int) -> None:
    """Let this process be killed after it has written a checkpoint in the middle of an epoch, which is counted from 0."""
    from treesmu.training import checkpoint
    from treesmu.training.checkpoint import TrainingProgress

    write = checkpoint.write

    def write_and_die(path: Path, progress: TrainingProgress, *arguments: object) -> None:
        write(path, progress, *arguments)  # type: ignore[arg-type]
        if progress.epoch == epoch and progress.step:
            os.kill(os.getpid(), signal.SIGKILL)

    checkpoint.write = write_and_die  # type: ignore[assignment]
