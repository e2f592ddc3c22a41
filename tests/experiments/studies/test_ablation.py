"""Ablation: each run sets one part of the recipe back to the paper's values."""

from __future__ import annotations

import pytest

from planned_runs import runs_of
from treesmu.data import DataError
from treesmu.experiments.studies.ablation import PARTS, SETTINGS_OF_A_PART
from treesmu.training.settings import RECIPES, TrainSettings


@pytest.mark.parametrize("recipe", PARTS)
def test_the_ablation_changes_one_part_at_a_time(recipe: str) -> None:
    whole = TrainSettings.of(recipe, depths=(1, 7), seed=12093)
    runs = runs_of("ablation", f'recipes = ["{recipe}"]')
    assert [run.variant for run in runs] == ["whole", *PARTS[recipe]]
    for run in runs:
        changed = {key for key, value in run.settings if value != getattr(whole, key)}
        assert changed == (set(SETTINGS_OF_A_PART[run.variant]) if run.variant != "whole" else set())


def test_a_part_that_is_left_out_has_the_papers_values() -> None:
    settings = {run.variant: run.settings for run in runs_of("ablation", 'recipes = ["treesmu-1"]')}
    assert (settings["head"].head, settings["unit"].norm, settings["rename"].rename) == ("dot", "none", False)
    assert (settings["subexpressions"].subexpressions, settings["substitutes"].substitutes) == (0.0, 0)
    steps = settings["steps"]
    assert (steps.batch, steps.learning_rate, steps.schedule) == (32, 1e-3, "constant")


def test_without_points_variables_are_symbols_and_the_rest_is_as_before() -> None:
    runs = {run.variant: run for run in runs_of("ablation")}
    without = runs["points"].settings
    assert (without.recipe, without.points) == ("treesmu", 0)
    assert without.model_copy(update={"points": 8}) == runs["whole"].settings
    assert runs["points"].name == "c/depth-1-7/tree-smu/treesmu,points=0/seed-12093"


def test_every_setting_of_a_recipe_belongs_to_a_part_of_it() -> None:
    for recipe, parts in PARTS.items():
        settings = {name for part in parts for name in SETTINGS_OF_A_PART[part]}
        assert settings == set(RECIPES[recipe])


def test_every_recipe_of_ours_for_equations_can_be_taken_apart() -> None:
    assert PARTS.keys() == RECIPES.keys() - {"paper", "trees"}


def test_the_cell_without_its_hidden_layer_keeps_its_other_settings() -> None:
    runs = runs_of("ablation", 'recipes = ["treesmu-symbols"]')
    settings = {run.variant: run.settings for run in runs}
    assert settings["hidden"].cell == {"depth": 1, "expansion": 4}
    assert (settings["values"].values, settings["pairs"].pairs, settings["warmup"].warmup) == (0, 400, 0)
    folder = "c/depth-1-7/tree-smu/treesmu-symbols"
    assert [run.name for run in runs][:2] == [f"{folder}/seed-12093", f"{folder},depth=1/seed-12093"]


def test_several_recipes_can_be_taken_apart_in_one_study() -> None:
    runs = runs_of("ablation", 'recipes = ["treesmu", "treesmu-1"]\nparts = ["values", "unit"]')
    assert [(run.settings.recipe, run.variant) for run in runs] == [
        ("treesmu", "whole"), ("treesmu", "values"), ("treesmu-1", "whole"), ("treesmu-1", "unit")
    ]  # fmt: skip
    with pytest.raises(
        DataError, match="the recipe paper has no parts; recipes with parts: treesmu, treesmu-1, treesmu-symbols"
    ):
        runs_of("ablation", 'recipes = ["paper"]')


def test_only_the_parts_that_are_asked_for_are_left_out() -> None:
    runs = runs_of("ablation", 'parts = ["norm"]\nseeds = [1]')
    assert [(run.variant, run.name) for run in runs] == [
        ("whole", "c/depth-1-7/tree-smu/treesmu/seed-1"),
        ("norm", "c/depth-1-7/tree-smu/treesmu,norm=none/seed-1"),
    ]
    with pytest.raises(DataError, match="unknown part 'luck'; known: head, unit, "):
        runs_of("ablation", 'parts = ["luck"]')
