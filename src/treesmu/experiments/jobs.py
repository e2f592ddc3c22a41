"""The jobs that an executor runs: train, train up to an epoch, analyse a trained model. Each uses one thread.

Where the executor shares our files, a folder is passed as its path, and a run that is killed leaves its checkpoint there.
Elsewhere, a folder is passed as its files, and a training job returns the files of its run. A device is the name of one on
the machine of the job; it is no part of what identifies a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from treesmu import registry
from treesmu.engine import Executor, FinishedJob
from treesmu.errors import DataError
from treesmu.files import PART, atomic_write, temporary_folder
from treesmu.training.run_folder import RunFolder
from treesmu.training.settings import TrainSettings

from .probes.flipped_labels import TABLE, FlippedLabelsMonitor
from .study import PlannedRun, Study

Files = dict[str, bytes]  # the files of a folder, by name


class SentFile(NamedTuple):
    """A file that is sent instead of its path, such as one of trees."""

    name: str
    content: bytes


Folder = Path | Files | SentFile  # or a single file
LOCK_SECONDS = 60.0  # to wait for a worker whose parent was killed: it ends a moment later


# -- jobs --------------------------------------------------------------------------------------------------------------


def train(corpus: Folder, folder: Folder, settings: dict[str, Any], device: str = "cpu") -> tuple[dict[str, Any], Files]:
    """Train a model and test it, or resume that. Return its scores, and the run's files unless they are on disk."""
    import torch

    from treesmu.training.trainer import Trainer

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)  # as in training: the monitor's first predictions must be those that it makes there
    events: dict[str, Any] = {}
    with _on_disk(corpus) as data, _on_disk(folder) as out:
        trainer = Trainer(data, out, TrainSettings(**settings), resume=True, device=device, lock_seconds=LOCK_SECONDS)
        monitor = FlippedLabelsMonitor(trainer, data) if (data / TABLE).exists() else None

        def callback(event: str, facts: dict[str, Any]) -> None:
            events[event] = facts
            if monitor and event == "start":
                monitor.catch_up()
            if monitor and event == "epoch":
                monitor.record()

        trainer.callback = callback
        trainer.run()
        files = {} if isinstance(folder, Path) else read_files(out)
    return {"validation": events["test"]["best"], "test": events["test"]["overall"][trainer.task.measure.key]}, files


def train_until(
    corpus: Folder, folder: Folder, settings: dict[str, Any], epoch: int, device: str = "cpu"
) -> tuple[list[float], Files]:
    """Train up to the end of an epoch, or resume that. Return the score of each epoch, and files as in train.

    There are fewer epochs if the run has stopped early (its ``patience``).
    """
    import torch

    from treesmu.training.trainer import Trainer

    torch.set_num_threads(1)
    with _on_disk(corpus) as data, _on_disk(folder) as out:
        trainer = Trainer(data, out, TrainSettings(**settings), resume=True, device=device, lock_seconds=LOCK_SECONDS)
        trainer.run(until=epoch)
        files = {} if isinstance(folder, Path) else read_files(out)
    return [line[trainer.score_name] for line in trainer.progress.metrics], files


def analyse(study: Study, run: PlannedRun, folder: Folder, names: tuple[str, ...], *corpora: Folder) -> dict[str, Any]:
    """Return a study's analysis of a trained model, computed on the CPU. names: of the corpora that follow.

    They are arguments of their own because an executor that does not share files sends each of them once for many jobs.
    """
    import torch

    torch.set_num_threads(1)
    with ExitStack() as stack:
        out, *found = (stack.enter_context(_on_disk(one)) for one in (folder, *corpora))
        return study.analyse(run, out, dict(zip(names, found, strict=True)))


def knows_model(name: str) -> bool:
    """Return whether the process of the job knows a model; a fault of its code is raised."""
    return name in registry.names() and registry.model_class(name) is not None


# -- before the jobs -----------------------------------------------------------------------------------------------------


def check_models(executor: Executor, names: Iterable[str]) -> None:
    """Raise a DataError if the processes of the jobs do not know a user's model: otherwise every run of it would fail."""
    own = sorted(set(names) - set(registry.BUILT_IN))
    for job in executor.as_completed(knows_model, [(name,) for name in own]):
        if job.error is not None:
            raise DataError(f"model {own[job.number]!r} in a worker process: {job.error.removeprefix('DataError: ')}")
        if not job.result:
            where = "is registered by a script or a notebook, which worker processes cannot import"
            remedy = "put it into a file of its own and load that: --plugin FILE.py, or treesmu.plugins.load_plugin in Python"
            raise DataError(f"model {own[job.number]!r} {where}; {remedy}")


# -- folders -----------------------------------------------------------------------------------------------------------


def folder_argument(executor: Executor, folder: Path, only: tuple[str, ...] = ()) -> Folder:
    """Return what to pass to a job for a folder: its path, or its files where the executor does not share ours."""
    return folder if executor.shares_files else read_files(folder, only)


def shared_folder_argument(executor: Executor, folder: Path) -> Any:
    """Return what to pass to many jobs for the same folder or file: its content is sent once."""
    if executor.shares_files:
        return folder
    return executor.share(SentFile(folder.name, folder.read_bytes()) if folder.is_file() else read_files(folder))


def read_files(folder: Path, only: tuple[str, ...] = ()) -> Files:
    """Return the files of a folder; none if the folder does not exist."""
    found = sorted(folder.iterdir()) if folder.exists() else []
    return {file.name: file.read_bytes() for file in found if file.suffix != PART and (not only or file.name in only)}


def write_files(files: Files, folder: Path, last: str) -> None:
    """Write files into a run folder, each whole or not at all. last: the file whose presence says that all are there.

    The settings are written first: a folder without them is not taken for a run that can be resumed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    first = RunFolder(folder).settings.name
    for name in sorted(files, key=lambda name: (name == last) - (name == first)):
        with atomic_write(folder / name) as temporary:
            temporary.write_bytes(files[name])


def write_failure(log: Path, job: FinishedJob) -> None:
    """Write why a job failed, with its traceback."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(log) as temporary:
        temporary.write_text(f"{job.error}\n\n{job.log}\n", encoding="utf-8")


@contextmanager
def _on_disk(folder: Folder) -> Iterator[Path]:
    """Yield the path of a folder or file; what was sent is written to a temporary folder."""
    if isinstance(folder, Path):
        yield folder
        return
    files = {folder.name: folder.content} if isinstance(folder, SentFile) else folder
    with temporary_folder() as path:
        for file, content in files.items():
            (path / file).write_bytes(content)
        yield path / folder.name if isinstance(folder, SentFile) else path
