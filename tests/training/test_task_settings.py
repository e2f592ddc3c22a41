"""Settings of one task are refused for another, and runs of equations are what they were before there were other tasks."""

from __future__ import annotations

from typing import Any

import pytest

from treesmu.data import DataError
from treesmu.task_names import TASKS
from treesmu.training.settings import TrainSettings
from treesmu.training.task_settings import OF_TREES, default_readout, default_recipe, why_impossible


def test_runs_of_equations_have_no_settings_of_trees() -> None:
    assert not set(OF_TREES) & set(TrainSettings.of().model_dump(mode="json"))
    stored = TrainSettings.of(task="classify", rare=3).model_dump(mode="json")
    assert set(OF_TREES) <= set(stored)
    assert TrainSettings.of(**stored) == TrainSettings.of(task="classify", rare=3)


def test_every_task_has_a_recipe_and_a_readout() -> None:
    assert [default_recipe(task) for task in TASKS] == ["paper", *["trees"] * 4]
    assert {task: default_readout(task) for task in TASKS[1:]} == {
        "classify": "linear", "regress": "linear", "compare": "network", "tag": "linear"
    }  # fmt: skip
    assert TrainSettings.of(task="classify", model="lstm").recipe == "trees"
    assert TrainSettings.of("paper", task="classify").recipe == "paper"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"task": "classify", "recipe": "treesmu"},
            "the recipe treesmu is for equations \\(task verify\\); leave it out for the task classify",
        ),
        ({"task": "classify", "rename": True}, "rename is a setting of equations"),
        ({"task": "classify", "head": "distance"}, "head is a setting of equations"),
        ({"task": "classify", "pairs": 7}, "pairs is a setting of equations"),
        ({"task": "classify", "loss": "huber"}, "loss is a setting of the task regress; leave it out for the task classify"),
        ({"task": "regress", "nodes": "all"}, "nodes is a setting of the task tag; leave it out for the task regress"),
        ({"rare": 3}, "rare is a setting of the tasks of trees"),
        ({"readout": "linear"}, "readout is a setting of the tasks of trees"),
        ({"task": "classify", "readout": "dot"}, "readout dot compares two trees; the task classify has linear and network"),
        ({"task": "classify", "model": "majority"}, "the model majority is for equations"),
        ({"task": "tag", "model": "transformer"}, "the task tag is for tree models; transformer has no states of nodes"),
        ({"task": "classify", "most_children": 1}, "setting most_children: Input should be greater than or equal to 2"),
    ],
)
def test_settings_that_do_not_fit_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        TrainSettings.of(**given)


def test_settings_of_a_task_are_taken_by_it() -> None:
    assert TrainSettings.of(task="regress", loss="huber").loss == "huber"
    assert TrainSettings.of(task="tag", nodes="all").nodes == "all"


def test_a_model_that_cannot_do_a_task_is_named_with_the_reason() -> None:
    assert [why_impossible(task, "lstm") for task in ("classify", "regress", "compare")] == [None] * 3
    assert why_impossible("tag", "lstm") == "the task tag is for tree models; lstm has no states of nodes"
    assert why_impossible("tag", "tree-smu") is None
    assert "is for equations" in (why_impossible("classify", "majority") or "")
    assert why_impossible("verify", "majority") is None
