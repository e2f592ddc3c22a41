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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..config import TrainSettings
from ..data import DataError
from ..data.files import alone_in, replacing, write_json
from ..engine import Done, Jobs, Place
from ..runfolder import RunFolder, identity
from .jobs import files_of, train, train_until, write_files
from .space import Parameter, Values, applied, grid, name_of
from .trials import Trials, check_optuna, storage_errors

if TYPE_CHECKING:
    from optuna.trial import Trial

SAMPLERS = ("grid", "tpe")
NEVER = ("model", "recipe", "epochs", "depths", "cell")  # to be searched: a search compares what is trained alike
PARTS = (8, 4, 2)  # of its epochs after which a trial may be pruned: an eighth, a quarter, a half
OWN_STORAGE = "optuna.db"
Listener = Callable[[str, dict[str, Any]], None]  # called with "trials" once, "trial" as one ends, "best" at the end


@dataclass
class _Attempt:
    """Values that are being tried, by one trial or by several that chose the same."""

    values: Values
    trials: list[Trial]
    rungs: list[int]  # epochs still to be come to

    @property
    def name(self) -> str:
        return name_of(self.values)


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
        self.request = {"sampler": sampler, "space": told, **identity(settings, corpus)}
        self.rungs = [settings.epochs] if self.points is not None else _rungs(settings.epochs)
        self._check_folder(resume)
        self._check_values()

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
        from ..train import fresh_model

        first = {parameter.name: parameter.examples[0] for parameter in self.space}
        for parameter in self.space:
            for value in parameter.examples:
                fresh_model(self.settings_of(first | {parameter.name: value}))

    def settings_of(self, values: Values) -> TrainSettings:
        return TrainSettings.of(**applied(self.settings.model_dump(), values))

    def folder(self, values: Values) -> RunFolder:
        return RunFolder(self.out / "runs" / name_of(values))

    def run(self, place: Place, listen: Listener = lambda *_: None) -> list[str]:
        """Do what is not done yet; the names of the trials that failed."""
        trials = self._open_trials()
        RunFolder(self.out).make()
        with alone_in(self.out), storage_errors("lost; go on with --resume"):
            trials.take_back()
            search = _Search(self, trials, place, listen)
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
        RunFolder(self.out).make()
        return Trials(name, f"sqlite:///{self.out.resolve() / OWN_STORAGE}", *asked)


