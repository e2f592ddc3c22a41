"""Small training runs, and how two of them are compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from treesmu.training.batches import TrainingBatch
from treesmu.training.settings import RECIPES, TrainSettings
from treesmu.training.trainer import Trainer

FILES = {
    "settings.json", "metrics.jsonl", "model.safetensors", "last.safetensors", "resume.safetensors", "test.json",
    "predictions.parquet",
}  # fmt: skip
TIMES = ("seconds", "equations_per_second", "nodes_per_second")


def small(recipe: str = "paper", **given: Any) -> TrainSettings:
    few: dict[str, Any] = {"epochs": 2, "batch": 20, "pairs": 40, "cell": {"hidden": 6}}
    few |= {"substitutes": 300} if "substitutes" in RECIPES[recipe] else {}
    return TrainSettings.of(**{"recipe": recipe, **few, **given})


def run(corpus: Path, out: Path, settings: TrainSettings, **how: Any) -> Trainer:
    trainer = Trainer(corpus, out, settings, **how)
    trainer.run()
    return trainer


def settings_of(run: Path) -> dict[str, Any]:
    """Return the settings in settings.json."""
    found: dict[str, Any] = json.loads((run / "settings.json").read_text())["settings"]
    return found


def metrics(out: Path) -> list[dict[str, Any]]:
    """Return the lines of metrics.jsonl without their times."""
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key not in TIMES} for line in lines]


def assert_same_run(one: Path, other: Path) -> None:
    for name in ("model.safetensors", "last.safetensors", "settings.json", "test.json", "predictions.parquet"):
        assert (one / name).read_bytes() == (other / name).read_bytes(), name
    assert metrics(one) == metrics(other)


def first_batch(corpus: Path, tmp_path: Path, settings: TrainSettings) -> tuple[Trainer, TrainingBatch]:
    """Return a trainer and its first batch."""
    trainer = Trainer(corpus, tmp_path / "run", settings)
    return trainer, trainer.batches.prepare(0, 0, trainer.batches.rows(0)[0])


RUNS = {
    "paper": small(),
    "dropout": small(cell={"hidden": 6, "dropout": 0.3}),
    "treesmu-1": small("treesmu-1"),
    "treesmu-symbols": small("treesmu-symbols", warmup=3, average=0.8),
    "treesmu": small("treesmu", warmup=3, points=3, ranking=1.0),
    "transformer": small(model="transformer", cell={"hidden": 5, "dropout": 0.2}, rename=True),
}
