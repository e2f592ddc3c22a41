"""Elsewhere: models on other trees, trained by their tasks; the preset is complete and resumable."""

from __future__ import annotations

from pathlib import Path

import pytest

from elsewhere_preset import ELSEWHERE
from tree_files import write_trees
from treesmu.data import DataError
from treesmu.engine.in_process import InProcess
from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction
from treesmu.experiments.tree_files import TreeFiles, TreeFileSettings


def test_every_model_is_trained_on_every_corpus_with_its_task_and_changes() -> None:
    preset = Preset("test", ELSEWHERE, "test")
    runs = preset.runs(["elsewhere"])
    assert len(runs) == 2 * 2 * 3
    assert {(run.source_corpus, run.settings.task) for run in runs} == {("listops", "classify"), ("logic", "compare")}
    assert {(run.source_corpus, run.settings.most_children) for run in runs} == {("listops", 2), ("logic", 8)}
    assert {run.settings.learning_rate for run in runs if run.settings.model == "lstm"} == {0.001}
    assert {run.settings.recipe for run in runs} == {"trees"}
    assert all(run.settings.epochs == 1 and run.settings.cell["hidden"] == 5 for run in runs)


def test_the_built_in_preset_has_six_models_four_corpora_and_three_seeds_but_for_the_transformer() -> None:
    assert len(Preset.read("elsewhere").runs(["elsewhere"])) == 5 * 4 * 3 + 1 * 4


def test_equations_are_no_corpus_of_this_study() -> None:
    text = '[corpora.c]\npreset = "hard"\n[studies.elsewhere]\ncorpora = ["c"]\n'
    with pytest.raises(DataError, match="study elsewhere: the corpus c has equations"):
        Preset("test", text, "test")


def test_a_reproduction_is_complete_and_not_done_twice(tmp_path: Path) -> None:
    preset = Preset("test", ELSEWHERE.replace("seeds = [1, 2]", "seeds = [1]"), "test")
    assert Reproduction(preset, tmp_path / "out").run(InProcess()) == []
    events: list[str] = []
    again = Reproduction(preset, tmp_path / "out", resume=True)
    assert again.run(InProcess(), lambda event, facts: events.append(f"{event} {facts.get('todo')}")) == []
    assert events == ["runs 0"]


def _own_trees(tmp_path: Path, task: str) -> TreeFiles:
    return TreeFiles(write_trees(tmp_path / "mine.jsonl", task, 30), TreeFileSettings(trees="mine.jsonl", task=task))  # type: ignore[arg-type]


def test_a_users_own_trees_are_used_instead_of_all_corpora(tmp_path: Path) -> None:
    preset = Preset("test", ELSEWHERE, "test", _own_trees(tmp_path, "regress"))
    runs = preset.runs(["elsewhere"])
    assert {(run.source_corpus, run.settings.task) for run in runs} == {("mine", "regress")}
    assert (len(runs), preset.impossible_runs()) == (2 * 3, [])


def test_models_that_cannot_do_a_task_are_left_out_and_named(tmp_path: Path) -> None:
    preset = Preset("test", ELSEWHERE, "test", _own_trees(tmp_path, "tag"))
    assert {run.settings.model for run in preset.runs(["elsewhere"])} == {"tree-lstm", "tree-smu"}
    assert preset.impossible_runs() == ["lstm on mine: the task tag is for tree models; lstm has no states of nodes"]
    only = ELSEWHERE.replace('["lstm", "tree-lstm", "tree-smu"]', '["lstm"]')
    with pytest.raises(DataError, match="study elsewhere: nothing to train"):
        Preset("test", only, "test", _own_trees(tmp_path, "tag"))


def test_studies_of_equations_are_left_out_for_trees(tmp_path: Path) -> None:
    preset = Preset("test", ELSEWHERE + "[studies.localism]\n", "test", _own_trees(tmp_path, "classify"))
    assert preset.left_out == {"localism": "it needs equations; models are compared on other trees by --preset elsewhere"}
