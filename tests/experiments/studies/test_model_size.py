"""Model size: a variant is the size of the states."""

from __future__ import annotations

import pytest

from planned_runs import runs_of


def test_every_model_is_trained_with_every_size() -> None:
    runs = runs_of("model_size", 'recipes = ["paper"]\nsizes = [25, 50]\nseeds = [1]')
    assert [(run.variant, run.settings.model, run.settings.cell) for run in runs] == [
        ("25", "tree-lstm", {"hidden": 25}),
        ("25", "tree-smu", {"hidden": 25}),
        ("50", "tree-lstm", {}),  # the default, so that it is the run of other studies
        ("50", "tree-smu", {}),
    ]


@pytest.mark.parametrize("n", [50, 100])  # the default of cells, and another
def test_a_variant_is_what_it_is_called_whatever_the_preset_says_of_cells(n: int) -> None:
    for run in runs_of("model_size", training=f"[training.paper]\ncell = {{ hidden = {n} }}"):
        assert run.settings.cell.get("hidden", 50) == int(run.variant)
