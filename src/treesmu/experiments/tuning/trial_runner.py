"""TrialRunner: train the trials of a sweep as jobs, from one rung of epochs to the next, and test the best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treesmu.engine import Executor, FinishedJob, Jobs
from treesmu.training.checkpoint import epochs_done

from ..jobs import folder_argument, shared_folder_argument, train, train_until, write_failure, write_files
from .space import Values, values_name
from .summary import Summary
from .sweep_plan import SweepPlan
from .trials import Trials

if TYPE_CHECKING:
    from optuna.trial import Trial

Callback = Callable[[str, dict[str, Any]], None]  # called with the name of an event and its facts


@dataclass
class _Training:
    """A training run for one trial, or for several trials that chose the same values."""

    values: Values
    trials: list[Trial]
    rungs: list[int]  # the epochs at which it is still to be compared

    @property
    def name(self) -> str:
        return values_name(self.values)


class TrialRunner:
    """Submits jobs for trials, and stores what they return. ``failed``: the names of the trials that failed."""

    def __init__(self, plan: SweepPlan, trials: Trials, executor: Executor, callback: Callback, device: str) -> None:
        self.plan, self.trials, self.executor, self.callback, self.device = plan, trials, executor, callback, device
        self.summary = Summary(plan, trials)
        self.corpus = shared_folder_argument(executor, plan.corpus)
        self.running: dict[int, _Training] = {}  # by the number of the job
        self.failed: list[str] = []

    def run_all(self) -> None:
        """Run trials until none is left."""
        with Jobs(self.executor, train_until) as jobs:
            while True:
                while not jobs.is_full and (training := self._next()):
                    self._advance(jobs, training, self._known_scores(training))
                if not jobs:
                    return
                for job in jobs.wait():
                    self._finish(jobs, self.running.pop(job.number), job)

    def test_best(self) -> None:
        """Test the best trial, if it was trained by this machine, and report it to the callback."""
        best = self.summary.best()
        if best is None:
            return
        folder = self.plan.run_folder(best)
        if folder.settings.exists() and not folder.test.exists():
            settings = self.plan.settings_of(best).model_dump(mode="json")
            task = (self.corpus, folder_argument(self.executor, folder.path), settings, self.device)
            for job in self.executor.as_completed(train, [task]):
                if job.error is not None:
                    self.failed.append(f"test of {values_name(best)}: {job.error}")
                    return
                write_files(job.result[1], folder.path, last=folder.test.name)
            self.summary.write()
        self.callback("best", self.summary.best_facts(best))

    def _next(self) -> _Training | None:
        """Return what to train next; a trial with the values of one that is being trained joins it."""
        while asked := self.trials.ask():
            trial, values = asked
            same = [training for training in self.running.values() if training.values == values]
            if not same:
                return _Training(values, [trial], list(self.plan.rungs))
            same[0].trials.append(trial)
        return None

    def _known_scores(self, training: _Training) -> list[float]:
        """Return the score of each epoch that was trained earlier, in this call or in a previous one.

        An epoch is done once it is in the checkpoint, which is written last: the files of a killed one may be incomplete.
        """
        folder = self.plan.run_folder(training.values)
        return folder.stored_scores(self.plan.measure.validation)[: epochs_done(folder.checkpoint)]

    def _advance(self, jobs: Jobs, training: _Training, scores: list[float], has_stopped: bool = False) -> None:
        """Pass the rungs that were reached, then submit a job up to the next. has_stopped: its patience has run out."""
        while training.trials and (has_stopped or len(scores) >= training.rungs[0]):
            epoch = min(training.rungs.pop(0), len(scores))
            best = max(scores[:epoch])
            is_last = has_stopped or not training.rungs
            for trial in list(training.trials):
                if is_last:
                    self.trials.complete(trial, epoch, best)
                if is_last or not self.trials.continues(trial, epoch, best):
                    training.trials.remove(trial)
                    self._report(training, {"validation": best, "epochs": epoch, "is_pruned": not is_last})
        if training.trials:
            path = self.plan.run_folder(training.values).path
            (path / "failed.log").unlink(missing_ok=True)  # left by an earlier call
            settings = self.plan.settings_of(training.values).model_dump(mode="json")
            folder = folder_argument(self.executor, path)
            number = jobs.submit(self.corpus, folder, settings, training.rungs[0], self.device)
            self.running[number] = training

    def _finish(self, jobs: Jobs, training: _Training, job: FinishedJob) -> None:
        folder = self.plan.run_folder(training.values)
        if job.error is None:
            scores, files = job.result
            write_files(files, folder.path, last=folder.checkpoint.name)
            self._advance(jobs, training, scores, has_stopped=len(scores) < training.rungs[0])
            return
        for trial in training.trials:
            self.trials.fail(trial)
        write_failure(folder.path / "failed.log", job)
        self.failed.append(training.name)
        self._report(training, {"error": job.error, "log": job.log})

    def _report(self, training: _Training, facts: dict[str, Any]) -> None:
        self.summary.write()
        self.callback("trial", {"name": training.name, "error": None, "log": "", **facts})
