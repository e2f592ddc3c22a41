"""Classes: the tasks classify and compare, with a class for each row; and tag, with one for each node."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from treesmu.data.tree_files.table import PAIR, TreeTable, objects
from treesmu.models.trees.answer_kind import NOT_A_CLASS, AnswerKind, class_key
from treesmu.models.trees.tree_model import TreeModel

from ..measures import EDGE
from ..task import Columns, Measures, Task, measured_by_depth

Array = NDArray[Any]


class NodeAnswers(NamedTuple):
    """The classes of some nodes of a forest; an identical sub-tree that occurs twice is a node with two answers."""

    nodes: Tensor  # (answers,)
    answers: Tensor  # (answers,)


class RowClasses(Task):
    """A class for each tree, or for each pair of trees."""

    def loss(self, outputs: Tensor, answers: Tensor) -> Tensor:
        """Return the cross-entropy, summed. outputs: (rows, classes); answers: (rows,) numbers of classes."""
        return F.cross_entropy(outputs, answers.to(outputs.device), reduction="sum")

    def score(self, model: TreeModel, rows: TreeTable, plan: Any) -> float:
        return float(self.evaluate(model, rows, plan)[0]["overall"]["accuracy"])

    def evaluate(self, model: TreeModel, rows: TreeTable, plan: Any = None) -> tuple[Measures, Columns]:
        found = _Predictions.of(model.outputs(rows, plan), rows.answer, model.answer_kind)
        has_answer = np.array([answer is not None for answer in rows.answer], bool)
        measures = _measures_by_depth(rows.depth, lambda chosen: {"trees": int((chosen & has_answer).sum())}, found, has_answer)
        columns = {"row": rows.row, "depth": rows.depth, **found.columns(model.answer_kind)}
        return measures, columns


class NodeClasses(RowClasses):
    """A class for each node of a tree that has one: of inner nodes, or of all."""

    def loss(self, outputs: Tensor, answers: NodeAnswers) -> Tensor:  # type: ignore[override]
        """Return the cross-entropy, summed over the answers. outputs: (nodes, classes)."""
        return super().loss(outputs[answers.nodes.to(outputs.device)], answers.answers)

    def evaluate(self, model: TreeModel, rows: TreeTable, plan: Any = None) -> tuple[Measures, Columns]:
        nodes = tagged_nodes(rows, model.answer_kind)
        tags = objects([]) if rows.tag is None else rows.tag[nodes]
        row = np.searchsorted(rows.starts, nodes, side="right") - 1
        found = _Predictions.of(model.outputs(rows, plan)[nodes], tags, model.answer_kind)

        def counts(chosen: Array) -> Measures:
            is_root = chosen & (nodes == rows.starts[row])
            roots = {"roots": int(is_root.sum()), "root_accuracy": found.accuracy(is_root)}
            return {"trees": len(np.unique(row[chosen])), "nodes": int(chosen.sum()), **roots}

        measures = _measures_by_depth(rows.depth[row], counts, found, np.ones(len(nodes), bool))
        places = {"row": rows.row[row], "node": nodes - rows.starts[row], "depth": rows.depth[row]}
        return measures, {**places, **found.columns(model.answer_kind)}


def tagged_nodes(rows: TreeTable, answer_kind: AnswerKind) -> Array:
    """Return the nodes of a table that have a tag and are of the kind that is asked for."""
    if rows.tag is None:
        return np.zeros(0, np.int64)
    has_tag = np.array([tag is not None for tag in rows.tag], bool) & (rows.token != PAIR)
    return np.flatnonzero(has_tag & ((rows.arity > 0) | (answer_kind.nodes == "all")))


# -- measures ------------------------------------------------------------------------------------------------------------


class _Predictions(NamedTuple):
    label: list[Any]  # (answers,) the answers as they are written, None where there is none
    answer: Array  # (answers,) numbers of classes, NOT_A_CLASS where the model has no such class
    prediction: Array  # (answers,)
    probability: Array  # (answers,) of the prediction
    of_answer: Array  # (answers,) the probability of the answer, 0 if the model has no such class

    @classmethod
    def of(cls, outputs: Array, labels: Array, answer_kind: AnswerKind) -> _Predictions:
        answer = answer_kind.encode(labels)
        probability = torch.from_numpy(outputs).softmax(1).numpy()
        prediction = probability.argmax(1) if len(answer) else np.zeros(0, np.int64)
        at = np.arange(len(answer))
        of_answer = np.where(answer == NOT_A_CLASS, 0.0, probability[at, answer])
        return cls(labels.tolist(), answer, prediction, probability[at, prediction], of_answer)

    def accuracy(self, chosen: Array) -> float | None:
        return float((self.prediction == self.answer)[chosen].mean()) if chosen.any() else None

    def measures(self, chosen: Array) -> Measures:
        if not chosen.any():
            return {"accuracy": None, "log_loss": None, "majority": None}
        log_loss = float(-np.log(np.maximum(self.of_answer[chosen], EDGE)).mean())
        most_common = Counter(class_key(self.label[place]) for place in np.flatnonzero(chosen)).most_common(1)[0][1]
        return {"accuracy": self.accuracy(chosen), "log_loss": log_loss, "majority": most_common / int(chosen.sum())}

    def columns(self, answer_kind: AnswerKind) -> Columns:
        """Return what predictions.parquet says of each answer: texts, unless all are numbers of one kind."""
        label: list[Any] = self.label
        prediction = [answer_kind.classes[place] for place in self.prediction.tolist()]
        if not _is_one_kind([*label, *answer_kind.classes]):
            label, prediction = ([_as_text(value) for value in values] for values in (label, prediction))
        return {"label": label, "prediction": prediction, "probability": self.probability.astype(np.float32)}


def _is_one_kind(values: list[Any]) -> bool:
    """Return whether a column of a Parquet file can hold all values as they are."""
    kinds = {type(value) for value in values if value is not None}
    return len(kinds) <= 1 and (int not in kinds or all(value is None or -(2**63) <= value < 2**63 for value in values))


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _measures_by_depth(depth: Array, counts: Callable[[Array], Measures], found: _Predictions, has_answer: Array) -> Measures:
    """Return the measures of the rows or nodes that have an answer, overall and by depth."""

    def measure(chosen: Array) -> Measures:
        return counts(chosen) | found.measures(chosen & has_answer)

    return {"overall": measure(np.ones(len(depth), bool)), "by_depth": measured_by_depth(depth, measure)}
