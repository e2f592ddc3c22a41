"""Reading the folder of ``treesmu reproduce``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from every_study import ANALYSES
from reproduced import main_runs, study, write_analysis, write_plan, write_run
from treesmu.errors import DataError
from treesmu.report.write import write_report

TEST_WITHOUT_COUNTS = json.dumps(
    {"overall": {}, "by_depth": {"8": {"accuracy": 1.0}}, "train": {"accuracy": 1.0}, "validation": {"accuracy": 1.0}}
)


@pytest.mark.parametrize(
    ("file", "content", "text"),
    [
        ("plan.json", "{", "plan.json: damaged, not a JSON object; copy the folder again"),
        ("plan.json", '{"studies": ["productivity"]}', "plan.json: the questions of the studies are missing"),
        ("plan.json", '{"studies": {"a": {}}}', "plan.json: 'preset' is missing; write it again"),
        ("runs/{run}/test.json", "{}", "test.json: 'overall' is missing"),
        ("runs/{run}/settings.json", "[]", "settings.json: damaged, not a JSON object; remove the run and train it again"),
        ("runs/{run}/settings.json", "{}", "settings.json: 'settings' is missing"),
        ("runs/{run}/metrics.jsonl", "", "metrics.jsonl: no epochs"),
        ("runs/{run}/metrics.jsonl", "[", "metrics.jsonl, line 1: damaged, not a JSON object; remove the run"),
        (
            "runs/{run}/metrics.jsonl",
            '{"epoch": 1, "seconds": 1.0}\n' * 2,
            "'epochs.0.validation_accuracy' is missing",
        ),
        ("runs/{run}/test.json", TEST_WITHOUT_COUNTS, "test.json: not what this version writes"),
        ("analyses/completion/{run}.json", "", "damaged, not a JSON object; make it again with: treesmu reproduce --resume"),
        ("analyses/completion/{run}.json", "{}", "analyses/completion: not what this version writes"),
    ],
)
def test_damaged_files_are_named(tmp_path: Path, file: str, content: str, text: str) -> None:
    runs = main_runs(seeds=(1,), models=("tree-smu",))
    write_plan(tmp_path, {"productivity": study(runs), "completion": study(runs, runs)})
    for name in runs:
        write_run(tmp_path, name)
    write_analysis(tmp_path, "completion", next(iter(runs)), ANALYSES["completion"])
    (tmp_path / file.format(run=next(iter(runs)))).write_text(content)
    with pytest.raises(DataError, match=re.escape(text)):
        write_report(tmp_path)
    assert not (tmp_path / "report.html").exists()


OUT = "paper/depth-1-7/tree-smu/paper/../../../../../../outside/seed-1"


@pytest.mark.parametrize(
    ("studies", "text"),
    [
        ({"productivity": study({OUT: ""})}, "leads out of the folder"),
        ({"productivity": study({"/tmp/outside": ""})}, "leads out of the folder"),
        ({"completion": study({}, [OUT])}, "leads out of the folder"),
        ({"../../outside": study({})}, "leads out of the folder"),
        ({"a/b": study({})}, "'a/b' is not the name of a study"),
    ],
)
def test_a_plan_that_leads_out_of_the_folder_is_refused_before_anything_is_read_or_written(
    tmp_path: Path, studies: dict[str, Any], text: str
) -> None:
    """The names become names of files: of tables, of figures, and in the record."""
    write_plan(tmp_path / "results", studies)
    with pytest.raises(DataError, match=re.escape(text)):
        write_report(tmp_path / "results")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["plan.json", "results"]
