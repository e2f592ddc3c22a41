"""What a run needs of its task: what identifies its data, a fresh model, and the splits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from treesmu.data import DataError
from treesmu.data.tree_files.table import TreeTable
from treesmu.models.model import Model
from treesmu.models.trees.tree_model import TreeModel
from treesmu.tasks.task import Task
from treesmu.tasks.trees.make import make_tree_task
from treesmu.tasks.verification import Verification

from .checkpoint import TrainingProgress
from .fresh_model import fresh_model, fresh_tree_model
from .run_folder import identity_of, run_identity
from .settings import TrainSettings
from .streamed_data import Stream, StreamedData, read_data, stream_identity
from .training_data import TrainingData, read_vocab
from .tree_data import TreeData, TreeSplits, read_tree_source


class RunTask(ABC):
    """The data of a run and the model for them. Wrong data are a DataError of the constructor or of the methods."""

    task: Task
    identity: dict[str, Any]  # what distinguishes the run from others

    @abstractmethod
    def fresh_model(self) -> Model | TreeModel:
        """Return a model with initial weights."""

    @abstractmethod
    def read(self, model: Any, progress: TrainingProgress) -> TrainingData | StreamedData | TreeData:
        """Return the rows of the run, planned for the model. progress: of the run, which a stream notes its symbols in."""


class EquationRun(RunTask):
    """A run on the equations of a corpus, and perhaps of a stream."""

    def __init__(self, corpus: Path, settings: TrainSettings, stream: Stream | None) -> None:
        self.corpus, self.settings, self.stream = corpus, settings, stream
        self.task = Verification()
        self.identity = run_identity(settings, corpus) | stream_identity(settings, stream)

    def fresh_model(self) -> Model:
        return fresh_model(self.settings, read_vocab(self.corpus))

    def read(self, model: Model, progress: TrainingProgress) -> TrainingData | StreamedData:
        return read_data(self.corpus, self.settings, model.encoder, self.stream, progress)


class TreeRun(RunTask):
    """A run on the trees of a file or in memory."""

    def __init__(self, source: Path | TreeTable, settings: TrainSettings) -> None:
        self.settings = settings
        self.task = make_tree_task(settings.task, settings.loss)
        table, files = read_tree_source(source)
        self.identity = identity_of(settings, files)
        self.splits = TreeSplits.divide(table, settings)
        self.answer_kind = self.splits.answer_kind(settings)

    def fresh_model(self) -> TreeModel:
        return fresh_tree_model(self.settings, self.splits.reading(self.settings), self.answer_kind)

    def read(self, model: TreeModel, progress: TrainingProgress) -> TreeData:  # noqa: ARG002
        return TreeData.of(self.splits, model)


def open_task(data: Path | TreeTable, settings: TrainSettings, stream: Stream | None = None) -> RunTask:
    """Return the task of a run on a corpus, a file of trees, or trees in memory."""
    if settings.task != "verify":
        return TreeRun(data, settings)
    if isinstance(data, TreeTable):
        raise DataError("the task verify is for a corpus of equations; for trees give another task, such as classify")
    return EquationRun(data, settings, stream)
