"""Every study at a tiny scale: which files they write, and which runs they share."""

from __future__ import annotations

import json

from treesmu.experiments.preset import STUDIES
from treesmu.experiments.reproduce import Reproduction


def test_every_run_is_tested_and_every_analysis_made(every_study: Reproduction) -> None:
    assert all(every_study.run_folder(run).test.exists() for run in every_study.runs)
    assert {path.name for path in (every_study.out / "analyses").iterdir()} == {
        "published", "substitutivity", "step_by_step", "overgeneralisation", "completion", "stack_size",
    }  # fmt: skip
    assert every_study.pending_analyses() == []


def test_the_plan_contains_what_the_report_needs(every_study: Reproduction) -> None:
    plan = json.loads(every_study.plan.read_text())
    assert list(plan["studies"]) == list(STUDIES)
    for name, study in plan["studies"].items():
        assert study["title"] == STUDIES[name].title
        assert len(study["asks"]) > 100
        assert all((every_study.out / "runs" / run / "test.json").exists() for run in study["runs"])
        assert all((every_study.out / "analyses" / name / f"{run}.json").exists() for run in study["analyses"])
    assert list(plan["studies"]["stack_operations"]["runs"].values()) == ["push, pop, no-op", "queue"]


def test_runs_that_studies_share_are_trained_once(every_study: Reproduction) -> None:
    of_study = {
        name: {run.name for run in every_study.preset.studies[name].runs(every_study.preset.setup)}
        for name in every_study.preset.studies
    }
    shared = "tiny/depth-1-7/tree-smu/paper/seed-12093"
    assert {name for name, runs in of_study.items() if shared in runs} == {
        "published", "productivity", "step_by_step", "completion", "sample_efficiency", "stack_size", "stack_operations",
    }  # fmt: skip
    assert len(every_study.runs) == len({run.name for run in every_study.runs}) == 16
