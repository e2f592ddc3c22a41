"""A planned run has a name that says how it differs from its preset; a study plans one for each seed, corpus and recipe."""

from __future__ import annotations

import pytest

from planned_runs import runs_of
from treesmu.experiments.probes.flipped_labels import FlippedLabels
from treesmu.experiments.studies.productivity import Productivity
from treesmu.experiments.studies.stack_size import StackSize
from treesmu.experiments.studies.substitutivity import Substitutivity
from treesmu.experiments.study import PlannedRun, Setup
from treesmu.generate.settings import CorpusSettings
from treesmu.training.settings import TrainSettings

DEFAULTS = TrainSettings.of(epochs=15)


def run_of(exceptions: FlippedLabels | None = None, **changes: object) -> PlannedRun:
    settings = TrainSettings.of(**{"epochs": 15, "seed": 3, "depths": (1, 7), **changes})
    return PlannedRun("c", settings, DEFAULTS, exceptions)


def test_the_name_of_a_run_contains_what_differs_from_the_preset() -> None:
    assert run_of().name == "c/depth-1-7/tree-smu/paper/seed-3"
    assert run_of(depths=None).name == "c/depth-all/tree-smu/paper/seed-3"
    assert run_of(rows=9, epochs=2, cell={"stack": 5}).name == "c/depth-1-7/tree-smu/paper,epochs=2,rows=9,stack=5/seed-3"
    assert run_of(FlippedLabels("Pow", "sin", 0.25)).name == "c+sin-in-Pow-0.25/depth-1-7/tree-smu/paper/seed-3"


def test_a_changed_run_keeps_everything_else() -> None:
    changed = run_of(epochs=4).changed(rows=10)
    assert (changed.settings.rows, changed.settings.epochs, changed.settings.seed) == (10, 4, 3)
    assert changed.name == "c/depth-1-7/tree-smu/paper,epochs=4,rows=10/seed-3"


def test_rows_of_a_corpus_are_counted_by_depth() -> None:
    setup = Setup(corpora={"c": CorpusSettings(depths=(1, 4), train_size=400)})
    assert setup.rows("c") == setup.rows("c", (1, 4)) == 400
    assert setup.rows("c", (5, 7)) == 0
    assert 0 < setup.rows("c", (1, 2)) < 400
    assert setup.rows("c", (1, 2)) + setup.rows("c", (3, 4)) == 400


def test_the_epochs_of_a_study_override_those_of_the_preset() -> None:
    training = "[training.paper]\nepochs = 3\n[training.treesmu]\nepochs = 4"
    runs = runs_of("productivity", 'models = ["tree-rnn"]\nepochs = { treesmu = 9 }', training)
    assert [(run.settings.recipe, run.settings.epochs, run.name) for run in runs] == [
        ("paper", 3, "c/depth-1-7/tree-rnn/paper/seed-12093"),
        ("treesmu", 9, "c/depth-1-7/tree-rnn/treesmu,epochs=9/seed-12093"),
    ]


def test_all_runs_of_a_seed_come_before_the_next_seed() -> None:
    runs = runs_of("productivity", 'seeds = [1, 2]\nseeds_of = { lstm = [2] }\nmodels = ["lstm", "tree-rnn"]')
    found = [(run.settings.seed, run.settings.model, run.settings.recipe) for run in runs]
    assert found == [
        (1, "tree-rnn", "paper"), (1, "tree-rnn", "treesmu"),
        (2, "lstm", "paper"), (2, "tree-rnn", "paper"), (2, "tree-rnn", "treesmu"),
    ]  # fmt: skip


def test_a_recipe_can_have_fewer_seeds() -> None:
    runs = runs_of(
        "productivity", 'seeds = [1, 2]\nseeds_of = { treesmu = [2], tree-rnn = [1] }\nmodels = ["tree-rnn", "tree-smu"]'
    )
    found = [(run.settings.seed, run.settings.model, run.settings.recipe) for run in runs]
    assert found == [(1, "tree-rnn", "paper"), (1, "tree-smu", "paper"), (2, "tree-smu", "paper"), (2, "tree-smu", "treesmu")]


def test_only_a_study_with_an_analysis_has_analysed_runs() -> None:
    setup, few = Setup(), {"corpora": ("c",), "recipes": ("paper",)}
    assert list(Productivity(**few).analysed_runs(setup)) == []
    size = StackSize(**few, sizes=(1, 2))
    assert [run.name for run in size.analysed_runs(setup)] == [run.name for run in size.runs(setup)] != []


def test_an_analysis_depends_on_what_it_measures_and_not_on_which_models_there_are() -> None:
    assert StackSize(sizes=(1,), seeds=(4,)).analysis_settings() == {"depths": [3, 13], "equations": 1000}
    assert Substitutivity(models=("tree-rnn",)).analysis_settings() == Substitutivity().analysis_settings()
    assert Substitutivity(classes=5).analysis_settings()["classes"] == 5


@pytest.mark.parametrize("given", [{"recipes": ("magic",)}, {"epochs": {"magic": 1}}])
def test_an_unknown_recipe_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="unknown recipe 'magic'; known: paper, treesmu"):
        Productivity(**given)
