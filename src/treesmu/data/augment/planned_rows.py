"""Equations that are ready for training: planned, with the values of their sub-expressions if the loss needs them.

A plan can be made by another process than the one that trains: a :class:`Planner` says how, and both it and what it makes can
be pickled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ..corpus.dataset import Dataset
from ..trees.plan import CorpusPlan
from ..trees.sequence_batch import Form
from ..trees.sequence_plan import SequencePlan
from ..trees.vocab import Vocab
from .node_values import NodeValues


class PlannedRows(NamedTuple):
    """Equations with their plan."""

    rows: Dataset
    plan: Any  # a CorpusPlan or a SequencePlan; None if an encoder of a user's own makes it
    values: NodeValues | None  # of the plan's nodes


@dataclass(frozen=True)
class Planner:
    """How equations are planned for a model."""

    vocab: Vocab
    form: Form | None = None  # of sequences; None: trees
    has_values: bool = False  # whether the values of all sub-expressions are computed
    is_deferred: bool = False  # nothing is planned here: the model has an encoder with a plan of its own

    def plan(self, rows: Dataset) -> PlannedRows:
        """Return the equations with their plan."""
        if self.is_deferred:
            return PlannedRows(rows, None, None)
        trees = CorpusPlan.from_prefix(rows.prefix, self.vocab)
        if self.form is not None:
            return PlannedRows(rows, SequencePlan.from_plan(trees, self.form), None)
        return PlannedRows(rows, trees, NodeValues.of(trees) if self.has_values else None)
