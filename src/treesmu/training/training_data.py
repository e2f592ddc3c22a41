"""The equations of a training run: read from a corpus, extended by copies, and planned."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import torch
from numpy.typing import NDArray
from torch import Tensor

from treesmu import registry
from treesmu.data import CorpusPlan, DataError, Dataset, Vocab
from treesmu.data.augment.node_values import NodeValues, compute_values
from treesmu.data.augment.substitute import Substitution
from treesmu.data.augment.trained_symbols import TrainedSymbols

from .random_streams import SAMPLE, SUBSTITUTE, rng_for
from .settings import TrainSettings

MOST_NEW_LEAVES = 10_000  # of a corpus; each has a vector of its own, which few equations train


@dataclass(frozen=True)
class TrainingData:
    """The three splits of a run; those used during training are planned once."""

    train: Dataset
    validation: Dataset
    test: Dataset
    plan: Any  # of the training equations, followed by their copies: the first copy of each, the second of each, ...
    values: NodeValues | None  # of the plan's nodes, for the sub-expression loss and the ranking loss
    validation_plan: Any

    @property
    def rows(self) -> int:
        """The number of training equations of an epoch."""
        return len(self.train)

    @property
    def nodes(self) -> int:
        """The number of nodes of these equations."""
        return int(self.train.size.sum())

    @property
    def vocab(self) -> Vocab:
        """The vocabulary of the plan."""
        vocab: Vocab = self.plan.vocab
        return vocab

    def answers(self, rows: NDArray[np.int64], inputs: Any) -> Tensor:  # noqa: ARG002
        """Return the labels of some training equations, (rows,)."""
        return torch.from_numpy(self.train.label[rows].astype(np.float32))

    def answer_count(self, rows: NDArray[np.int64]) -> int:
        """Return how many answers some training equations have: one each."""
        return len(rows)

    def of_epoch(self, epoch: int) -> TrainingData:  # noqa: ARG002
        """Return the data of an epoch: all epochs have the same (those of a stream do not: streamed_data.py)."""
        return self

    def facts(self) -> dict[str, int]:
        """Return what else is to be said of the rows: nothing, no equation is in two splits."""
        return {}

    def waiting(self) -> dict[str, float]:
        """Return how long an epoch waited for its equations, as facts of its line: nothing, they are all there."""
        return {}

    @property
    def versions(self) -> int:
        """How many versions of each training equation there are: itself and its copies."""
        return len(self.plan) // len(self.train)

    def trained_symbols(self, vocab: Vocab, settings: TrainSettings) -> TrainedSymbols:
        """Return the functions and leaves of the training equations; their copies have no others."""
        return TrainedSymbols.of(self.train.prefix, vocab, settings.rename, numbers=bool(settings.points))

    @classmethod
    def read(cls, corpus: Path, settings: TrainSettings, encoder: Any) -> TrainingData:
        """Read the splits of a corpus and plan them for an encoder."""
        train, validation = (read_rows(corpus, split, settings) for split in ("train", "validation"))
        test = Dataset.read(corpus, "test")
        try:
            plan, values = _plan_training(train, settings, encoder)
            validation_plan = encoder.plan(validation.prefix)
        except DataError as error:
            raise DataError(f"{corpus}: {error}") from error
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


def read_vocab(corpus: Path) -> Vocab:
    """Return the vocabulary of mathematics with all further leaves of the corpus, such as 17: a user's data has its own."""
    vocab = Vocab.default()
    size = len(vocab.leaves)
    for split in ("train", "validation", "test"):
        vocab = vocab.extended(Dataset.read(corpus, split).prefix)
    if (new := len(vocab.leaves) - size) > MOST_NEW_LEAVES:
        remedy = "write numbers with a point, such as 17.0: models read these by their values"
        raise DataError(f"{corpus}: {new:,} different leaves that models do not know, such as {vocab.leaves[size]}; {remedy}")
    return vocab


def check_corpus(corpus: Path, settings: TrainSettings) -> None:
    """Raise a DataError if the corpus lacks equations for training, for validation or for the test; or for a stream."""
    if settings.stream:
        raise DataError("stream: only treesmu train generates equations beside training; train on a larger corpus here")
    for split in ("train", "validation"):
        read_rows(corpus, split, settings)
    Dataset.read(corpus, "test")


def _plan_training(train: Dataset, settings: TrainSettings, encoder: Any) -> tuple[Any, NodeValues | None]:
    """Return the plan of the training equations and their copies, and the values of its nodes if pairs of them are drawn.

    Each equation is planned and has its values computed once: the copies extend the plan that they were made from.
    """
    copies = settings.substitutes // len(train)
    if not (copies or settings.needs_node_values):
        return encoder.plan(train.prefix), None
    trees = CorpusPlan.from_prefix(train.prefix, encoder.vocab)
    values = compute_values(trees)
    if not copies:
        return trees, NodeValues.from_values(values)
    texts = pa.array(_make_copies(trees, NodeValues.from_values(values), copies, settings.seed), train.prefix.type)
    if not registry.is_tree_model(settings.model):  # its plan is not one of trees
        return encoder.plan(pa.concat_arrays([train.prefix, texts])), None
    plan = trees.extended(texts)
    if not settings.needs_node_values:
        return plan, None
    return plan, NodeValues.from_values(compute_values(plan, known=(trees.nodes_in(plan), values)))


def _make_copies(plan: CorpusPlan, values: NodeValues, copies: int, seed: int) -> list[str]:
    """Return the copies of all equations as prefix strings: the first copy of each, the second of each, ..."""
    substitution = Substitution(plan, values)
    rng = Random(int(rng_for(SUBSTITUTE, seed).integers(2**63)))
    return [substitution.copy(row, rng) for _ in range(copies) for row in range(len(plan))]
