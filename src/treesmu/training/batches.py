"""Batches: which equations a step of training sees, made ready in another thread a little ahead.

Every random number comes from the seed, the epoch and the step, so neither the thread nor a restart can change anything; and
all processes draw the same, so they agree on what the whole batch is, of which each takes a part.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from treesmu.data import Dataset, Vocab
from treesmu.data.augment.node_values import NodeValues
from treesmu.expr.leaves import leaf_kind
from treesmu.tasks.subexpressions import Pairs, draw_pairs

from .distributed import ProcessGroup
from .random_streams import BATCH, ORDER, rng_for
from .settings import TrainSettings

AHEAD = 4  # batches prepared while one is trained on


@dataclass(frozen=True)
class TrainingBatch:
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


class Batches:
    """plan: of the equations in data, or of these and their copies. values: of its nodes, if pairs of them are wanted."""

    def __init__(
        self, plan: Any, data: Dataset, settings: TrainSettings, process_group: ProcessGroup, values: NodeValues | None = None
    ) -> None:
        self.plan, self.data, self.settings, self.process_group, self.values = plan, data, settings, process_group, values
        self.steps = -(-len(data) // settings.batch)  # an epoch
        self.versions = len(plan) // len(data)  # of each equation: itself and its copies

    def epoch(self, epoch: int, done: int = 0) -> Iterator[TrainingBatch]:
        """The batches of an epoch in order, without those that are done."""
        with ThreadPoolExecutor(1) as pool:
            ahead: deque[Future[TrainingBatch]] = deque()
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
        order = rng_for(ORDER, self.settings.seed, epoch).permutation(len(self.data))
        return np.split(order, np.arange(self.settings.batch, len(order), self.settings.batch))

    def prepare(self, epoch: int, step: int, rows: NDArray[np.int64]) -> TrainingBatch:
        """Of a batch's rows this process takes every so many-th; the first, without a weight, if none is left for it."""
        settings, rank, world = self.settings, self.process_group.rank, self.process_group.world
        rng = rng_for(BATCH, settings.seed, epoch, step)
        mine = np.arange(rank, len(rows), world)
        weight = world / len(rows) if len(mine) else 0.0
        mine = mine if len(mine) else np.zeros(1, np.int64)
        seen = rows + len(self.data) * rng.integers(self.versions, size=len(rows))  # rows of the plan
        pairs, pair_weight = None, 0.0
        if self.values is None:
            batch = self.plan.batch(seen[mine])
        else:
            batch = self.plan.batch(seen)
            pairs = draw_pairs(batch, self.values, settings.pairs, rng)
            pair_weight = world / max(1, len(pairs.label))
            if world > 1:
                first, second = pairs.first[rank::world], pairs.second[rank::world]
                batch, place = batch.part(mine, np.concatenate([first, second]))
                pairs = Pairs(place[first], place[second], pairs.label[rank::world])
        if settings.rename:
            batch = batch.renamed(permute_variables(self.plan.vocab, rng))
        label = torch.from_numpy(self.data.label[rows[mine]].astype(np.float32))
        nodes = int(self.plan.size[seen].sum())
        return TrainingBatch(batch, label, weight, pairs, pair_weight, len(rows), nodes)


def permute_variables(vocab: Vocab, rng: np.random.Generator) -> NDArray[np.int64]:
    """(leaves,) for each leaf another: variables exchanged among themselves, all else as it is."""
    names = np.arange(len(vocab.leaves))
    variables = np.array([i for i, token in enumerate(vocab.leaves) if leaf_kind(token) == "variable"], np.int64)
    names[variables] = rng.permutation(variables)
    return names
