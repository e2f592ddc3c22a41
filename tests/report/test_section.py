"""The measures that several sections show, and the models that their conclusions describe."""

from __future__ import annotations

from pathlib import Path

from finished_runs import finished_run, seed_group
from reproduced import run_name, study, write_plan, write_run
from treesmu.report.folder import Folder
from treesmu.report.numbers import Spread
from treesmu.report.section import BOTH, MEASURES, described_models, productivity, systematicity

GROUP = seed_group("hard", "paper", "tree-smu", finished_run(80, 60), finished_run(90, 70))


def test_systematicity_is_of_the_depths_of_training_and_productivity_of_deeper_ones() -> None:
    assert systematicity(GROUP) == BOTH["systematicity"][0](GROUP) == Spread((0.8, 0.9))
    assert productivity(GROUP) == BOTH["productivity"][0](GROUP) == Spread((0.6, 0.7))
    assert {name: depths for name, (_, depths) in BOTH.items()} == {"systematicity": (1, 7), "productivity": (8, 19)}


def test_precision_and_recall_are_those_of_productivity() -> None:
    found = {name: measure(GROUP) for name, measure in MEASURES.items()}
    assert found["train"] == Spread((0.9, 0.9))
    assert found["validation"] == Spread((0.8, 0.8))
    assert found["recall"] == Spread((0.6, 0.7))  # 30 and 35 of 50 correct equations at each depth
    assert found["precision"] == Spread((0.6, 0.7))  # of 50 that are called correct


def test_conclusions_describe_tree_smu_and_registered_models(tmp_path: Path) -> None:
    runs = {run_name("hard", model, "paper", 1): "" for model in ("tree-rnn", "my-cell", "tree-smu", "majority")}
    write_plan(tmp_path, {"productivity": study(runs)})
    for name in runs:
        write_run(tmp_path, name)
    assert sorted(described_models(Folder(tmp_path).studies[0])) == ["my-cell", "tree-smu"]
