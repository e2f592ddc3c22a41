"""Cells with and without a stack, beside each other by R² of numbers; by accuracy they are tested with the study elsewhere."""

from __future__ import annotations

import pytest

from treesmu.report.figures.figure import Figure, Lines
from treesmu.report.folder import StudyResults
from treesmu.report.runs import Condition, FinishedRun, SeedGroup
from treesmu.report.section import Section
from treesmu.report.studies.elsewhere import section
from treesmu.report.table import Table

Scores = dict[str, list[tuple[float, float]]]  # of each model, for each seed: at depths 1 and 2 of training, at 3 and 4
BETTER: Scores = {"tree-lstm": [(0.9, 0.5), (0.9, 0.6)], "tree-smu": [(0.9, 0.55), (0.89, 0.652)]}


def _run(task: str, model: str, seed: int, trained: float, deeper: float) -> FinishedRun:
    key = "r2" if task == "regress" else "accuracy"
    scores = {"1": trained, "2": trained, "3": deeper, "4": deeper}
    labels = {"trees": 2_000, "label_mean": 5.0, "label_sd": 2.0, "majority": 0.5}
    by_depth = {depth: labels | {"rmse": 2 * (1 - score) ** 0.5, key: score} for depth, score in scores.items()}
    test = {"by_depth": by_depth, "train": {key: 0.9}, "validation": {key: 0.8}}
    training = {"model": model, "recipe": "trees", "task": task, "seed": seed}
    settings = {"settings": training, "cell": {}, "parameters": 10, "rows": 5}
    return FinishedRun(f"{task}/{model}/{seed}", settings, test, ({f"validation_{key}": 0.8, "seconds": 1.0},))


def _study(scores: Scores, *tasks: str, trained: tuple[int, int] = (1, 2)) -> StudyResults:
    """Return results on a corpus for each task, which has its name, with the same scores."""
    groups = tuple(
        SeedGroup(
            Condition(task, "trees"),
            model,
            "#000000",
            "",
            False,
            tuple(_run(task, model, k, *s) for k, s in enumerate(seeds, 1)),
        )
        for task in tasks
        for model, seeds in scores.items()
    )
    corpora = {task: {"trees": f"{task}.jsonl", "task": task, "trained_depths": list(trained)} for task in tasks}
    return StudyResults("elsewhere", "Elsewhere", "", {}, groups, {}, (), (), {}, corpora, {})


def _parts(found: Section) -> tuple[Table, Table, Figure]:
    scores, stack, figure = found.parts
    assert isinstance(scores, Table)
    assert isinstance(stack, Table)
    assert isinstance(figure, Figure)
    return scores, stack, figure


def test_numbers_are_shown_by_r2_and_not_in_per_cent() -> None:
    found = section(_study(BETTER, "regress"))
    scores, stack, figure = _parts(found)
    assert (scores.name, stack.name) == ("elsewhere-r2", "elsewhere-stack-r2")
    assert [column.title for column in scores.columns[3:]] == ["validation R²", "trained depths R²", "deeper R²", "seeds"]
    assert all(column.scale == 1 for column in (*scores.columns, *stack.columns))
    assert scores.rows[-1][1:] == ("mean of the labels", None, None, 0.0, 0.0, None)
    deeper = next(row for row in stack.rows if row[2] == "deeper")
    assert deeper[5] == pytest.approx(0.051)
    assert deeper[8:] == (2, "helps")
    panel = figure.panels[0]
    assert isinstance(panel, Lines)
    assert (panel.y_label, panel.level, panel.shaded) == ("R²", 0.0, (1.0, 2, "trained"))
    assert panel.series[1].y == pytest.approx((0.895, 0.895, 0.601, 0.601))
    assert figure.title == (
        "regress: Tree-SMU, the best on deeper trees, falls from R² 0.90 at depth 2 to R² 0.60 at depth 4; beyond training, "
        "Tree-SMU is 0.051 of R² above Tree-LSTM"
    )
    assert "+0.051 (95% interval +0.038 to +0.064) of R²; significant." in found.conclusions[1]


def test_values_of_r2_that_are_cut_off_are_mentioned() -> None:
    figure = _parts(section(_study({"lstm": [(0.5, -7.0)], "tree-smu": [(0.9, 0.8)]}, "regress")))[2]
    panel = figure.panels[0]
    assert isinstance(panel, Lines)
    assert panel.y_range == (-1.0, 1.0)
    assert figure.note.endswith("R² of each depth: 0 is the mean of its labels. Values below −1 are outside.")


def test_accuracies_and_r2_have_tables_of_their_own_and_are_tested_together() -> None:
    found = section(_study(BETTER, "classify", "regress"))
    names = ["elsewhere", "elsewhere-r2", "elsewhere-stack", "elsewhere-stack-r2", "elsewhere-classify", "elsewhere-regress"]
    assert [part.name for part in found.parts] == names
    assert found.families[0].tests == 2
    assert all(one.corrected == pytest.approx(2 * (one.difference.p or 1)) for one in found.families[0])


def test_without_deeper_trees_the_depths_of_training_are_concluded_from() -> None:
    study = _study(
        {"tree-lstm": [(0.9, 0.5), (0.9, 0.6)], "tree-smu": [(0.95, 0.55), (0.952, 0.65)]}, "regress", trained=(1, 4)
    )
    found = section(study)
    scores, stack, figure = _parts(found)
    assert (scores.caption, scores.columns[-2].title) == ("R² on other trees", "trained depths R²")
    assert [row[2] for row in stack.rows] == ["trained"]
    assert figure.title == "R² on regress by depth"
    assert found.conclusions[0].startswith("On new trees of the depths of training, the stack helps in 1 of 1 comparison,")
