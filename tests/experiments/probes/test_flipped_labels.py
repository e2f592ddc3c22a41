"""Exceptions in a training set, and what a model predicts for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

from corpora import write_manifest, write_split
from treesmu.data import DataError, Dataset
from treesmu.experiments import jobs
from treesmu.experiments.probes import flipped_labels as exceptions
from treesmu.experiments.probes.flipped_labels import FlippedLabels, FlippedLabelsMonitor, summarise_recorded
from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer

ROWS = [  # the first ten have a sine as the argument of a cosine
    *((f"cos(sin(x)) + {i} = {i} + cos(sin(x))", 1, "rewrite") for i in range(1, 11)),
    *((f"sin(cos(x)) + {i} = {i} + sin(cos(x))", 1, "rewrite") for i in range(1, 11)),
    *((f"sin(x) + {i} = {i} + cos(x)", 0, "near-miss") for i in range(1, 11)),
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    for split in ("train", "validation", "test"):
        write_split(folder / f"{split}.parquet", ROWS)
    return write_manifest(folder)


@pytest.fixture(scope="module")
def altered(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("altered")
    FlippedLabels("cos", "sin", 0.4).write_corpus(corpus, folder)
    return folder


def test_a_share_of_the_equations_with_both_functions_gets_the_wrong_label(corpus: Path, altered: Path) -> None:
    before, after = Dataset.read(corpus, "train"), Dataset.read(altered, "train")
    changed = np.flatnonzero(before.label != after.label)
    assert len(changed) == 4  # of ten
    assert changed.max() < 10
    assert before.prefix.equals(after.prefix)
    table = pq.read_table(altered / exceptions.TABLE).to_pydict()
    assert table["row"] == list(range(10))
    assert np.flatnonzero(table["is_exception"]).tolist() == changed.tolist()


def test_nothing_else_changes_and_the_manifest_describes_the_exceptions(corpus: Path, altered: Path) -> None:
    for split in ("validation", "test"):
        assert (corpus / f"{split}.parquet").read_bytes() == (altered / f"{split}.parquet").read_bytes()
    manifest, before = (json.loads((folder / "manifest.json").read_text()) for folder in (altered, corpus))
    assert manifest["exceptions"] == {"outer": "cos", "inner": "sin", "share": 0.4, "depths": [1, 7]}
    assert set(manifest["files"]) == {*before["files"], exceptions.TABLE}
    assert manifest["files"]["train.parquet"]["sha256"] != before["files"]["train.parquet"]["sha256"]
    assert manifest["files"]["test.parquet"]["sha256"] == before["files"]["test.parquet"]["sha256"]


def test_only_equations_that_are_trained_on_become_exceptions(corpus: Path, tmp_path: Path) -> None:
    FlippedLabels("cos", "sin", 1.0, depths=(1, 3)).write_corpus(corpus, tmp_path)
    assert (Dataset.read(corpus, "train").label == Dataset.read(tmp_path, "train").label).all()  # all are deeper


def test_an_unknown_function_is_an_error(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="exceptions: unknown function 'sine'; known: "):
        FlippedLabels("cos", "sine", 0.5).write_corpus(corpus, tmp_path)


class Stubborn(torch.nn.Module):
    """A head that calls every equation correct."""

    def forward(self, left: torch.Tensor, _right: torch.Tensor) -> torch.Tensor:
        return torch.ones(len(left))


def trainer(altered: Path, out: Path, **changes: Any) -> Trainer:
    return Trainer(altered, out, TrainSettings(epochs=3, cell={"hidden": 4}, **changes), resume=True)


def test_the_monitor_counts_predictions_that_follow_the_rule(altered: Path, tmp_path: Path) -> None:
    """All ten equations with both functions are correct: a model that calls everything correct always overgeneralises."""
    (tmp_path / "run").mkdir()
    mine = trainer(altered, tmp_path / "run")
    mine.model.head = Stubborn()
    monitor = FlippedLabelsMonitor(mine, altered)
    monitor.record()
    expected = {"epoch": 1, "exceptions": 4, "others": 6, "overgeneralisation": 1.0, "others_right": 1.0}
    assert monitor.lines == [expected]
    assert json.loads((tmp_path / "run" / exceptions.RECORDED).read_text()) == expected


def test_a_monitored_run_has_predictions_of_every_epoch(altered: Path, tmp_path: Path) -> None:
    settings = TrainSettings(epochs=3, cell={"hidden": 4}).model_dump(mode="json")
    jobs.train(altered, tmp_path / "run", settings)
    found = summarise_recorded(tmp_path / "run")
    assert [row["epoch"] for row in found["epochs"]] == [1, 2, 3]
    assert (found["exceptions"], found["others"]) == (4, 6)


def test_predictions_that_a_kill_has_cost_are_made_on_resuming(altered: Path, tmp_path: Path) -> None:
    """Killed after an epoch's checkpoint and before its predictions."""
    settings = TrainSettings(epochs=3, cell={"hidden": 4})
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    jobs.train(altered, whole, settings.model_dump(mode="json"))

    class KilledError(Exception):
        pass

    def stop(kind: str, facts: dict[str, Any]) -> None:
        if kind == "epoch" and facts["epoch"] == 2:
            raise KilledError

    with pytest.raises(KilledError):
        Trainer(altered, killed, settings, callback=stop).run()
    lines = (whole / exceptions.RECORDED).read_text().splitlines(keepends=True)
    (killed / exceptions.RECORDED).write_text(lines[0])
    jobs.train(altered, killed, settings.model_dump(mode="json"))
    assert (killed / exceptions.RECORDED).read_bytes() == (whole / exceptions.RECORDED).read_bytes()


