"""Reading the folder of ``treesmu reproduce``."""

from __future__ import annotations

import json
import re
from pathlib import Path

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
        ("plan.json", "{", "plan.json: cannot be read"),
        ("plan.json", '{"studies": ["productivity"]}', "plan.json: the questions of the studies are missing"),
        ("plan.json", '{"studies": {"a": {}}}', "plan.json: not a plan of treesmu reproduce"),
        ("runs/{run}/test.json", "{}", "test.json: 'overall' is missing"),
        ("runs/{run}/settings.json", "[]", "settings.json: 'settings' is missing"),
        ("runs/{run}/metrics.jsonl", "", "metrics.jsonl: no epochs"),
        ("runs/{run}/metrics.jsonl", '{"epoch": 1, "seconds": 1.0}\n' * 2, "metrics.jsonl: not what this version writes"),
        ("runs/{run}/test.json", TEST_WITHOUT_COUNTS, "test.json: not what this version writes"),
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
