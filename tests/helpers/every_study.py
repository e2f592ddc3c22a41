"""A folder of ``treesmu reproduce`` with all studies and their analyses, without training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reproduced import CELLS, main_runs, run_name, study, write_analysis, write_plan, write_run

SMU = "tree-smu"
FIXED = ("stack_size", "stack_operations")  # studies of Tree-SMU only


def _changed(model: str, changes: str, seed: int = 1, corpus: str = "hard", recipe: str = "treesmu") -> str:
    return run_name(corpus, model, recipe + (f",{changes}" if changes else ""), seed)


RUNS: dict[str, dict[str, str]] = {  # study: name of each run and its variant
    "productivity": main_runs(seeds=(1, 2), models=("majority", "lstm", *CELLS)),
    "localism": {run_name("paper", model, "paper", 1, "5-13"): "" for model in CELLS},
    "substitutivity": {_changed(model, ""): "" for model in CELLS},
    "step_by_step": {_changed(model, ""): "" for model in CELLS},
    "overgeneralisation": {_changed(model, "", corpus="hard+cos-in-Pow-0.1"): "0.1" for model in CELLS},
    "completion": {_changed(model, ""): "" for model in CELLS},
    "sample_efficiency": {
        _changed(model, change): variant for model in ("tree-lstm", SMU) for variant, change in (("0.5", "rows=40"), ("1", ""))
    },
    "stack_size": {_changed(SMU, change, recipe="paper", corpus="paper"): p for p, change in (("1", "stack=1"), ("2", ""))},
    "stack_operations": {
        _changed(SMU, ""): "push, pop, no-op",
        _changed(SMU, "order=queue"): "queue",
        _changed("stack-tree-rnn", ""): "beside the cell",
    },
    "model_size": {
        _changed(model, change): n for model in ("tree-lstm", SMU) for n, change in (("25", "hidden=25"), ("50", ""))
    },
    "ablation": {_changed(SMU, ""): "whole", _changed(SMU, "head=dot"): "head"},
    "data_size": {_changed(SMU, f"rows={rows}"): str(rows) for rows in (1000, 20000)},
    "unheard_of": {_changed(SMU, "rows=3"): "three"},
}


def _agreement(share: float) -> dict[str, Any]:
    found = {"equations": 50, "agreement": share, "accuracy_before": 0.75, "accuracy_after": 0.5}
    return found | {"by_depth": {"3": found, "4": found | {"agreement": share / 2}}}


def _ranks(share: float) -> dict[str, Any]:
    return {name: {"top": [share] * 4 + [2 * share] * 6, "mrr": share} for name in ("raw", "class", "collapse", "true")}


ANALYSES: dict[str, Any] = {
    "substitutivity": {
        "classes": ["0", "1", "x"],
        "expressions": [{"text": "e", "height": 1, "class": k % 3, "place": [float(k), float(k % 5)]} for k in range(30)],
        **{"purity": 0.75, "silhouette": 0.25, "fresh": {"purity": 0.5, "silhouette": None}, "chance": 0.3125},
        **{"neighbours": 10, "perplexity": 30.0, "replaced": _agreement(0.875)},
    },
    "step_by_step": {"one_step": _agreement(0.9375), "all_steps": _agreement(0.625)},
    "overgeneralisation": {
        **{"share": 0.1, "exceptions": 12, "others": 108, "peak": 0.75, "peak_epoch": 1, "overridden_epoch": None},
        "epochs": [{"epoch": k + 1, "overgeneralisation": 0.75 - 0.25 * k, "others_right": 0.5} for k in range(3)],
    },
    "completion": {
        "overall": {"blanks": 20, **_ranks(0.375), "prior": _ranks(0.125)},
        "by_depth": {depth: {"blanks": 10, **_ranks(0.375), "prior": _ranks(0.125)} for depth in ("8", "9")},
    },
    "stack_size": {
        "stack": 2,
        "by_depth": {depth: {"equations": 9, "rows_in_use": 0.5 + int(depth) / 4} for depth in ("3", "4")},
    },
}


def every_study(folder: Path, registered: str | None = None) -> Path:
    """Write the folder. registered: a model of a user, in every study that lets its models be chosen."""
    planned = {name: _with_registered(runs, registered) if name not in FIXED else runs for name, runs in RUNS.items()}
    studies = {name: study(runs, runs if name in ANALYSES else (), f"Study {name}") for name, runs in planned.items()}
    write_plan(folder, studies)
    for name in dict.fromkeys(name for runs in planned.values() for name in runs):
        rows = [int(change.removeprefix("rows=")) for change in name.split("/")[3].split(",") if change.startswith("rows=")]
        write_run(folder, name, **{"rows": rows[0]} if rows else {})
    for name, content in ANALYSES.items():
        for run in planned[name]:
            write_analysis(folder, name, run, content)
    return folder


def _with_registered(runs: dict[str, str], registered: str | None) -> dict[str, str]:
    """Add a run of the registered model for each run of Tree-SMU."""
    names = {name.replace(f"/{SMU}/", f"/{registered}/"): variant for name, variant in runs.items() if f"/{SMU}/" in name}
    return runs | (names if registered else {})
