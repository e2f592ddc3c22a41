"""The jobs that the engine runs somewhere: a training run or a part of it, an analysis of a trained model. One thread each.

Where the job's machine shares our files a folder is its path, and a run that is killed leaves there what it needs to go on.
Elsewhere a folder travels as its files, and a training run comes back as files.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from treesmu.files import atomic_write
from treesmu.training.run_folder import RunFolder
from treesmu.training.settings import TrainSettings

from .probes.flipped_labels import TABLE, FlippedLabelsMonitor
from .study import PlannedRun, Study

Files = dict[str, bytes]  # the files of a folder, by name
Folder = Path | Files


def train(corpus: Folder, folder: Folder, settings: dict[str, Any]) -> tuple[dict[str, Any], Files]:
    """Train, or go on with what was begun. What there is to tell at the end; the run's files, if they are not there already."""
    import torch

    from treesmu.training.trainer import Trainer

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)  # as in training: what a watch asks before it begins is what it would ask within
    told: dict[str, Any] = {}
    with _on_disk(corpus) as data, _on_disk(folder) as out:
        trainer = Trainer(data, out, TrainSettings(**settings), resume=True)
        watch = FlippedLabelsMonitor(trainer, data) if (data / TABLE).exists() else None

        def callback(kind: str, facts: dict[str, Any]) -> None:
            told[kind] = facts
            if watch and kind == "start":
                watch.started()
            if watch and kind == "epoch":
                watch.ask()

        trainer.callback = callback
        trainer.run()
        files = {} if isinstance(folder, Path) else files_of(out)
    return {"validation": told["test"]["best"], "test": told["test"]["overall"]["accuracy"]}, files


def train_until(corpus: Folder, folder: Folder, settings: dict[str, Any], epoch: int) -> tuple[list[float], Files]:
    """Train up to the end of an epoch, or go on to it. The validation accuracy of each so far; the files as in train.

    There are fewer epochs where a run's patience has ended.
    """
    import torch

    from treesmu.training.trainer import Trainer

    torch.set_num_threads(1)
    with _on_disk(corpus) as data, _on_disk(folder) as out:
        trainer = Trainer(data, out, TrainSettings(**settings), resume=True)
        trainer.run(until=epoch)
        files = {} if isinstance(folder, Path) else files_of(out)
    return [line["validation_accuracy"] for line in trainer.progress.metrics], files


def analyse(study: Study, run: PlannedRun, folder: Folder, corpus: Folder) -> dict[str, Any]:
    """Ask a study's question of a trained model."""
    import torch

    torch.set_num_threads(1)
    with _on_disk(corpus) as data, _on_disk(folder) as out:
        return study.analyse(run, out, data)


def files_of(folder: Path, only: tuple[str, ...] = ()) -> Files:
    """What is in a folder; nothing if there is no such folder."""
    found = sorted(folder.iterdir()) if folder.exists() else []
    return {file.name: file.read_bytes() for file in found if file.suffix != ".part" and (not only or file.name in only)}


def write_files(files: Files, folder: Path, last: str) -> None:
    """Put files into a run folder, each whole or not at all. last: the one that says that all are there.

    The settings come first: a folder in which they are missing would not be taken for a run that can be gone on with.
    """
    folder.mkdir(parents=True, exist_ok=True)
    first = RunFolder(folder).settings.name
    for name in sorted(files, key=lambda name: (name == last) - (name == first)):
        with atomic_write(folder / name) as temporary:
            temporary.write_bytes(files[name])


@contextmanager
def _on_disk(folder: Folder) -> Iterator[Path]:
    """The folder as a path, as long as it is needed."""
    if isinstance(folder, Path):
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="treesmu-") as name:
        for file, content in folder.items():
            (Path(name) / file).write_bytes(content)
        yield Path(name)
