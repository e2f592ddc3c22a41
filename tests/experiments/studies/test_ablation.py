"""Ablation: each run sets one part of the recipe back to the paper's values."""

from __future__ import annotations

import pytest

from planned_runs import runs_of
from treesmu.data import DataError
from treesmu.training.settings import TrainSettings


def test_the_ablation_changes_one_part_at_a_time() -> None:
    whole = TrainSettings.of("treesmu", depths=(1, 7), seed=12093)
    for run in runs_of("ablation"):
        changed = {key for key, value in run.settings if value != getattr(whole, key)}
        expected = {"whole": set(), "unit": {"norm"}, "steps": {"batch", "learning_rate", "schedule"}}
        assert changed == expected.get(run.variant, {run.variant})


def test_a_part_that_is_left_out_has_the_papers_values() -> None:
    settings = {run.variant: run.settings for run in runs_of("ablation")}
    assert (settings["head"].head, settings["unit"].norm, settings["rename"].rename) == ("dot", "none", False)
    assert (settings["subexpressions"].subexpressions, settings["substitutes"].substitutes) == (0.0, 0)
    steps = settings["steps"]
    assert (steps.batch, steps.learning_rate, steps.schedule) == (32, 1e-3, "constant")


def test_only_the_parts_that_are_asked_for_are_left_out() -> None:
    runs = runs_of("ablation", 'parts = ["unit"]\nseeds = [1]')
    assert [(run.variant, run.name) for run in runs] == [
        ("whole", "c/depth-1-7/tree-smu/treesmu/seed-1"),
        ("unit", "c/depth-1-7/tree-smu/treesmu,norm=none/seed-1"),
    ]
    with pytest.raises(DataError, match="unknown part 'luck'; known: head, unit, "):
        runs_of("ablation", 'parts = ["luck"]')
