"""Productivity: every model on depth 1-7, with every recipe that it can have."""

from __future__ import annotations

from planned_runs import runs_of

ONLY_PAPER = ["majority", "lstm", "transformer", "tree-transformer"]
BOTH = ["tree-rnn", "stack-tree-rnn", "tree-lstm", "tree-smu"]


def test_all_models_are_trained_on_depth_1_to_7() -> None:
    runs = runs_of("productivity", "seeds = [1]")
    assert {run.settings.depths for run in runs} == {(1, 7)}
    assert {run.variant for run in runs} == {""}
    found = [(run.settings.recipe, run.settings.model) for run in runs]
    assert found == [("paper", model) for model in ONLY_PAPER + BOTH] + [("treesmu", model) for model in BOTH]
