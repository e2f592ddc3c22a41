"""The equations of a training run: read from a corpus, extended by copies, and planned."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa

from treesmu.data import CorpusPlan, DataError, Dataset, Vocab
from treesmu.data.augment.node_values import NodeValues
from treesmu.data.augment.substitute import Substitution

from .random_streams import SAMPLE, SUBSTITUTE, rng_for
from .settings import TrainSettings


@dataclass(frozen=True)
class TrainingData:
    """The three splits of a run; those used during training are planned once."""

    train: Dataset
    validation: Dataset
    test: Dataset
    plan: Any  # of the training equations, followed by their copies: the first copy of each, the second of each, ...
    values: NodeValues | None  # of the plan's nodes, for the sub-expression loss
    validation_plan: Any

    @property
    def versions(self) -> int:
        """How many versions of each training equation there are: itself and its copies."""
        return len(self.plan) // len(self.train)

    @classmethod
    def read(cls, corpus: Path, settings: TrainSettings, encoder: Any) -> TrainingData:
        """Read the splits of a corpus and plan them for an encoder."""
        train, validation = (read_rows(corpus, split, settings) for split in ("train", "validation"))
        test = Dataset.read(corpus, "test")
        try:
            plan: Any = encoder.plan(with_substitutes(train, settings))
            validation_plan = encoder.plan(validation.prefix)
        except DataError as error:
            raise DataError(f"{corpus}: {error}") from error
        values = NodeValues.of(plan) if settings.subexpressions else None
        return cls(train, validation, test, plan, values, validation_plan)


def read_rows(corpus: Path, split: str, settings: TrainSettings) -> Dataset:
    """Return the equations of a split that a run uses: labelled, of its depths, and as many as it asks for."""
    rows = Dataset.read(corpus, split).select(depths=settings.depths, labels=(0, 1))
    if not len(rows):
        depths = " of depth {}-{}".format(*settings.depths) if settings.depths else ""
        raise DataError(f"{corpus}: no {split} equations{depths}; see: treesmu data stats {corpus}")
    if split == "train" and settings.rows is not None:
        rows = rows.sample(settings.rows, rng_for(SAMPLE, settings.seed, settings.rows))
    return rows


def check_corpus(corpus: Path, settings: TrainSettings) -> None:
    """Raise a DataError if the corpus lacks equations for training, for validation or for the test."""
    for split in ("train", "validation"):
        read_rows(corpus, split, settings)
    Dataset.read(corpus, "test")


def with_substitutes(data: Dataset, settings: TrainSettings) -> Any:
    """The equations as prefix strings, behind them their copies: of all the first one, of all the second one, ..."""
    copies = settings.substitutes // len(data)
    if not copies:
        return data.prefix
    plan = CorpusPlan.from_prefix(data.prefix, Vocab.default())
    substitution = Substitution(plan, NodeValues.of(plan))
    rng = Random(int(rng_for(SUBSTITUTE, settings.seed).integers(2**63)))
    made = [substitution.copy(row, rng) for _ in range(copies) for row in range(len(data))]
    return pa.concat_arrays([data.prefix, pa.array(made, data.prefix.type)])
