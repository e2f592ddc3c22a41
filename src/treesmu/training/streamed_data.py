"""StreamedData: the equations of a run whose training equations are generated beside it; the corpus gives the other splits."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from treesmu.data import DataError, Dataset, Vocab
from treesmu.data.augment.planned_rows import PlannedRows, Planner
from treesmu.data.augment.trained_symbols import TrainedSymbols
from treesmu.models.forest.encoder import TreeEncoder
from treesmu.models.sequences.base import SequenceEncoder

from .checkpoint import TrainingProgress
from .settings import TrainSettings
from .training_data import TrainingData, read_rows


class Stream(Protocol):
    """Where training equations come from (``treesmu.generate.stream.stream.EquationStream``)."""

    def identity(self) -> dict[str, Any]:
        """Return what distinguishes the equations of this stream from those of others, as plain JSON."""

    def parts(self, numbers: range, planner: Planner) -> Generator[PlannedRows, None, None]:
        """Yield the parts with these numbers, in order."""


class StreamedData:
    """The splits of a run. Each epoch has training equations of its own: the part of the stream with its number.

    progress: of the run; the symbols of its equations so far are noted there, so that a checkpoint has them.
    """

    def __init__(self, stream: Stream, corpus: Path, settings: TrainSettings, encoder: Any, progress: TrainingProgress) -> None:
        assert settings.rows is not None
        self.stream, self.encoder, self.settings, self.progress = stream, encoder, settings, progress
        self.validation, self.test = read_rows(corpus, "validation", settings), Dataset.read(corpus, "test")
        try:
            self.validation_plan = encoder.plan(self.validation.prefix)
        except DataError as error:
            raise DataError(f"{corpus}: {error}") from error
        self.rows = settings.rows
        self._waited = 0.0  # seconds, for the current part
        self._epoch = -1
        self._data: TrainingData | None = None
        self._parts: Generator[PlannedRows, None, None] | None = None

    @property
    def nodes(self) -> int:
        """About how many nodes the equations of an epoch have; the same number in every process and when a run is resumed."""
        return int(self.rows * self.validation.size.mean())

    @property
    def vocab(self) -> Vocab:
        """The vocabulary of all parts."""
        vocab: Vocab = self.encoder.vocab
        return vocab

    def trained_symbols(self, vocab: Vocab, settings: TrainSettings) -> TrainedSymbols:  # noqa: ARG002
        """Return the functions and leaves of all parts so far."""
        return TrainedSymbols.from_dict(self.progress.trained or {"functions": [], "leaves": []})

    def facts(self) -> dict[str, int]:
        """Return what else is to be said of the rows: nothing, no equation is in two splits."""
        return {}

    def waiting(self) -> dict[str, float]:
        """Return how long the current epoch waited for its equations."""
        return {"waited": round(self._waited, 3)}

    def of_epoch(self, epoch: int) -> TrainingData:
        """Return the data of an epoch, which may have to be waited for; the last one that was asked for is there at once."""
        if self._data is None or epoch != self._epoch:
            if self._parts is None or epoch != self._epoch + 1:
                self.close()
                self._parts = self.stream.parts(range(epoch, self.settings.epochs), self._planner())
            began = time.monotonic()
            self._data = None  # frees its memory
            self._data, self._epoch = self._training_data(next(self._parts)), epoch
            self._waited = time.monotonic() - began
        return self._data

    def close(self) -> None:
        """Stop making parts that have not been asked for."""
        if self._parts is not None:
            self._parts.close()

    def _planner(self) -> Planner:
        encoder, vocab = self.encoder, self.vocab
        if isinstance(encoder, TreeEncoder):
            return Planner(vocab, has_values=self.settings.needs_node_values)
        if isinstance(encoder, SequenceEncoder):
            return Planner(vocab, form=encoder.form)
        return Planner(vocab, is_deferred=True)

    def _training_data(self, part: PlannedRows) -> TrainingData:
        plan = self.encoder.plan(part.rows.prefix) if part.plan is None else replace(part.plan, vocab=self.vocab)
        data = TrainingData(part.rows, self.validation, self.test, plan, part.values, self.validation_plan)
        found = data.trained_symbols(self.vocab, self.settings)
        self.progress.trained = found.joined(self.trained_symbols(self.vocab, self.settings), self.vocab).to_dict()
        return data


def read_data(
    corpus: Path, settings: TrainSettings, encoder: Any, stream: Stream | None, progress: TrainingProgress
) -> TrainingData | StreamedData:
    """Return the equations of a run: of a corpus, or of a corpus and a stream."""
    if stream is None:
        return TrainingData.read(corpus, settings, encoder)
    return StreamedData(stream, corpus, settings, encoder, progress)


def stream_identity(settings: TrainSettings, stream: Stream | None) -> dict[str, Any]:
    """Return what a run's identity has of its stream. Settings that ask for a stream where there is none are a DataError."""
    if settings.stream != (stream is not None):
        remedy = "use treesmu train --stream, or give the trainer a stream"
        raise DataError(f"stream: the settings {'ask for one that is not there' if settings.stream else 'have none'}; {remedy}")
    return {} if stream is None else {"stream": stream.identity()}
