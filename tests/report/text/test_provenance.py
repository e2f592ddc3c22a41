"""Provenance."""

from __future__ import annotations

import json
from pathlib import Path

from reproduced import run_name, study, write_plan, write_run
from treesmu.report.folder import Folder
from treesmu.report.text.provenance import provenance_tables


def test_settings_of_a_recipe_are_those_of_the_main_study_and_of_a_trained_model(tmp_path: Path) -> None:
    majority, main = (run_name("paper", model, "paper", 1) for model in ("majority", "tree-smu"))
    changed = run_name("paper", "tree-smu", "paper,epochs=8", 1)
    write_plan(tmp_path, {"stack_size": study({changed: "2"}), "productivity": study({majority: "", main: ""})})
    for name, epochs in ((majority, 30), (main, 15), (changed, 8)):
        write_run(tmp_path, name, epochs=epochs)
    table = next(table for table in provenance_tables(Folder(tmp_path)) if table.name == "settings")
    assert dict(table.rows)["epochs"] == "15"


def test_a_model_is_named_once_for_each_of_its_settings(tmp_path: Path) -> None:
    names = {run_name("hard", "tree-smu", recipe, seed): seed for recipe in ("treesmu", "treesmu-symbols") for seed in (1, 2)}
    write_plan(tmp_path, {"productivity": study(dict.fromkeys(names, ""))})
    for name in names:
        write_run(tmp_path, name)
        file = tmp_path / "runs" / name / "settings.json"
        wide = {"cell": {"hidden": 50, "expansion": 4}, "parameters": 5678} if "symbols" in name else {}
        file.write_text(json.dumps(json.loads(file.read_text()) | wide))
    table = next(table for table in provenance_tables(Folder(tmp_path)) if table.name == "models")
    assert table.rows == (("Tree-SMU", 1234, "hidden 50"), ("Tree-SMU", 5678, "hidden 50, expansion 4"))
