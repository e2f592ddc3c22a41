"""A folder of ``treesmu reproduce`` with the study ``published``, without training: accuracies are given by test set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reproduced import run_name, study, write_analysis, write_plan, write_run
from treesmu.report.folder import Folder, StudyResults

EACH = 100  # equations of each depth and number of seen sides, in every test set
DEPTHS = range(1, 20)
CORPORA: dict[str, dict[str, Any]] = {
    "original": {"preset": "files", "files": ["equations.json"], "blank_files": []},
    "original-other": {"preset": "files", "test_files": ["other.json"], "blank_files": []},
    "gold": {"preset": "files", "blank_files": ["*_blank_*.json"]},
    "published": {"preset": "published", "seed": 1},
    "published-same": {"preset": "published", "seed": 2, "test_pools": "same"},
    "no-padding": {"preset": "published", "closed": ["padding"]},
    "no-noise": {"preset": "published", "closed": ["padding"], "labels": "checked"},
    "hard": {"preset": "hard"},
}
SETTINGS: dict[str, Any] = {
    "corpora": ["original", "published", "hard"],
    "pair": ["tree-lstm", "tree-smu"],
    "chain": ["published", "no-padding", "no-noise"],
    "tests": ["original", "original-other", "published-same", "published", "hard", "gold"],
    "same_way": {"original": "original", "published": "published-same"},
    "protocol": {"original": "original-other", "published": "published"},
}
FILES = ("original", "original-other", "gold")

Percents = dict[str, int]  # by test set: the share of right predictions


def counts(percent: int, seen: int = 0, labels: tuple[int, ...] = (1,)) -> dict[str, Any]:
    """Return the counts of a test set. seen: points more per side that is in the training set."""
    cells = [
        (d, label, sides, EACH, min(EACH, percent + seen * sides)) for d in DEPTHS for label in labels for sides in (0, 1, 2)
    ]
    names = ("depth", "label", "sides_seen", "equations", "right")
    columns = {name: [cell[k] for cell in cells] for k, name in enumerate(names)}
    return {**columns, "left_out": 0, "all": {str(d): EACH for d in DEPTHS}}


def analysis_of(percents: Percents, seen: int = 0) -> dict[str, Any]:
    """Return an analysis."""
    return {"tests": {test: counts(percent, seen, (0, 1) if test == "gold" else (1,)) for test, percent in percents.items()}}


def write_study(path: Path, analyses: dict[str, Any], without: tuple[str, ...] = (), **changes: Any) -> Path:
    """Write a folder with these analyses by name of run. without: corpora whose files are missing."""
    settings = {**SETTINGS, **changes}
    for key, value in settings.items():
        if isinstance(value, dict):
            settings[key] = {k: v for k, v in value.items() if k not in without and v not in without}
        else:
            settings[key] = [name for name in value if name not in without]
    plan = {**study(dict.fromkeys(analyses, ""), analyses), "settings": settings}
    corpora = {name: given for name, given in CORPORA.items() if name not in without}
    missing = {name: f"{name}.json was not given; name its folder with --files" for name in without}
    write_plan(path, {"published": plan}, corpora, missing=missing)
    for run, content in analyses.items():
        write_run(path, run)
        write_analysis(path, "published", run, content)
    return path


def results_of(path: Path, analyses: dict[str, Any], without: tuple[str, ...] = (), **changes: Any) -> StudyResults:
    """Return the results of a folder with these analyses."""
    found = Folder(write_study(path, analyses, without, **changes)).study("published")
    assert found is not None
    return found


def run_of(corpus: str, model: str, seed: int = 1) -> str:
    return run_name(corpus, model, "paper", seed)