class _Search:
    """Jobs are handed out, and their outcome is put where it belongs."""

    def __init__(self, sweep: Sweep, trials: Trials, place: Place, listen: Listener) -> None:
        self.own, self.trials, self.place, self.listen = sweep, trials, place, listen
        self.corpus = sweep.corpus if place.shares_files else place.share(files_of(sweep.corpus))
        self.under_way: dict[int, _Attempt] = {}  # by the number of the job
        self.failed: list[str] = []

    def all(self) -> None:
        """Try until nothing is left to be tried."""
        with Jobs(self.place, train_until) as jobs:
            while True:
                while not jobs.is_full and (attempt := self._next()):
                    self._climb(jobs, attempt, self._known(attempt))
                if not jobs:
                    return
                for done in jobs.ended():
                    self._ended(jobs, self.under_way.pop(done.number), done)

    def _next(self) -> _Attempt | None:
        """What to try; a trial that chose what is being tried already shares it."""
        while asked := self.trials.ask():
            trial, values = asked
            same = [attempt for attempt in self.under_way.values() if attempt.values == values]
            if not same:
                return _Attempt(values, [trial], list(self.own.rungs))
            same[0].trials.append(trial)
        return None

    def _known(self, attempt: _Attempt) -> list[float]:
        """The validation accuracy of each epoch that was trained before, by an earlier call or for an equal trial."""
        file = self.own.folder(attempt.values).metrics
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [json.loads(line)["validation_accuracy"] for line in lines]

    def _climb(self, jobs: Jobs, attempt: _Attempt, accuracies: list[float], is_over: bool = False) -> None:
        """Past the rungs that it has come to, then on the way to the next. is_over: its patience has ended."""
        while attempt.trials and (is_over or len(accuracies) >= attempt.rungs[0]):
            epoch = min(attempt.rungs.pop(0), len(accuracies))
            best = max(accuracies[:epoch])
            is_last = is_over or not attempt.rungs
            for trial in list(attempt.trials):
                if is_last:
                    self.trials.complete(trial, epoch, best)
                if is_last or not self.trials.goes_on(trial, epoch, best):
                    attempt.trials.remove(trial)
                    self._tell(attempt, {"validation": best, "epochs": epoch, "is_pruned": not is_last})
        if attempt.trials:
            path = self.own.folder(attempt.values).path
            (path / "failed.log").unlink(missing_ok=True)  # of the last time
            folder = path if self.place.shares_files else files_of(path)
            settings = self.own.settings_of(attempt.values).model_dump(mode="json")
            self.under_way[jobs.begin(self.corpus, folder, settings, attempt.rungs[0])] = attempt

    def _ended(self, jobs: Jobs, attempt: _Attempt, done: Done) -> None:
        folder = self.own.folder(attempt.values)
        if done.error is None:
            accuracies, files = done.result
            write_files(files, folder.path, last=folder.state.name)
            self._climb(jobs, attempt, accuracies, is_over=len(accuracies) < attempt.rungs[0])
            return
        for trial in attempt.trials:
            self.trials.fail(trial)
        folder.make()
        (folder.path / "failed.log").write_text(f"{done.error}\n\n{done.log}\n", encoding="utf-8")
        self.failed.append(attempt.name)
        self._tell(attempt, {"error": done.error, "log": done.log})

    def _tell(self, attempt: _Attempt, facts: dict[str, Any]) -> None:
        self.note()
        self.listen("trial", {"name": attempt.name, "error": None, "log": "", **facts})

    # -- what is left ----------------------------------------------------------------------------------------------------

    def best(self) -> Values | None:
        """Of the trials that were trained to their end; the earliest of equals."""
        complete = [trial for trial in self.trials.listed() if trial["state"] == "complete"]
        found = max(complete, key=lambda trial: (trial["validation_accuracy"], -trial["number"]), default=None)
        return found and found["values"]

    def note(self) -> None:
        """sweep.json and best.toml, as things stand."""
        best = self.best()
        content = {
            "version": __version__,
            "request": self.own.request,
            "wanted": self.trials.wanted,
            "trials": [trial | self._facts(trial["values"], best) for trial in self.trials.listed()],
            "best": best and name_of(best),
        }
        write_json(self.own.summary, content)
        if best:
            with replacing(self.own.out / "best.toml") as temporary:
                temporary.write_text(self._toml(best), encoding="utf-8")

    def _facts(self, values: Values, best: Values | None) -> dict[str, Any]:
        """What its folder tells, where it is one of ours: a shared storage has trials of others.

        The test of what was the best, until a search for more trials found a better, is no longer told.
        """
        folder = self.own.folder(values)
        parameters = folder.stored().get("parameters") if folder.settings.exists() else None
        is_tested = values == best and folder.test.exists()
        tested = json.loads(folder.test.read_text(encoding="utf-8")) if is_tested else None
        return {"parameters": parameters, "test_accuracy": tested and tested["overall"]["accuracy"]}

    def test_best(self) -> None:
        """If it was trained here."""
        best = self.best()
        if best is None:
            return
        folder = self.own.folder(best)
        if folder.settings.exists() and not folder.test.exists():
            there = folder.path if self.place.shares_files else files_of(folder.path)
            settings = self.own.settings_of(best).model_dump(mode="json")
            for done in self.place.as_done(train, [(self.corpus, there, settings)]):
                if done.error is not None:
                    self.failed.append(f"test of {name_of(best)}: {done.error}")
                    return
                write_files(done.result[1], folder.path, last=folder.test.name)
            self.note()
        accuracy = max(trial["validation_accuracy"] for trial in self.trials.listed() if trial["values"] == best)
        self.listen("best", {"name": name_of(best), "validation_accuracy": accuracy, **self._facts(best, best)})

    def _toml(self, values: Values) -> str:
        settings = self.own.settings_of(values).model_dump(mode="json", exclude_none=True)
        cell = settings.pop("cell")
        lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
        lines += ["", "[cell]", *(f"{name} = {json.dumps(value)}" for name, value in cell.items())]
        return "\n".join(["# treesmu train CORPUS --config best.toml --out RUN", *lines, ""])


def _is_ours(file: Path) -> bool:
    """Left by a search that was killed while it wrote down what to try."""
    return file.name.startswith(OWN_STORAGE) or file.suffix == ".part"


def _rungs(epochs: int) -> list[int]:
    """After so many epochs a trial that may be pruned is asked whether it goes on; the last one is its end."""
    return sorted({-(-epochs // part) for part in PARTS} | {epochs})
