"""Step by step: predictions before and after inner parts are simplified."""

from __future__ import annotations

import pytest

from planned_runs import analyses_of
from treesmu.data import Dataset
from treesmu.experiments.probes.trained_model import load_trained
from treesmu.experiments.reproduce import Reproduction
from treesmu.tasks.verify import evaluate_verification


def test_step_by_step_compares_verdicts_before_and_after(every_study: Reproduction) -> None:
    for run, found in analyses_of(every_study, "step_by_step"):
        model, test = load_trained(every_study.run_folder(run).path), Dataset.read(every_study.corpus("tiny"), "test")
        assert set(found) == {"asked_with", "one_step", "all_steps"}
        for step in (found["one_step"], found["all_steps"]):
            assert step["equations"] == sum(row["equations"] for row in step["by_depth"].values()) <= len(test)
            assert 0 <= step["agreement"] <= 1
        overall = evaluate_verification(model, test)[0]["overall"]["accuracy"]
        if found["one_step"]["equations"] == len(test):
            assert found["one_step"]["accuracy_before"] == pytest.approx(overall)
