"""Batches of training equations, or of other trees, prepared by another thread ahead of the step that needs them.

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
from treesmu.data.augment.reading_points import random_points
from treesmu.data.augment.value_targets import ValueTargets
from treesmu.data.trees.point_forest import PointForest
from treesmu.expr.leaves import leaf_kind
from treesmu.tasks.ranking import Rivals, draw_questions, fill_questions
from treesmu.tasks.subexpressions import Pairs, draw_pairs

from .distributed import ProcessGroup
from .drawn_nodes import DrawnNodes
from .random_streams import BATCH, ORDER, rng_for
from .settings import TrainSettings
from .streamed_data import StreamedData
from .training_data import TrainingData
from .tree_data import TreeData

AHEAD = 4  # batches prepared while one is trained on


@dataclass(frozen=True)
class TrainingBatch:
    """The part of a batch that this process computes.

    The weights turn sums into parts of a mean: the mean over all processes of weight * (sum over the rows of a process) is
    the mean over the rows of the whole batch, also where processes have different numbers of rows. The same for pairs,
    targets and rivals.
    """

    epoch: int
    step: int  # of the epoch
    inputs: Any  # what the encoder takes: a Forest, at points if the model reads variables so, or a SequenceBatch
    label: Any  # (rows,) the answers, or those of nodes
    weight: float  # of an answer
    rows: int  # of all processes
    nodes: int  # of the trees of all processes, repeated sub-expressions counted each time
    pairs: Pairs | None = None  # of sub-expressions, as nodes of the forest before it was taken to points
    pair_weight: float = 0.0
    targets: Tensor | None = None  # (nodes, points) of the value loss, NaN where there is none
    target_weight: float = 0.0
    rivals: Rivals | None = None  # of the ranking loss, nodes as those of pairs
    rival_weight: float = 0.0


class Batches:
    """The batches of every epoch. Each equation is seen once per epoch, as itself or as one of its copies."""

    def __init__(
        self, data: TrainingData | StreamedData | TreeData, settings: TrainSettings, process_group: ProcessGroup
    ) -> None:
        self.source, self.settings, self.process_group = data, settings, process_group
        self.steps = -(-data.rows // settings.batch)  # per epoch
        self.values = ValueTargets(data.vocab) if settings.values or settings.ranking else None
        self.current_epoch = 0

    @property
    def data(self) -> Any:
        """The data of the current epoch: TrainingData or TreeData."""
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
        weight = world / data.answer_count(rows) if len(part) else 0.0
        part = part if len(part) else np.zeros(1, np.int64)
        planned = rows + len(data.train) * rng.integers(data.versions, size=len(rows))  # rows of the plan: itself or a copy
        is_whole = data.values is not None or self.values is not None  # what is drawn of nodes is that of the whole batch
        inputs, drawn, points = data.plan.batch(planned if is_whole else planned[part]), DrawnNodes(), None
        if is_whole and isinstance(data, TrainingData):
            inputs, drawn = self._draw(data, inputs, rows, rng)
        if settings.rename:
            inputs = inputs.renamed(permute_variables(data.plan.vocab, rng))
        if settings.points:
            points = random_points(data.plan.vocab, settings.points, rng)
        if self.values is not None:  # of the new names
            drawn = drawn.with_values(self.values.values(inputs, points), inputs, has_targets=bool(settings.values))
        pair_weight, target_weight, rival_weight = drawn.weights(world)
        if is_whole and world > 1:
            inputs, drawn = drawn.divide(inputs, part, len(rows), rank, world)
        if points is not None:
            inputs = PointForest.of(inputs, points)
        return TrainingBatch(
            epoch,
            step,
            inputs,
            data.answers(rows[part], inputs),
            weight,
            rows=len(rows),
            nodes=int(data.plan.size[planned].sum()),
            pairs=drawn.pairs,
            pair_weight=pair_weight,
            targets=None if drawn.targets is None else torch.from_numpy(drawn.targets),
            target_weight=target_weight,
            rivals=drawn.rivals,
            rival_weight=rival_weight,
        )

    def _draw(
        self, data: TrainingData, forest: Forest, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[Forest, DrawnNodes]:
        """Return the forest of a whole batch, grown if there is a ranking loss, and the pairs and rivals of its nodes."""
        settings, values, label = self.settings, data.values, data.train.label[rows]
        pairs = rivals = None
        if settings.subexpressions and values is not None:
            pairs = draw_pairs(forest, values, settings.pairs, rng)
        if settings.ranking and values is not None:
            forest, place, rivals = fill_questions(forest, draw_questions(forest, label, values, rng))
            pairs = None if pairs is None else pairs.renumbered(place)
        return forest, DrawnNodes(pairs, rivals=rivals)


def permute_variables(vocab: Vocab, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return (leaves,) a new leaf for each leaf: variables are permuted at random, all other leaves stay."""
    names = np.arange(len(vocab.leaves))
    variables = np.array([i for i, token in enumerate(vocab.leaves) if leaf_kind(token) == "variable"], np.int64)
    names[variables] = rng.permutation(variables)
    return names
