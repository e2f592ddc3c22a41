"""Search the settings of a model: the paper's grid, or TPE with pruning.

    OUT/sweep.json      what is searched, every trial so far, the best (report/sweep.py draws it)
    OUT/optuna.db       the trials as Optuna has them, unless another storage is given
    OUT/runs/VALUES     a run folder each; failed.log in it, if it failed
    OUT/best.toml       the settings of the best, for treesmu train

A trial's value is its best validation accuracy; the test equations are for the best trial alone, when all others are done.
A trial is trained from one rung of epochs to the next by jobs of the engine, here or on a cluster, and asked at each whether
it goes on. Several machines share a search by sharing a storage.
"""

from __future__ import annotations

import hashlib
import json
import socket
from pathlib import Path

from treesmu.data import DataError
from treesmu.engine import Executor
from treesmu.files import lock_folder
from treesmu.training.run_folder import RunFolder, run_identity
from treesmu.training.settings import TrainSettings

from .space import Parameter, Values, applied, grid, name_of
from .trial_runner import Listener, TrialRunner
from .trials import Trials, check_optuna, sqlite_url, storage_errors

SAMPLERS = ("grid", "tpe")
NEVER = ("model", "recipe", "epochs", "depths", "cell")  # to be searched: a search compares what is trained alike
PARTS = (8, 4, 2)  # of its epochs after which a trial may be pruned: an eighth, a quarter, a half
OWN_STORAGE = "optuna.db"


class Sweep:
    """A search in a folder. Whatever is wrong with what is given is a DataError of the constructor, which writes nothing.

    settings: what all trials have in common. trials: how many in all, with TPE. storage: an Optuna URL.
    """

    def __init__(
        self,
        corpus: Path,
        out: Path,
        settings: TrainSettings,
        space: list[Parameter],
        *,
        sampler: str = "grid",
        trials: int = 50,
        storage: str | None = None,
        resume: bool = False,
    ) -> None:
        from treesmu.training.training_data import check_corpus

        check_optuna()
        if sampler not in SAMPLERS:
            raise DataError(f"unknown sampler {sampler!r}; known: {', '.join(SAMPLERS)}")
        if unfit := [parameter.name for parameter in space if parameter.name in NEVER]:
            raise DataError(f"{unfit[0]}: the same for all trials, and cannot be searched")
        if len({parameter.name for parameter in space}) < len(space):
            raise DataError(f"each setting once: {', '.join(parameter.name for parameter in space)}")
        self.corpus, self.out, self.settings, self.space = corpus, out, settings, space
        self.points = grid(space) if sampler == "grid" else None
        self.wanted, self.storage = trials, storage
        self.summary = out / "sweep.json"
        told = [parameter.to_json() for parameter in space]
        self.request = {"sampler": sampler, "space": told, **run_identity(settings, corpus)}
        self.rungs = [settings.epochs] if self.points is not None else _rungs(settings.epochs)
        self._check_folder(resume)
        self._check_values()
        check_corpus(corpus, settings)  # or every trial would stumble over it

    def _check_folder(self, resume: bool) -> None:
        if self.summary.exists():
            if not resume:
                raise DataError(f"{self.out}: begun already; go on with --resume, or give a new folder")
            try:
                begun = json.loads(self.summary.read_text(encoding="utf-8"))["request"]
                changed = [name for name, value in self.request.items() if begun.get(name) != value]
            except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
                raise DataError(f"{self.summary}: cannot be read; give a new folder") from error
            if changed:
                other = "other settings" if changed[0] == "settings" else f"another {changed[0]}"
                raise DataError(f"{self.out}: begun with {other}; go on with the same, or give a new folder")
        elif self.out.exists() and not (self.out.is_dir() and all(resume and _is_ours(file) for file in self.out.iterdir())):
            raise DataError(f"{self.out}: there is something already; give a new folder")

    def _check_values(self) -> None:
        """A model can be made with each, the others being the first."""
        from treesmu.training.fresh_model import check_model

        first = {parameter.name: parameter.examples[0] for parameter in self.space}
        for parameter in self.space:
            for value in parameter.examples:
                check_model(self.settings_of(first | {parameter.name: value}))

    def settings_of(self, values: Values) -> TrainSettings:
        return TrainSettings.of(**applied(self.settings.model_dump(), values))

    def folder(self, values: Values) -> RunFolder:
        return RunFolder(self.out / "runs" / name_of(values))

    def run(self, executor: Executor, listen: Listener = lambda *_: None) -> list[str]:
        """Do what is not done yet; the names of the trials that failed."""
        trials = self._open_trials()
        RunFolder(self.out).create()
        with lock_folder(self.out), storage_errors(self._told_as, "lost; go on with --resume"):
            trials.take_back()
            search = TrialRunner(self, trials, executor, listen)
            search.note()
            listen("trials", {"all": trials.wanted, "ended": trials.ended()})
            search.all()
            search.test_best()
        return search.failed

    def _open_trials(self) -> Trials:
        """Of this very search: who asks for the same on another machine, with the same storage, takes part in it."""
        digest = hashlib.sha256(json.dumps(self.request, sort_keys=True).encode()).hexdigest()[:12]
        name = f"treesmu {self.settings.model} {digest}"
        asked = (self.space, self.points, self.wanted, self.settings.seed)
        if self.storage:
            return Trials(name, self.storage, *asked, who=f"{socket.gethostname()}:{self.out.resolve()}")
        RunFolder(self.out).create()
        return Trials(name, sqlite_url(self.out.resolve() / OWN_STORAGE), *asked, told_as=self._told_as)

    @property
    def _told_as(self) -> str:
        """What an error of the storage is about."""
        return "--storage" if self.storage else str(self.out / OWN_STORAGE)


def _is_ours(file: Path) -> bool:
    """Left by a search that was killed while it wrote down what to try."""
    return file.name.startswith(OWN_STORAGE) or file.suffix == ".part"


def _rungs(epochs: int) -> list[int]:
    """After so many epochs a trial that may be pruned is asked whether it goes on; the last one is its end."""
    return sorted({-(-epochs // part) for part in PARTS} | {epochs})
