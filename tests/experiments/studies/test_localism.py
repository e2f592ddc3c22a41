"""Localism: trained on deep equations."""

from __future__ import annotations

from planned_runs import runs_of


def test_models_are_trained_on_deep_equations_only() -> None:
    runs = runs_of("localism", "seeds = [1]")
    assert {run.settings.depths for run in runs} == {(5, 13)}
    by_recipe = {recipe: [r.settings.model for r in runs if r.settings.recipe == recipe] for recipe in ("paper", "treesmu")}
    trees = ["tree-rnn", "tree-lstm", "tree-smu"]
    assert by_recipe == {"paper": ["majority", "lstm", "transformer", "tree-transformer", *trees], "treesmu": trees}
