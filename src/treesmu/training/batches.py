"""Batches: which equations a step of training sees, made ready in another thread a little ahead.

Every random number comes from the seed, the epoch and the step, so neither the thread nor a restart can change anything; and
all processes draw the same, so they agree on what the whole batch is, of which each takes a part.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import torch
from numpy.typing import NDArray
from torch import Tensor

from treesmu.data import CorpusPlan, DataError, Dataset, Vocab
from treesmu.data.augment.node_values import NodeValues
from treesmu.data.augment.substitute import Substitution
from treesmu.expr.leaves import kind_of
from treesmu.tasks.subexpressions import Pairs, draw_pairs

from .distributed import Processes
from .settings import TrainSettings

AHEAD = 4  # batches prepared while one is trained on
ORDER, BATCH, DROPOUT, SAMPLE, SUBSTITUTE = 1, 2, 3, 4, 5  # what random numbers are for: no two purposes share theirs


def rng(purpose: int, *numbers: int) -> np.random.Generator:
    return np.random.default_rng([purpose, *numbers])


def rows_of(corpus: Path, split: str, settings: TrainSettings) -> Dataset:
    """The equations of a corpus that a run is about."""
    rows = Dataset.read(corpus, split).select(depths=settings.depths, labels=(0, 1))
    if not len(rows):
        depths = " of depth {}-{}".format(*settings.depths) if settings.depths else ""
        raise DataError(f"{corpus}: no {split} equations{depths}; see: treesmu data stats {corpus}")
    if split == "train" and settings.rows is not None:
        rows = rows.sample(settings.rows, rng(SAMPLE, settings.seed, settings.rows))
    return rows


@dataclass(frozen=True)
class Prepared:
    """What this process has to do in a step.

    A weight makes the sum over this process's rows (or pairs) its part of the mean over all: the mean over the processes
    of weight * sum is the mean over the whole batch, whoever had a row more.
    """

    batch: Any  # as the encoder takes it
    label: Tensor  # (rows,)
    weight: float  # of a row
    pairs: Pairs | None  # of sub-expressions
    pair_weight: float
    rows: int  # of all processes
    nodes: int  # of these rows' trees, repeated ones repeated


def with_substitutes(data: Dataset, settings: TrainSettings) -> Any:
    """The equations as prefix strings, behind them their copies: of all the first one, of all the second one, ..."""
    copies = settings.substitutes // len(data)
    if not copies:
        return data.prefix
    plan = CorpusPlan.from_prefix(data.prefix, Vocab.default())
    substitution = Substitution(plan, NodeValues.of(plan))
    chance = Random(int(rng(SUBSTITUTE, settings.seed).integers(2**63)))
    made = [substitution.copy(row, chance) for _ in range(copies) for row in range(len(data))]
    return pa.concat_arrays([data.prefix, pa.array(made, data.prefix.type)])


class Batches:
    """plan: of the equations in data, or of these and their copies. values: of its nodes, if pairs of them are wanted."""

    def __init__(
        self, plan: Any, data: Dataset, settings: TrainSettings, processes: Processes, values: NodeValues | None = None
    ) -> None:
        self.plan, self.data, self.settings, self.processes, self.values = plan, data, settings, processes, values
        self.steps = -(-len(data) // settings.batch)  # an epoch
        self.versions = len(plan) // len(data)  # of each equation: itself and its copies

    def epoch(self, epoch: int, done: int = 0) -> Iterator[Prepared]:
        """The batches of an epoch in order, without those that are done."""
        with ThreadPoolExecutor(1) as pool:
            ahead: deque[Future[Prepared]] = deque()
            try:
                for step, rows in enumerate(self.rows(epoch)[done:], done):
                    ahead.append(pool.submit(self.prepare, epoch, step, rows))
                    if len(ahead) > AHEAD:
                        yield ahead.popleft().result()
                while ahead:
                    yield ahead.popleft().result()
            finally:  # whoever stops early does not wait for the rest
                for job in ahead:
                    job.cancel()

    def rows(self, epoch: int) -> list[NDArray[np.int64]]:
        """The rows of each batch of an epoch."""
        order = rng(ORDER, self.settings.seed, epoch).permutation(len(self.data))
        return np.split(order, np.arange(self.settings.batch, len(order), self.settings.batch))

    def prepare(self, epoch: int, step: int, rows: NDArray[np.int64]) -> Prepared:
        """Of a batch's rows this process takes every so many-th; the first, without a weight, if none is left for it."""
        settings, rank, world = self.settings, self.processes.rank, self.processes.world
        chance = rng(BATCH, settings.seed, epoch, step)
        mine = np.arange(rank, len(rows), world)
        weight = world / len(rows) if len(mine) else 0.0
        mine = mine if len(mine) else np.zeros(1, np.int64)
        seen = rows + len(self.data) * chance.integers(self.versions, size=len(rows))  # rows of the plan
        pairs, pair_weight = None, 0.0
        if self.values is None:
            batch = self.plan.batch(seen[mine])
        else:
            batch = self.plan.batch(seen)
            pairs = draw_pairs(batch, self.values, settings.pairs, chance)
            pair_weight = world / max(1, len(pairs.label))
            if world > 1:
                first, second = pairs.first[rank::world], pairs.second[rank::world]
                batch, place = batch.part(mine, np.concatenate([first, second]))
                pairs = Pairs(place[first], place[second], pairs.label[rank::world])
        if settings.rename:
            batch = batch.renamed(exchanged(self.plan.vocab, chance))
        label = torch.from_numpy(self.data.label[rows[mine]].astype(np.float32))
        nodes = int(self.plan.size[seen].sum())
        return Prepared(batch, label, weight, pairs, pair_weight, len(rows), nodes)


def exchanged(vocab: Vocab, chance: np.random.Generator) -> NDArray[np.int64]:
    """(leaves,) for each leaf another: variables exchanged among themselves, all else as it is."""
    names = np.arange(len(vocab.leaves))
    variables = np.array([i for i, token in enumerate(vocab.leaves) if kind_of(token) == "variable"], np.int64)
    names[variables] = chance.permutation(variables)
    return names
