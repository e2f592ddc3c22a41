"""TreeModel: an encoder of trees with a readout; for every task but those of equations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from treesmu.data import Forest, SequencePlan, Vocab
from treesmu.data.tree_files.plan import TreePlan, plan_trees
from treesmu.data.tree_files.reading import Reading
from treesmu.data.tree_files.table import TreeTable
from treesmu.errors import DataError

from ..forest.encoder import TreeEncoder
from ..sequences.base import SequenceEncoder
from ..verifier import BATCH, evaluation_mode
from .answer_kind import AnswerKind

Array = NDArray[Any]


class TreeModel(nn.Module):
    """An encoder, a readout, and how labels and answers are read.

    build_arguments: the arguments of ``build_tree_model`` that make it again, except the reading and the answer_kind.
    note: where the model comes from; plain JSON, which is stored with the weights.
    """

    trained = prior = calibration = None  # what only models of equations have

    def __init__(
        self,
        name: str,
        encoder: TreeEncoder | SequenceEncoder,
        head: nn.Module,
        reading: Reading,
        answer_kind: AnswerKind,
        build_arguments: Mapping[str, Any],
    ) -> None:
        super().__init__()
        self.name, self.encoder, self.head = name, encoder, head
        self.reading, self.answer_kind, self.build_arguments = reading, answer_kind, dict(build_arguments)
        self.note: dict[str, Any] = {}

    @property
    def vocab(self) -> Vocab:
        return self.reading.vocab

    def forward(self, batch: Any) -> Tensor:
        """Return the outputs: (rows, classes) logits, (rows, 1) a standardised number, or (nodes, classes) for tags."""
        if self.answer_kind.task == "tag":
            return self.from_states(self.encoder.nodes(batch), batch)  # type: ignore[operator]
        outputs: Tensor = self.head(self.encoder(batch))
        return outputs

    def from_states(self, states: Tensor, forest: Forest) -> Tensor:
        """Return the outputs from the states of all nodes of a forest."""
        wanted = states[: forest.size] if self.answer_kind.task == "tag" else TreeEncoder.at_roots(states, forest)
        outputs: Tensor = self.head(wanted)
        return outputs

    def plan(self, table: TreeTable) -> tuple[Any, TreePlan]:
        """Return the rows of a table as the encoder takes them, and as trees."""
        check_rows(table, self.answer_kind.task)
        trees = plan_trees(table, self.reading)
        if isinstance(self.encoder, SequenceEncoder):
            return SequencePlan.from_plan(trees.corpus, self.encoder.form), trees
        return trees.corpus, trees

    def outputs(self, table: TreeTable, planned: tuple[Any, TreePlan] | None = None) -> Array:
        """Return the outputs of all rows, (rows, classes) or (rows, 1); for tags those of all nodes, (nodes, classes).

        planned: what :meth:`plan` returns for the table, if that is known already.
        """
        if not len(table):
            return np.zeros((0, self.answer_kind.outputs))
        plan, trees = planned or self.plan(table)
        with evaluation_mode(self):
            if self.answer_kind.task == "tag":
                return self._of_nodes(table, trees)
            batches = (np.arange(start, min(start + BATCH, len(plan))) for start in range(0, len(plan), BATCH))
            return np.concatenate([self(plan.batch(rows)).cpu().double().numpy() for rows in batches])

    def _of_nodes(self, table: TreeTable, trees: TreePlan) -> Array:
        found = np.empty((len(table.token), self.answer_kind.outputs))
        for start in range(0, len(table), BATCH):
            stop = min(start + BATCH, len(table))
            forest = trees.corpus.batch(np.arange(start, stop))
            nodes = slice(table.starts[start], table.starts[stop])
            found[nodes] = self(forest).cpu().double().numpy()[np.searchsorted(forest.nodes, trees.node_of[nodes])]
        return found


def check_rows(table: TreeTable, task: str) -> None:
    """Raise a DataError if rows have one tree where the task needs two, or the other way round."""
    if len(table) and table.is_pairs != (task == "compare"):
        wanted = "two trees per row, 'left' and 'right'" if task == "compare" else "one 'tree' per row"
        raise DataError(f"{table.source}: the task {task} needs {wanted}")
