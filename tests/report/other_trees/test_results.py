"""The results on one corpus: depths of training, and what a constant answer reaches."""

from __future__ import annotations

from typing import Any

import pytest

from treesmu.report.folder import StudyResults
from treesmu.report.other_trees.results import TreeResults
from treesmu.report.runs import Condition, FinishedRun, SeedGroup


def results(task: str, by_depth: dict[str, Any], corpus: dict[str, Any] | None = None) -> TreeResults:
    """Return the results of one run on a corpus with the name mine."""
    settings = {"settings": {"model": "tree-smu", "task": task, "seed": 1}, "parameters": 1, "rows": 1}
    group = SeedGroup(
        Condition("mine", "trees"), "tree-smu", "", "", False, (FinishedRun("a", settings, {"by_depth": by_depth}, ()),)
    )
    corpora = {"mine": corpus or {"trees": "mine.jsonl", "trained_depths": [2, 3]}}
    return TreeResults(StudyResults("elsewhere", "", "", {}, (group,), {}, (), (), {}, corpora, {}), "mine")


def test_trained_depths_are_those_that_were_found_in_the_data() -> None:
    found = results("classify", {"3": {"trees": 2, "majority": 0.5, "accuracy": 1.0}, "5": {"trees": 1, "accuracy": 1.0}})
    assert (found.trained, found.trained_on, found.deeper[0], found.has_deeper) == ((2, 3), "depth 2-3", 4, True)
    one = results("classify", {"3": {"trees": 2}}, {"trees": "a.txt", "trained_depths": [3, 3]})
    assert (one.trained_on, one.has_deeper) == ("depth 3", False)
    stated = results("classify", {}, {"trees": "listops", "train_depths": [1, 4]})
    assert (stated.trained, results("compare", {}, {"trees": "logic"}).trained_on) == ((1, 4), "1-4 operators")


def test_the_most_common_class_is_of_nodes_where_nodes_are_tagged() -> None:
    by_depth = {"2": {"trees": 10, "majority": 0.5, "nodes": 10}, "3": {"trees": 10, "majority": 1.0, "nodes": 30}}
    assert results("tag", by_depth).of_constant(2, 3) == pytest.approx(35 / 40)
    trees = {depth: {name: value for name, value in one.items() if name != "nodes"} for depth, one in by_depth.items()}
    assert results("classify", trees).of_constant(2, 3) == pytest.approx(0.75)
    assert results("classify", trees).of_constant(4, 9) is None
    assert results("classify", trees).constant == "most common class"


def test_the_mean_of_numbers_has_an_r2_of_0_where_r2_is_defined() -> None:
    labels = {"trees": 10, "rmse": 1.0, "r2": 0.75, "label_mean": 3.0, "label_sd": 2.0}
    found = results("regress", {"2": labels, "4": {**labels, "label_sd": 0.0, "r2": None}})
    assert (found.of_constant(2, 3), found.of_constant(4, 9), found.of_constant(7, 9)) == (0.0, None, None)
    assert (found.constant, found.measure.key) == ("mean of the labels", "r2")
