"""Sweep: search the settings of a model, over the paper's grid or by TPE with pruning.

    OUT/sweep.json      what is searched, every trial so far, the best (report/sweep.py draws it)
    OUT/optuna.db       the trials as Optuna stores them, unless another storage is given
    OUT/runs/VALUES     one run folder per trial; failed.log in it, if the trial failed
    OUT/best.toml       the settings of the best trial, for treesmu train

The value of a trial is its best validation accuracy, or R² for the task regress. Only the best trial is tested, after all
others have finished. Jobs train a trial from one rung of epochs to the next; at each rung it is decided whether the trial
continues. Several machines share a sweep by sharing a storage.
"""

from __future__ import annotations

import hashlib
import json
import socket
from pathlib import Path

from treesmu.engine import Executor
from treesmu.files import lock_folder, remove_unfinished
from treesmu.training.run_folder import RunFolder
from treesmu.training.settings import TrainSettings

from ..jobs import check_models
from .space import Parameter
from .sweep_plan import STORAGE_FILE, SweepPlan
from .trial_runner import Callback, TrialRunner
from .trials import URL_OPTION, Trials, check_sqlite, sqlite_url, storage_errors


class Sweep:
    """A sweep in a folder. Invalid arguments are a DataError of the constructor, which writes nothing.

    settings: what all trials share. trials: how many in all, with TPE. storage: an Optuna URL. device: on which models are
    trained, ``auto | cpu | cuda | mps``.
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
        device: str = "cpu",
    ) -> None:
        self.plan = SweepPlan(corpus, out, settings, space, sampler)
        self.trials, self.storage, self.device = trials, storage, device
        self.plan.check(resume)

    def run(self, executor: Executor, callback: Callback = lambda *_: None) -> list[str]:
        """Run the trials that have not finished yet, and return the names of those that failed.

        The callback is called with ``trials`` at the start, ``trial`` as one ends, and ``best`` at the end.
        """
        out = self.plan.out
        check_models(executor, [self.plan.settings.model])
        shared = self._open_trials() if self.storage else None  # a bad address is refused before anything is written
        RunFolder(out).create()
        fault = "connection lost" if self.storage else "cannot be used"
        with lock_folder(out), storage_errors(self._storage_name, f"{fault}; continue with --resume"):
            self.plan.check_folder(resume=True)  # again: another process may have begun a sweep meanwhile
            remove_unfinished(out)
            trials = self._open_trials() if shared is None else shared
            trials.requeue_unfinished()
            runner = TrialRunner(self.plan, trials, executor, callback, self.device)
            runner.summary.write()
            callback("trials", {"all": trials.wanted, "ended": trials.finished()})
            runner.run_all()
            runner.test_best()
        return runner.failed

    def _open_trials(self) -> Trials:
        """Open the trials of this sweep in the storage."""
        plan = self.plan
        digest = hashlib.sha256(json.dumps(plan.request, sort_keys=True).encode()).hexdigest()[:12]
        name = f"treesmu {plan.settings.model} {digest}"
        arguments = (plan.space, plan.points, self.trials, plan.settings.seed)
        if self.storage:
            return Trials(name, self.storage, *arguments, owner=f"{socket.gethostname()}:{plan.out.resolve()}")
        check_sqlite(plan.out / STORAGE_FILE)
        return Trials(name, sqlite_url(plan.out.resolve() / STORAGE_FILE), *arguments, storage_name=self._storage_name)

    @property
    def _storage_name(self) -> str:
        """What an error of the storage calls it."""
        return URL_OPTION if self.storage else str(self.plan.out / STORAGE_FILE)
