"""Sample efficiency: shares of the equations that are trained on."""

from __future__ import annotations

import json

from planned_runs import runs_of
from treesmu.experiments.reproduce import Reproduction


def test_shares_are_of_the_equations_that_are_trained_on() -> None:
    found = {run.variant: run.settings.rows for run in runs_of("sample_efficiency")}
    assert found == {"0.1": 2449, "0.25": 6122, "0.5": 12244, "0.75": 18365, "0.9": 22038, "1": None}


def test_parts_of_the_data_are_parts(every_study: Reproduction) -> None:
    runs = {run.variant: run for run in every_study.preset.studies["sample_efficiency"].runs(every_study.preset.setup)}
    rows = {share: json.loads(every_study.run_folder(run).settings.read_text())["rows"] for share, run in runs.items()}
    assert rows["1"] == every_study.preset.setup.rows("tiny")
    assert rows["0.5"] == round(0.5 * rows["1"])
