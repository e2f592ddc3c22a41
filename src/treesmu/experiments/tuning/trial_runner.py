"""The work of a sweep: trials become jobs of the engine, from one rung of epochs to the next; what is found is written down."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treesmu import __version__
from treesmu.engine import Done, Executor, Jobs
from treesmu.files import atomic_write, write_json

from ..jobs import files_of, train, train_until, write_files
from .space import Values, name_of
from .trials import Trials

if TYPE_CHECKING:
    from optuna.trial import Trial

    from .sweep import Sweep

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


class TrialRunner:
    """Of a sweep whose trials are open: jobs are handed out, and their outcome is put where it belongs."""

    def __init__(self, sweep: Sweep, trials: Trials, executor: Executor, listen: Listener) -> None:
        self.own, self.trials, self.executor, self.listen = sweep, trials, executor, listen
        self.corpus = sweep.corpus if executor.shares_files else executor.share(files_of(sweep.corpus))
        self.under_way: dict[int, _Attempt] = {}  # by the number of the job
        self.failed: list[str] = []

    def all(self) -> None:
        """Try until nothing is left to be tried."""
        with Jobs(self.executor, train_until) as jobs:
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
            folder = path if self.executor.shares_files else files_of(path)
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
        folder.create()
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
            with atomic_write(self.own.out / "best.toml") as temporary:
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
            there = folder.path if self.executor.shares_files else files_of(folder.path)
            settings = self.own.settings_of(best).model_dump(mode="json")
            for done in self.executor.as_completed(train, [(self.corpus, there, settings)]):
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
