"""The trials of a sweep, kept by Optuna: what to try next, who goes on, what was found. Nothing else of ours knows Optuna."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..data import DataError
from .space import Parameter, Values

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial, Trial

UNPRUNED = 5  # trials that are trained to their end before any is pruned
POINT, WHO = "point of the grid", "tried by"  # what we note at a trial


class Trials:
    """Of one search in a storage, which several machines may share.

    points: of the grid; None: TPE, which chooses `wanted` of its own. who: names the caller among those who share the storage.
    """

    def __init__(
        self, name: str, storage: str, space: list[Parameter], points: list[Values] | None, wanted: int, seed: int, who: str
    ) -> None:
        try:
            import optuna
            from sqlalchemy.exc import SQLAlchemyError
        except ImportError:
            raise DataError("treesmu sweep needs Optuna: pip install 'treesmu[sweep]'") from None
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.space, self.points, self.who = space, points, who
        self.wanted = wanted if points is None else len(points)
        self.states = optuna.trial.TrialState
        try:
            self.study = optuna.create_study(
                storage=storage,
                study_name=name,
                direction="maximize",
                load_if_exists=True,
                pruner=optuna.pruners.MedianPruner(n_startup_trials=UNPRUNED),
            )
            drawn = len(self.study.get_trials(deepcopy=False))  # resumed, not the same random numbers again
            self.study.sampler = optuna.samplers.TPESampler(seed=seed + drawn)
            self._put_grid()
        except (ImportError, SQLAlchemyError, ValueError, optuna.exceptions.OptunaError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise DataError(f"--storage: cannot be used: {reason}") from error

    def _put_grid(self) -> None:
        if self.points is not None and "has grid" not in self.study.user_attrs:
            for number, values in enumerate(self.points):
                self.study.enqueue_trial(values, user_attrs={POINT: number}, skip_if_exists=True)
            self.study.set_user_attr("has grid", True)

    def take_back(self) -> None:
        """What a call of ours that was killed left behind, and what failed, is tried again."""
        own = [trial for trial in self._all() if trial.user_attrs.get(WHO) == self.who]
        for trial in own:
            if trial.state == self.states.RUNNING:
                self.study.tell(trial.number, state=self.states.FAIL)
        others = [self._values(trial) for trial in self._all() if trial.state != self.states.FAIL]
        for trial in own:
            values = self._values(trial)
            if values and values not in others:
                others.append(values)
                self.study.enqueue_trial(values, user_attrs={POINT: trial.user_attrs.get(POINT)})

    def ask(self) -> tuple[Trial, Values] | None:
        """The next trial, unless there are as many as were wanted."""
        is_waiting = any(trial.state == self.states.WAITING for trial in self._all())
        if not is_waiting and (self.points is not None or len(self._all(*self._counted())) >= self.wanted):
            return None
        trial = self.study.ask()
        trial.set_user_attr(WHO, self.who)
        if self.points is not None and POINT not in trial.user_attrs:  # another machine took the last one a moment ago
            self.fail(trial)
            return None
        return trial, {parameter.name: parameter.suggest(trial) for parameter in self.space}

    def goes_on(self, trial: Trial, epoch: int, accuracy: float) -> bool:
        """Note what it has come to; the worse half of trials, as far as they are, is ended."""
        trial.report(accuracy, epoch)
        if not trial.should_prune():
            return True
        self.study.tell(trial, state=self.states.PRUNED)
        return False

    def complete(self, trial: Trial, epoch: int, accuracy: float) -> None:
        trial.report(accuracy, epoch)
        self.study.tell(trial, accuracy)

    def fail(self, trial: Trial) -> None:
        self.study.tell(trial, state=self.states.FAIL)

    def ended(self) -> int:
        """How many are complete or pruned."""
        return len(self._all(self.states.COMPLETE, self.states.PRUNED))

    def listed(self) -> list[dict[str, Any]]:
        """Those that came to something, for JSON: number, values, state, validation_accuracy, epochs."""
        there = self._all(self.states.COMPLETE, self.states.PRUNED)
        return [
            {
                "number": trial.number,
                "values": dict(trial.params),
                "state": trial.state.name.lower(),
                "validation_accuracy": trial.value,
                "epochs": trial.last_step,
            }
            for trial in there
            if trial.value is not None and math.isfinite(trial.value)
        ]

    def _counted(self) -> tuple[Any, ...]:
        return (self.states.COMPLETE, self.states.PRUNED, self.states.RUNNING)

    def _all(self, *states: Any) -> list[FrozenTrial]:
        return self.study.get_trials(deepcopy=False, states=states or None)

    def _values(self, trial: FrozenTrial) -> Values | None:
        """None: ended before it had any."""
        point: int | None = trial.user_attrs.get(POINT)
        if self.points is not None and point is not None:
            return self.points[point]
        return dict(trial.params) if len(trial.params) == len(self.space) else None
