"""SweepPlan: what a sweep searches, in which folder, and the check that every trial is possible."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from treesmu.data import DataError
from treesmu.json_files import read_json
from treesmu.task_names import Measure, measure_of
from treesmu.training.run_folder import RunFolder, run_identity
from treesmu.training.settings import TrainSettings

from .space import Parameter, Values, apply_values, grid, values_name

SAMPLERS = ("grid", "tpe")
FIXED = ("model", "recipe", "epochs", "depths", "cell")  # not to be searched: a sweep compares what is trained alike
PRUNING_FRACTIONS = (8, 4, 2)  # a trial may be pruned after an eighth, a quarter and a half of its epochs
STORAGE_FILE = "optuna.db"


class SweepPlan:
    """A search space, the settings that all trials share, and the sweep's folder. Invalid ones are a DataError.

    ``points``: the values of every trial of a grid; None with TPE. ``rungs``: epochs after which a trial is compared with
    the others, the last one being its end.
    """

    def __init__(self, corpus: Path, out: Path, settings: TrainSettings, space: list[Parameter], sampler: str) -> None:
        if sampler not in SAMPLERS:
            raise DataError(f"unknown sampler {sampler!r}; known: {', '.join(SAMPLERS)}")
        if fixed := [parameter.name for parameter in space if parameter.name in FIXED]:
            raise DataError(f"{fixed[0]} is the same for all trials and cannot be searched")
        if len({parameter.name for parameter in space}) < len(space):
            raise DataError(f"a setting is given more than once: {', '.join(parameter.name for parameter in space)}")
        self.corpus, self.out, self.settings, self.space = corpus, out, settings, space
        self.points = grid(space) if sampler == "grid" else None
        self.rungs = [settings.epochs] if self.points is not None else _rungs(settings.epochs)
        self.summary_file = out / "sweep.json"
        # What identifies the sweep: machines that ask for the same take part in the same one.
        parameters = [parameter.to_json() for parameter in space]
        self.request = {"sampler": sampler, "space": parameters, **self._identity()}

    def _identity(self) -> dict[str, Any]:
        """Return what identifies the trials' data and settings; trees that do not fit the task are a DataError."""
        if self.settings.task == "verify":
            return run_identity(self.settings, self.corpus)
        from treesmu.training.run_tasks import open_task  # loads PyTorch

        return open_task(self.corpus, self.settings).identity

    @property
    def measure(self) -> Measure:
        """What the trials are compared by."""
        return measure_of(self.settings.task)

    def settings_of(self, values: Values) -> TrainSettings:
        """Return the settings of the trial with these values."""
        return TrainSettings.of(**apply_values(self.settings.model_dump(), values))

    def run_folder(self, values: Values) -> RunFolder:
        """Return the run folder of the trial with these values."""
        return RunFolder(self.out / "runs" / values_name(values))

    def check(self, resume: bool) -> None:
        """Raise a DataError if the folder is taken, or if a trial could not be trained. Writes nothing."""
        from treesmu.training.training_data import check_corpus

        self.check_folder(resume)
        self._check_values()
        if self.settings.task == "verify":
            check_corpus(self.corpus, self.settings)  # otherwise every trial would fail

    def check_folder(self, resume: bool) -> None:
        """Raise a DataError if the folder contains anything but this sweep, or a sweep that is not to be resumed."""
        if self.summary_file.exists():
            if not resume:
                raise DataError(f"{self.out}: already contains a sweep; continue it with --resume, or give a new folder")
            stored = read_json(self.summary_file, "give a new folder").get("request")
            if not isinstance(stored, dict):
                raise DataError(f"{self.summary_file}: not the summary of a sweep; give a new folder")
            if "code" not in stored:  # as in sweeps of built-in models, and in those of older versions
                self.request.pop("code", None)
            if changed := [name for name, value in self.request.items() if stored.get(name) != value]:
                other = f"other {changed[0]}" if changed[0] in ("settings", "code") else f"another {changed[0]}"
                raise DataError(f"{self.out}: contains a sweep with {other}; continue it with the same, or give a new folder")
        elif self.out.exists() and not (self.out.is_dir() and all(resume and _is_left_over(f) for f in self.out.iterdir())):
            raise DataError(f"{self.out}: exists and contains something else; give a new folder")

    def _check_values(self) -> None:
        """Check that a model can be made with each value, the other parameters having their first value."""
        from treesmu.training.fresh_model import check_model

        first = {parameter.name: parameter.examples[0] for parameter in self.space}
        for parameter in self.space:
            for value in parameter.examples:
                check_model(self.settings_of(first | {parameter.name: value}))


def _is_left_over(file: Path) -> bool:
    """Return whether a sweep that was killed before it wrote its summary has left this file."""
    return file.name.startswith(STORAGE_FILE) or file.suffix == ".part"


def _rungs(epochs: int) -> list[int]:
    return sorted({-(-epochs // fraction) for fraction in PRUNING_FRACTIONS} | {epochs})
