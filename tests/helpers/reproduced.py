"""A folder of ``treesmu reproduce`` without training: plausible numbers, computed from the names of the runs."""

from __future__ import annotations

import itertools
import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

EACH = 40  # number of test equations per depth, half of them correct
CELLS = ("tree-rnn", "tree-lstm", "tree-smu")


def run_name(corpus: str, model: str, recipe: str, seed: int, depths: str = "1-7") -> str:
    return f"{corpus}/depth-{depths}/{model}/{recipe}/seed-{seed}"


def main_runs(seeds: Iterable[int] = (1, 2, 3), models: tuple[str, ...] = ("majority", "lstm", *CELLS)) -> dict[str, str]:
    """Return the runs of the study of productivity: both corpora, both recipes."""
    return {
        run_name(corpus, model, recipe, seed): ""
        for seed in seeds
        for corpus in ("paper", "hard")
        for recipe in ("paper", "treesmu")
        for model in models
        if recipe == "paper" or model in CELLS
    }


def study(runs: dict[str, str], analyses: Iterable[str] = (), title: str = "A study") -> dict[str, Any]:
    return {"title": title, "asks": "Is it *so*?\n\nTrained on ``x``.", "runs": runs, "analyses": list(analyses)}


CORPORA = {"paper": {"preset": "paper", "seed": 1}, "hard": {"preset": "hard", "seed": 1}}


def write_plan(folder: Path, studies: dict[str, dict[str, Any]], corpora: dict[str, Any] = CORPORA, **more: Any) -> Path:
    machine = {"system": "Linux", "processor": "An 8086", "cores": 2, "python": "3.11"}
    plan = {
        "version": "0.1.0",
        "name": "small",
        "begun": "2020-01-01T00:00:00+00:00",
        "machines": [machine],
        "preset": {"corpora": corpora, "training": {}, "studies": {}},
        "studies": studies,
        **more,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plan.json").write_text(json.dumps(plan))
    return folder


def write_run(folder: Path, name: str, **settings: Any) -> None:
    """Write a finished run. settings: of training, in addition to those in its name."""
    corpus, depths, model, recipe, seed = name.split("/")
    path = folder / "runs" / name
    path.mkdir(parents=True)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    own = {
        "model": model,
        "recipe": recipe.partition(",")[0],
        "cell": {},
        "seed": int(seed[5:]),
        "depths": depths[6:],
        "batch": 32,
        "epochs": 3,
    }
    files = {
        f"{split}.parquet": {"rows": 100, "bytes": 1, "sha256": f"{zlib.crc32(corpus.encode()):064x}"}
        for split in ("train", "test")
    }
    facts = {
        "treesmu": "0.1.0",
        "torch": "2.13.0",
        "parameters": 1234,
        "cell": {"hidden": 50},
        "rows": settings.get("rows", 80),
    }
    _write(path / "settings.json", {"settings": own | settings, "corpus": files, **facts})
    by_depth = {str(depth): measures(rng, 0.9 - 0.02 * depth) for depth in range(1, 20)}
    _write(
        path / "test.json",
        {"overall": measures(rng, 0.7), "by_depth": by_depth, "train": measures(rng, 0.95), "validation": measures(rng, 0.9)},
    )
    write_epochs(folder, name, rng.uniform(0.5, 0.9, settings.get("epochs", 3)).tolist(), rng.integers(1, 9, 3).tolist())


def write_epochs(folder: Path, name: str, validation: list[float], seconds: Iterable[float] = (1.0,)) -> None:
    """Write metrics.jsonl with the validation accuracy of each epoch; seconds are repeated if there are fewer."""
    found = zip(validation, itertools.cycle(seconds), strict=False)
    lines = [{"epoch": k + 1, "validation_accuracy": v, "seconds": float(s)} for k, (v, s) in enumerate(found)]
    (folder / "runs" / name / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def write_outcome(folder: Path, name: str, right: dict[int, int], correct: int, each: int) -> None:
    """Write test.json. right: by depth, how many of the equations are judged right; correct: how many of each are correct."""
    positives = {depth: round(many * correct / each) for depth, many in right.items()}
    write_test(
        folder,
        name,
        {depth: measures_of_counts(each, correct, positives[depth], many - positives[depth]) for depth, many in right.items()},
    )


def write_test(folder: Path, name: str, by_depth: dict[int, dict[str, Any]]) -> None:
    splits = dict.fromkeys(("overall", "train", "validation"), measures_of_counts(2, 1, 1, 1))
    _write(
        folder / "runs" / name / "test.json", {**splits, "by_depth": {str(depth): found for depth, found in by_depth.items()}}
    )


def write_validation(folder: Path, name: str, accuracy: float) -> None:
    """Set the accuracy on validation equations in test.json."""
    path = folder / "runs" / name / "test.json"
    content = json.loads(path.read_text())
    _write(path, content | {"validation": content["validation"] | {"accuracy": accuracy}})


def measures(rng: np.random.Generator, share: float) -> dict[str, Any]:
    """Return measures as tasks.measures does."""
    correct = EACH // 2
    return measures_of_counts(EACH, correct, *(int(rng.binomial(correct, share)) for _ in range(2)))


def measures_of_counts(equations: int, correct: int, true_positives: int, true_negatives: int) -> dict[str, Any]:
    called_correct = true_positives + equations - correct - true_negatives
    return {
        "equations": equations,
        "correct": correct,
        "called_correct": called_correct,
        "accuracy": (true_positives + true_negatives) / equations,
        "precision": true_positives / called_correct if called_correct else None,
        "recall": true_positives / correct if correct else None,
    }


def write_analysis(folder: Path, name: str, run: str, content: Any) -> None:
    path = folder / "analyses" / name / f"{run}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, content)


def small_folder(folder: Path) -> Path:
    """Write a folder with the study of productivity, three seeds, and nothing else."""
    runs = main_runs()
    write_plan(folder, {"productivity": study(runs, title="Productivity and systematicity")})
    for name in runs:
        write_run(folder, name)
    return folder


def _write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content))


# -- what a report should show --------------------------------------------------------------------------------------------


def outcomes(folder: Path, corpus: str, model: str, recipe: str, seeds: tuple[int, ...]) -> list[Any]:
    """Return the contents of test.json of each seed."""
    names = [run_name(corpus, model, recipe, seed) for seed in seeds]
    return [json.loads((folder / "runs" / name / "test.json").read_text()) for name in names]


def pooled_accuracies(tests: list[Any], low: int, high: int) -> list[float]:
    """Return the accuracy over these depths in per cent for each seed; all depths have equally many equations."""
    return [100 * fmean(test["by_depth"][str(depth)]["accuracy"] for depth in range(low, high + 1)) for test in tests]


def shown(values: list[float]) -> str:
    """Return mean and deviation as a report shows them."""
    return f"{fmean(values):.1f} ± {stdev(values):.1f}"
