"""Sweeps that are done in a moment, with training or with prescribed accuracies in place of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from treesmu.engine import Executor
from treesmu.engine.in_process import InProcess
from treesmu.experiments.tuning.space import Parameter, values_name
from treesmu.experiments.tuning.sweep import Sweep
from treesmu.training import checkpoint
from treesmu.training.checkpoint import TrainingProgress
from treesmu.training.settings import TrainSettings

SPACE = ("cell.hidden=3,5", "head=dot,distance")
NAMES = ["hidden=3,head=dot", "hidden=3,head=distance", "hidden=5,head=dot", "hidden=5,head=distance"]
COMMON = ("epochs=3", "batch=20", "learning_rate=0.02")
# A program that takes the arguments of treesmu.
KILLED_WITHIN_THE_SECOND_TRIAL = """if True:
    import os, signal
    from treesmu.cli import main
    from treesmu.training.run_folder import RunFolder
    write, folders = RunFolder.write_metrics, set()
    def write_and_die(folder, lines):
        write(folder, lines)
        folders.add(folder.path)
        if len(folders) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
    RunFolder.write_metrics = write_and_die
    main()
"""
Events = list[tuple[str, dict[str, Any]]]


def small_settings(**given: Any) -> TrainSettings:
    """Return settings of a training that takes a moment."""
    return TrainSettings.of(**{"model": "tree-rnn", "epochs": 3, "batch": 20, "learning_rate": 0.02, **given})


def run_sweep(
    corpus: Path, out: Path, *space: str, settings: TrainSettings | None = None, executor: Executor | None = None, **how: Any
) -> tuple[list[str], Events]:
    """Run a sweep, by default in this process; return the names of the trials that failed, and the events."""
    events: Events = []
    sweep = Sweep(corpus, out, settings or small_settings(), [Parameter.read(text) for text in space or SPACE], **how)
    return sweep.run(executor or InProcess(), lambda *facts: events.append(facts)), events


def summary_of(out: Path) -> dict[str, Any]:
    """Return the content of sweep.json."""
    content: dict[str, Any] = json.loads((out / "sweep.json").read_text())
    return content


def names_of_trials(out: Path) -> list[str]:
    """Return the names of the finished trials."""
    return [values_name(trial["values"]) for trial in summary_of(out)["trials"]]


def command(corpus: Path, out: Path, space: Sequence[str], *options: str) -> list[str]:
    """Return the arguments of ``python`` for the same sweep as :func:`run_sweep`."""
    settings = [part for text in COMMON for part in ("--set", text)]
    over = [part for text in space for part in ("--over", text)]
    return ["-m", "treesmu", "sweep", str(corpus), "--out", str(out), "--model", "tree-rnn", *settings, *over, *options]


class ScriptedTraining:
    """In place of training: each trial has prescribed accuracies, epoch by epoch. Records how it was called."""

    def __init__(self, outcome: Callable[[int, dict[str, Any]], list[float]]) -> None:
        self.outcome = outcome  # the accuracies, given how many trainings were begun before and the settings
        self.calls: list[tuple[str, int]] = []
        self.begun: dict[str, list[float]] = {}

    def __call__(
        self, _: Path, folder: Path, settings: dict[str, Any], epoch: int, device: str
    ) -> tuple[list[float], dict[str, bytes]]:
        assert device == "cpu"
        self.calls.append((folder.name, epoch))
        if folder.name not in self.begun:
            self.begun[folder.name] = []
            self.begun[folder.name] = self.outcome(len(self.begun) - 1, settings)
        accuracies = self.begun[folder.name][:epoch]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "metrics.jsonl").write_text("".join(f'{{"validation_accuracy": {x}}}\n' for x in accuracies))
        weights = torch.nn.Linear(1, 1)
        progress = TrainingProgress(epoch=len(accuracies))
        checkpoint.write(folder / "resume.safetensors", progress, weights, torch.optim.Adam(weights.parameters()))
        return accuracies, {}


ScriptTraining = Callable[..., ScriptedTraining]  # the fixture that puts a ScriptedTraining in place of training


class Elsewhere(InProcess):
    """An executor that shares no files, has capacity for two jobs, and finishes the last one first."""

    shares_files = False

    def _capacity(self) -> int:
        return 2

    def _wait(self, jobs: list[Any]) -> list[Any]:
        return jobs[-1:]
