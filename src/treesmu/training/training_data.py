"""The equations of a training run: read from a corpus and extended by copies."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa

from treesmu.data import CorpusPlan, DataError, Dataset, Vocab
from treesmu.data.augment.node_values import NodeValues
from treesmu.data.augment.substitute import Substitution

from .random_streams import SAMPLE, SUBSTITUTE, rng_for
from .settings import TrainSettings


def read_rows(corpus: Path, split: str, settings: TrainSettings) -> Dataset:
    """The equations of a corpus that a run is about."""
    rows = Dataset.read(corpus, split).select(depths=settings.depths, labels=(0, 1))
    if not len(rows):
        depths = " of depth {}-{}".format(*settings.depths) if settings.depths else ""
        raise DataError(f"{corpus}: no {split} equations{depths}; see: treesmu data stats {corpus}")
    if split == "train" and settings.rows is not None:
        rows = rows.sample(settings.rows, rng_for(SAMPLE, settings.seed, settings.rows))
    return rows


def check_corpus(corpus: Path, settings: TrainSettings) -> None:
    """Has it equations to train on, to choose by and to test with?"""
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