def test_predictions_of_epochs_that_are_trained_again_are_made_again(altered: Path, tmp_path: Path) -> None:
    """A run that lost its checkpoint starts again, and has no more epochs than others in the end."""
    settings = TrainSettings(epochs=3, cell={"hidden": 4}).model_dump(mode="json")
    jobs.train(altered, tmp_path, settings)
    first = (tmp_path / exceptions.RECORDED).read_bytes()
    for lost in ("resume.safetensors", "test.json"):
        (tmp_path / lost).unlink()
    jobs.train(altered, tmp_path, settings)
    assert (tmp_path / exceptions.RECORDED).read_bytes() == first


def write_recorded(folder: Path, shares: list[float]) -> dict[str, Any]:
    lines = [
        {"epoch": i, "exceptions": 4, "others": 6, "overgeneralisation": share, "others_right": 0.5}
        for i, share in enumerate(shares, 1)
    ]
    (folder / exceptions.RECORDED).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return summarise_recorded(folder)


@pytest.mark.parametrize(
    ("shares", "peak", "peak_epoch", "overridden"),
    [
        ([0.25, 0.75, 0.5, 0.25, 0.0], 0.75, 2, 4),
        ([0.25, 0.25], 0.25, 1, 1),
        ([0.25, 0.75, 0.25, 0.5], 0.75, 2, None),
    ],
)
def test_the_peak_and_the_end_of_overgeneralisation(
    tmp_path: Path, shares: list[float], peak: float, peak_epoch: int, overridden: int | None
) -> None:
    found = write_recorded(tmp_path, shares)
    assert (found["peak"], found["peak_epoch"], found["overridden_epoch"]) == (peak, peak_epoch, overridden)


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"epoch": "1"}', "[" * 100_000], ids=lambda text: text[:9])
def test_damaged_predictions_are_named(tmp_path: Path, content: str) -> None:
    (tmp_path / exceptions.RECORDED).write_text(content)
    with pytest.raises(DataError, match=rf"exceptions\.jsonl.*: damaged, .*; remove {tmp_path} and continue with --resume"):
        summarise_recorded(tmp_path)
