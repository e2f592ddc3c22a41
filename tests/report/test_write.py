"""Files of a report against the files that it is computed from."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from every_study import ANALYSES, RUNS
from reproduced import outcomes, pooled_accuracies, run_name, shown, study, write_analysis, write_plan, write_run
from treesmu.experiments import plan
from treesmu.experiments.preset import Preset
from treesmu.report.write import write_report


def test_the_lines_are_drawn_through_the_accuracies_of_the_run_folders(small: Path) -> None:
    drawn = list(csv.DictReader((small / "figures" / "accuracy-by-depth.csv").read_text().splitlines()))
    assert len(drawn) == (5 + 3) * 2 * 19
    for row in drawn:
        corpus = row["panel"].split()[0]
        recipe = "paper" if "paper's recipe" in row["panel"] else "treesmu"
        depth = int(row["x"])
        values = pooled_accuracies(outcomes(small, corpus, row["name"].lower(), recipe, (1, 2, 3)), depth, depth)
        assert float(row["y"]) == pytest.approx(fmean(values))
        assert float(row["sd"]) == pytest.approx(stdev(values), abs=1e-6)


def test_the_table_of_learning_has_every_depth_time_and_size(small: Path) -> None:
    rows = list(csv.DictReader((small / "tables" / "learning.csv").read_text().splitlines()))
    assert len(rows) == (5 + 3) * 2
    smu = next(r for r in rows if (r["corpus"], r["recipe"], r["model"]) == ("hard", "treesmu", "Tree-SMU"))
    found = outcomes(small, "hard", "tree-smu", "treesmu", (1, 2, 3))
    for depth in range(1, 20):
        assert float(smu[f"depth {depth} %"]) == pytest.approx(fmean(pooled_accuracies(found, depth, depth)))
    assert smu["parameters"] == "1234"
    names = [run_name("hard", "tree-smu", "treesmu", seed) for seed in (1, 2, 3)]
    lines = [(small / "runs" / name / "metrics.jsonl").read_text().splitlines() for name in names]
    middle = [sorted(json.loads(line)["seconds"] for line in some)[1] for some in lines]
    assert float(smu["seconds per epoch"]) == min(middle) < max(middle)
    assert "epochs of the fastest seed" in (small / "tables" / "learning.md").read_text()
    assert shown(pooled_accuracies(found, 8, 19)) in (small / "tables" / "learning.md").read_text()


def test_a_folder_without_finished_runs_has_a_report(tmp_path: Path) -> None:
    """Reads the plan.json that the experiments write."""
    plan.write_plan(tmp_path / "plan.json", Preset.read("quick"))
    written = write_report(tmp_path)
    assert (written.tables, written.figures) == ([], [])
    titles = "; ".join(study.title for study in Preset.read("quick").studies.values())
    assert written.missing == [f"Not run yet: {titles}."]
    assert written.report is not None
    question = " ".join((Preset.read("quick").studies["productivity"].__doc__ or "").split())[:40]
    assert question in written.report.read_text()


def test_analyses_that_found_nothing_leave_no_empty_figure(tmp_path: Path) -> None:
    nothing = {"equations": 0, "agreement": None, "accuracy_before": None, "accuracy_after": None, "by_depth": {}}
    empty: dict[str, Any] = {
        "substitutivity": ANALYSES["substitutivity"]
        | {"expressions": [], "purity": None, "silhouette": None, "chance": None, "replaced": nothing},
        "step_by_step": {"one_step": nothing, "all_steps": nothing},
        "overgeneralisation": {"exceptions": 0, "peak": None, "peak_epoch": None, "overridden_epoch": None, "epochs": []},
        "completion": {"overall": {"blanks": 0}, "by_depth": {}},
        "stack_size": {"stack": 2, "by_depth": {}},
    }
    write_plan(tmp_path, {name: study(RUNS[name], RUNS[name], name) for name in empty})
    for run in dict.fromkeys(run for name in empty for run in RUNS[name]):
        write_run(tmp_path, run)
    for name, content in empty.items():
        for run in RUNS[name]:
            write_analysis(tmp_path, name, run, content)
    drawn = {file.name for file in write_report(tmp_path).figures}
    assert {name.partition(".")[0] for name in drawn} == {"stack-size"}  # accuracy, which was tested
