"""Measures of classes, computed by hand; a class that training does not have is wrong, rows without one are left out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from treesmu.data.tree_files.read import trees_in_memory
from treesmu.data.tree_files.table import TreeTable
from treesmu.models.trees.answer_kind import AnswerKind
from treesmu.tasks.trees.classes import NodeAnswers, NodeClasses, RowClasses, tagged_nodes


class Fake:
    """A model whose outputs are known."""

    def __init__(self, answer_kind: AnswerKind, outputs: Any) -> None:
        self.answer_kind, self.found = answer_kind, np.array(outputs, float)

    def outputs(self, table: TreeTable, plan: Any = None) -> Any:  # noqa: ARG002
        return self.found


def test_accuracy_and_log_loss_by_depth() -> None:
    rows = trees_in_memory(["(f a)", "(f a)", "b", "b", "b"], ["x", "y", "y", "new", None])
    outputs = np.log([[0.75, 0.25], [0.75, 0.25], [0.25, 0.75], [0.5, 0.5], [0.5, 0.5]])
    measures, columns = RowClasses().evaluate(Fake(AnswerKind("classify", ("x", "y")), outputs), rows)  # type: ignore[arg-type]
    assert measures["overall"]["trees"] == 4
    assert measures["overall"]["accuracy"] == 0.5  # a class that training does not have is never right
    assert measures["by_depth"]["1"]["accuracy"] == 0.5
    assert measures["by_depth"]["1"]["log_loss"] == pytest.approx(-(math.log(0.75) + math.log(0.25)) / 2)
    assert measures["by_depth"]["0"]["majority"] == 0.5
    assert columns["prediction"] == ["x", "x", "y", "x", "x"]
    assert columns["label"] == ["x", "y", "y", "new", None]
    assert columns["probability"].tolist() == pytest.approx([0.75, 0.75, 0.75, 0.5, 0.5])


def test_without_rows_measures_are_not_defined() -> None:
    rows = trees_in_memory(["b"], ["x"]).take(np.array([], np.int64))
    measures, _ = RowClasses().evaluate(Fake(AnswerKind("classify", ("x", "y")), np.zeros((0, 2))), rows)  # type: ignore[arg-type]
    assert measures == {"overall": {"trees": 0, "accuracy": None, "log_loss": None, "majority": None}, "by_depth": {}}


def test_tags_are_measured_at_the_nodes_that_have_them() -> None:
    rows = trees_in_memory(["(f a (g b))", "(f a)"], tags=[["p", "q", "q", None], [None, "p"]])
    inner, everything = (tagged_nodes(rows, AnswerKind("tag", ("p", "q"), nodes=nodes)) for nodes in ("inner", "all"))  # type: ignore[arg-type]
    assert (inner.tolist(), everything.tolist()) == ([0, 2], [0, 1, 2, 5])
    outputs = [[1, 0], [1, 0], [1, 0], [0, 0], [0, 0], [1, 0]]
    measures, columns = NodeClasses().evaluate(Fake(AnswerKind("tag", ("p", "q"), nodes="all"), outputs), rows)  # type: ignore[arg-type]
    overall = measures["overall"]
    assert (overall["trees"], overall["nodes"], overall["accuracy"]) == (2, 4, 0.5)
    assert (overall["roots"], overall["root_accuracy"]) == (1, 1.0)
    assert (columns["row"].tolist(), columns["node"].tolist()) == ([0, 0, 0, 1], [0, 1, 2, 1])


def test_losses_are_sums_of_cross_entropy() -> None:
    outputs = torch.tensor([[0.0, 0.0], [2.0, 0.0]])
    expected = math.log(2) + math.log(1 + math.exp(-2))
    assert RowClasses().loss(outputs, torch.tensor([1, 0])).item() == pytest.approx(expected)
    answers = NodeAnswers(torch.tensor([1, 1, 0]), torch.tensor([0, 0, 1]))  # a node that occurs twice
    assert NodeClasses().loss(outputs, answers).item() == pytest.approx(expected + math.log(1 + math.exp(-2)))


def test_classes_that_training_does_not_have_are_counted_one_by_one() -> None:
    rows = trees_in_memory(["b"] * 4, ["x", "new", "newer", "newest"])
    measures, _ = RowClasses().evaluate(Fake(AnswerKind("classify", ("x", "y")), np.zeros((4, 2))), rows)  # type: ignore[arg-type]
    assert measures["overall"]["majority"] == 0.25
