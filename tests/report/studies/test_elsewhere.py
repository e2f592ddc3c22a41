"""Elsewhere: tables and figures of real runs; differences between cells with and without a stack."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from elsewhere_preset import ELSEWHERE
from treesmu.engine.in_process import InProcess
from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction
from treesmu.report.figures.figure import Figure, Lines
from treesmu.report.folder import Folder, StudyResults
from treesmu.report.other_trees.results import trained_depths
from treesmu.report.runs import Condition, FinishedRun, SeedGroup
from treesmu.report.section import Section
from treesmu.report.studies.elsewhere import section
from treesmu.report.table import Table
from treesmu.report.write import write_report


@pytest.fixture(scope="module")
def reproduced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("elsewhere") / "out"
    assert Reproduction(Preset("test", ELSEWHERE, "test"), out).run(InProcess()) == []
    return out


def test_tables_have_what_the_runs_have(reproduced: Path) -> None:
    study = Folder(reproduced).study("elsewhere")
    assert study is not None
    accuracies, stack, *figures = section(study).parts
    assert len(accuracies.rows) == 8  # type: ignore[union-attr]  # three models and the most common class
    comparison = "Tree-SMU − Tree-LSTM"
    expected_rows = [(corpus, comparison, which) for corpus in ("listops", "logic") for which in ("trained", "deeper")]
    assert [row[:3] for row in stack.rows] == expected_rows  # type: ignore[union-attr]
    run = next((reproduced / "runs" / "logic").rglob("tree-smu/*/seed-1/test.json"))
    by_depth = json.loads(run.read_text())["by_depth"]
    deep = [one for depth, one in by_depth.items() if int(depth) > 4]
    expected = sum(one["accuracy"] * one["trees"] for one in deep) / sum(one["trees"] for one in deep)
    group = next(g for g in study.groups if g.condition.corpus == "logic" and g.model == "tree-smu")
    found = group.accuracy(5, 99)
    assert found is not None
    assert found.values[0] == pytest.approx(expected)
    assert found.by_seed[1] == pytest.approx(expected)
    assert [figure.name for figure in figures] == ["elsewhere-listops", "elsewhere-logic"]


@pytest.mark.usefixtures("no_drawings")
def test_the_report_is_written(reproduced: Path) -> None:
    write_report(reproduced)
    page = (reproduced / "report.html").read_text(encoding="utf-8")
    assert "Where the stack helps and where it does not" in page
    assert "than the paper&#39;s" not in page.replace("'", "&#39;")  # the paper has no such trees to compare epochs with
    assert "Few training equations" not in page
    assert (reproduced / "tables" / "elsewhere-stack.md").exists()


def test_trained_depths_are_those_of_the_corpus(reproduced: Path) -> None:
    study = Folder(reproduced).study("elsewhere")
    assert study is not None
    assert (trained_depths(study, "listops"), trained_depths(study, "logic")) == ((1, 2), (1, 4))


# -- with given accuracies -------------------------------------------------------------------------------------------------

PLANNED = "logic/depth-all/{}/trees/seed-{}"
CORPORA = {"logic": {"trees": "logic", "train_operators": [1, 2], "test_operators": [1, 4]}}


def _study(right: dict[str, list[tuple[int, int]]], corpora: dict[str, Any] = CORPORA) -> StudyResults:
    """Return results on logic. right: of each model, for each seed, how many of 1,000 are right at trained and deeper sizes."""
    groups = []
    for model, seeds in right.items():
        runs = [_run(model, seed, *counts) for seed, counts in enumerate(seeds, 1)]
        groups.append(SeedGroup(Condition("logic", "trees"), model, "#000000", "", False, tuple(runs)))
    planned = {run.name: "" for group in groups for run in group.runs}
    return StudyResults("elsewhere", "Elsewhere", "", planned, tuple(groups), {}, (), (), {}, corpora, {})


def _run(model: str, seed: int, trained: int, deeper: int) -> FinishedRun:
    shares = {1: trained, 2: trained, 3: deeper, 4: deeper}
    by_depth = {str(k): {"trees": 1_000, "accuracy": n / 1_000, "majority": 0.25} for k, n in shares.items()}
    test = {"by_depth": by_depth, "train": {"accuracy": 0.9}, "validation": {"accuracy": 0.8}}
    settings = {"settings": {"model": model, "recipe": "trees", "seed": seed}, "cell": {}, "parameters": 10, "rows": 5}
    return FinishedRun(PLANNED.format(model, seed), settings, test, ({"validation_accuracy": 0.8, "seconds": 1.0},))


def _parts(found: Section) -> tuple[Table, Table, Figure]:
    accuracies, stack, figure = found.parts
    assert isinstance(accuracies, Table)
    assert isinstance(stack, Table)
    assert isinstance(figure, Figure)
    return accuracies, stack, figure


def test_differences_are_paired_by_seed_and_have_intervals() -> None:
    found = section(_study({"tree-lstm": [(900, 500), (900, 600)], "tree-smu": [(900, 550), (890, 652)]}))
    _, stack, figure = _parts(found)
    deeper = next(row for row in stack.rows if row[2] == "deeper")
    assert deeper[5] == pytest.approx(0.051)  # +5.0 and +5.2 points, although the seeds differ by 10
    assert deeper[6] == pytest.approx(0.051 - 12.706 * 0.001, abs=1e-5)
    assert deeper[8:] == (2, "helps")
    assert figure.title == (
        "logic: Tree-SMU, the best on deeper trees, falls from 90% at 2 operators to 60% at 4 operators; beyond "
        "training, Tree-SMU is 5.1 points above Tree-LSTM"
    )
    assert found.conclusions[0].startswith("On trees deeper than those of training, the stack helps in 1 of 1 comparison,")
    assert "+5.1 (95% interval +3.8 to +6.4) points; significant." in found.conclusions[1]


def test_a_stack_that_hurts_and_one_that_makes_no_difference_are_called_so() -> None:
    right = {"tree-rnn": [(900, 600), (900, 600)], "stack-tree-rnn": [(900, 500), (900, 502)]}
    right |= {"tree-lstm": [(900, 500), (900, 600)], "tree-smu": [(900, 600), (900, 500)]}
    found = section(_study(right))
    _, stack, figure = _parts(found)
    assert [row[-1] for row in stack.rows if row[2] == "deeper"] == ["no difference shown", "hurts"]
    assert figure.title.endswith("; beyond training, no difference between Tree-SMU and Tree-LSTM is shown")
    assert "helps in 0 of 2 comparisons, hurts in 1, and no difference is shown in 1." in found.conclusions[0]


def test_with_one_seed_nothing_is_concluded() -> None:
    found = section(_study({"tree-lstm": [(900, 500)], "tree-smu": [(900, 600)]}))
    _, stack, figure = _parts(found)
    assert [row[6:] for row in stack.rows] == [(None, None, 1, "one seed")] * 2
    assert stack.notes == ("One seed, therefore no intervals: differences may be due to chance.",)
    assert "above" not in figure.title
    assert found.conclusions == (
        "On logic, on trees deeper than those of training, Tree-SMU compared with Tree-LSTM: +10.0 points; one seed, so "
        "this may be due to chance.",
    )


def test_models_and_corpora_that_are_missing_leave_the_rest() -> None:
    lonely = section(_study({"tree-smu": [(900, 600)], "lstm": [(900, 500)]}, corpora={}))
    accuracies, stack, figure = _parts(lonely)
    assert (stack.rows, lonely.conclusions) == ((), ())
    assert [row[1] for row in accuracies.rows] == ["Tree-SMU", "LSTM", "most common class"]
    assert figure.panels
    unpaired = _study({"tree-lstm": [(900, 500)], "tree-smu": [(900, 600)]})
    old, new = unpaired.groups
    other_seed = replace(new, runs=(_run("tree-smu", 7, 900, 600),))
    row = _parts(section(replace(unpaired, groups=(old, other_seed))))[1].rows[1]
    assert row[6:] == (None, None, 0, "one seed")


def test_published_figures_are_open_marks_of_their_model() -> None:
    panel = _parts(section(_study({"lstm": [(900, 500)]})))[2].panels[0]
    assert isinstance(panel, Lines)
    marks = [series for series in panel.series if series.is_paper]
    assert [(series.label, series.x[0], series.y[0]) for series in marks] == [("LSTM", 7.0, 88)]


def test_a_difference_that_does_not_survive_the_correction_is_not_claimed() -> None:
    right = {"tree-lstm": [(900, 500), (900, 600)], "tree-smu": [(900, 550), (890, 656)]}  # p = 0.04 alone
    alone, many = (
        section(_study(right)),
        section(_study(right | {"tree-rnn": [(1, 1), (2, 3)], "stack-tree-rnn": [(2, 3), (1, 1)]})),
    )
    assert [_parts(found)[1].rows[1][-1] for found in (alone, many)] == ["helps", "no difference shown"]
