"""Batches of training equations, prepared by another thread ahead of the step that needs them.

Every random number comes from the seed, the epoch and the step, so neither the thread nor a restart changes anything. All
processes draw the same numbers, so they agree on the whole batch, of which each takes its part.
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

from treesmu.data import Forest, Vocab
from treesmu.data.augment.value_targets import ValueTargets
from treesmu.expr.leaves import leaf_kind
from treesmu.tasks.subexpressions import Pairs, draw_pairs

from .distributed import ProcessGroup
from .random_streams import BATCH, ORDER, rng_for
from .settings import TrainSettings
from .streamed_data import StreamedData
from .training_data import TrainingData

Targets = NDArray[np.float32]  # (nodes, points)
AHEAD = 4  # batches prepared while one is trained on


@dataclass(frozen=True)
class TrainingBatch:
    """The part of a batch that this process computes.

    The weights turn sums into parts of a mean: the mean over all processes of weight * (sum over the rows of a process) is
    the mean over the rows of the whole batch, also where processes have different numbers of rows. The same for pairs and for
    targets.
    """

    epoch: int
    step: int  # of the epoch
    inputs: Any  # what the encoder takes: a Forest or a SequenceBatch
    label: Tensor  # (rows,)
    weight: float  # of a row
    pairs: Pairs | None  # of sub-expressions
    pair_weight: float
    targets: Tensor | None  # (nodes, points) of the value loss, NaN where there is none
    target_weight: float
    rows: int  # of all processes
    nodes: int  # of the trees of all processes, repeated sub-expressions counted each time


class Batches:
    """The batches of every epoch. Each equation is seen once per epoch, as itself or as one of its copies."""

    def __init__(self, data: TrainingData | StreamedData, settings: TrainSettings, process_group: ProcessGroup) -> None:
        self.source, self.settings, self.process_group = data, settings, process_group
        self.steps = -(-data.rows // settings.batch)  # per epoch
        self.targets = ValueTargets(data.vocab) if settings.values else None
        self.current_epoch = 0

    @property
    def data(self) -> TrainingData:
        """The data of the current epoch."""
        return self.source.of_epoch(self.current_epoch)

    def epoch(self, epoch: int, done: int = 0) -> Iterator[TrainingBatch]:
        """Yield the batches of an epoch in order, without the first ``done``."""
        self.current_epoch = epoch
        with ThreadPoolExecutor(1) as pool:
            ahead: deque[Future[TrainingBatch]] = deque()
            try:
                for step, rows in enumerate(self.rows(epoch)[done:], done):
                    ahead.append(pool.submit(self.prepare, epoch, step, rows))
                    if len(ahead) > AHEAD:
                        yield ahead.popleft().result()
                while ahead:
                    yield ahead.popleft().result()
            finally:  # a caller that stops early does not wait for the rest
                for job in ahead:
                    job.cancel()

    def rows(self, epoch: int) -> list[NDArray[np.int64]]:
        """Return the rows of each batch of an epoch."""
        order = rng_for(ORDER, self.settings.seed, epoch).permutation(len(self.data.train))
        return np.split(order, np.arange(self.settings.batch, len(order), self.settings.batch))

    def prepare(self, epoch: int, step: int, rows: NDArray[np.int64]) -> TrainingBatch:
        """Return this process's part of the batch of these rows: rows rank, rank + world, rank + 2 world, ... of it.

        A process for which no row is left takes the first one with weight 0.
        """
        settings, data, rank, world = self.settings, self.data, self.process_group.rank, self.process_group.world
        rng = rng_for(BATCH, settings.seed, epoch, step)
        part = np.arange(rank, len(rows), world)
        weight = world / len(rows) if len(part) else 0.0
        part = part if len(part) else np.zeros(1, np.int64)
        planned = rows + len(data.train) * rng.integers(data.versions, size=len(rows))  # rows of the plan: itself or a copy
        pairs, pair_weight, targets, target_weight = None, 0.0, None, 0.0
        is_whole = data.values is not None or self.targets is not None  # pairs and targets are those of the whole batch
        inputs = data.plan.batch(planned if is_whole else planned[part])
        if data.values is not None:
            pairs = draw_pairs(inputs, data.values, settings.pairs, rng)
            pair_weight = world / max(1, len(pairs.label))
        if settings.rename:
            inputs = inputs.renamed(permute_variables(data.plan.vocab, rng))
        if self.targets is not None:  # of the new names
            targets = self.targets.of(inputs)
            target_weight = world / max(1, int(np.isfinite(targets).sum()))
        if is_whole and world > 1:
            inputs, pairs, targets = self._divide(inputs, part, len(rows), pairs, targets)
        label = torch.from_numpy(data.train.label[rows[part]].astype(np.float32))
        of_nodes = pairs, pair_weight, None if targets is None else torch.from_numpy(targets), target_weight
        return TrainingBatch(epoch, step, inputs, label, weight, *of_nodes, len(rows), nodes=int(data.plan.size[planned].sum()))

    def _divide(
        self, whole: Forest, part: NDArray[np.int64], rows: int, pairs: Pairs | None, targets: Targets | None
    ) -> tuple[Forest, Pairs | None, Targets | None]:
        """Return this process's part of a batch: its rows, pairs rank, rank + world, ... and the targets of its nodes.

        A node that is in the rows of several processes has its targets in the first of them.
        """
        rank, world = self.process_group.rank, self.process_group.world
        here = slice(rank, None, world)
        mine = None if pairs is None else Pairs(pairs.first[here], pairs.second[here], pairs.label[here])
        forest, place = whole.part(part, np.empty(0, np.int64) if mine is None else np.concatenate(mine[:2]))
        if mine is not None:
            mine = Pairs(place[mine.first], place[mine.second], mine.label)
        if targets is not None:
            owner = np.full(whole.size, world)
            for process in reversed(range(world)):
                owner[whole.reached(np.arange(process, rows, world))] = process
            targets = np.where((owner == rank)[:, None], targets, np.float32(np.nan))
            targets = targets[np.searchsorted(whole.nodes, forest.nodes)]
        return forest, mine, targets


def permute_variables(vocab: Vocab, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return (leaves,) a new leaf for each leaf: variables are permuted at random, all other leaves stay."""
    names = np.arange(len(vocab.leaves))
    variables = np.array([i for i, token in enumerate(vocab.leaves) if leaf_kind(token) == "variable"], np.int64)
    names[variables] = rng.permutation(variables)
    return names
