"""The trials of a sweep, kept by Optuna: what to try next, who goes on, what was found. Nothing else of ours knows Optuna."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treesmu.data import DataError

from .space import Parameter, Values

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial, Trial

UNPRUNED = 5  # trials that are trained to their end before any is pruned
POINT, VALUES, WHO = "point of the grid", "values", "tried by"  # what we note at a trial


def check_optuna() -> None:
    """It is an extra of ours, and may not be there."""
    if find_spec("optuna") is None:
        raise DataError("treesmu sweep needs Optuna: pip install 'treesmu[sweep]'")


def sqlite_url(file: Path) -> str:
    """A path may hold what means something else in a URL."""
    from sqlalchemy import URL

    return URL.create("sqlite", database=str(file)).render_as_string()


class Trials:
    """Of one search in a storage, which several machines may share.

    points: of the grid; None: TPE, which chooses `wanted` of its own. who: names the caller among those who share the storage;
    None: nobody else has it. told_as: what an error of the storage is about.
    """

    def __init__(
        self,
        name: str,
        storage: str,
        space: list[Parameter],
        points: list[Values] | None,
        wanted: int,
        seed: int,
        who: str | None = None,
        told_as: str = "--storage",
    ) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.space, self.points, self.who = space, points, who
        self.wanted = wanted if points is None else len(points)
        self.failures = 0  # of this call, which does not try again what failed
        self.states = optuna.trial.TrialState
        with storage_errors(told_as, "cannot be used", at_first=True):
            self.study = optuna.create_study(
                storage=storage,
                study_name=name,
                direction="maximize",
                load_if_exists=True,
                pruner=optuna.pruners.MedianPruner(n_startup_trials=UNPRUNED),
            )
            # neither resumed nor on two machines the same random numbers again
            drawn = len(self.study.get_trials(deepcopy=False)) + zlib.crc32((who or "").encode())
            self.study.sampler = optuna.samplers.TPESampler(seed=(seed + drawn) % 2**32)
            self._put_grid()

    def _put_grid(self) -> None:
        if self.points is None:
            return
        there = {trial.user_attrs.get(POINT) for trial in self._all()}
        for number, values in enumerate(self.points):
            if number not in there:
                self.study.enqueue_trial(values, user_attrs={POINT: number})

    def take_back(self) -> None:
        """What a call of ours that was killed left behind, and what failed, is tried again."""
        own = [trial for trial in self._all() if self.who is None or trial.user_attrs.get(WHO) == self.who]
        for trial in own:
            if trial.state == self.states.RUNNING:
                self.study.tell(trial.number, state=self.states.FAIL)
        others = [self._values(trial) for trial in self._all() if trial.state != self.states.FAIL]
        for trial in own:
            values = self._values(trial)
            if values and values not in others:
                others.append(values)
                noted = {VALUES: values} if self.points is None else {POINT: trial.user_attrs[POINT]}
                self.study.enqueue_trial(values, user_attrs=noted)

    def ask(self) -> tuple[Trial, Values] | None:
        """The next trial, unless there are as many as were wanted."""
        while self._is_left():
            trial = self.study.ask()
            if self.who is not None:
                trial.set_user_attr(WHO, self.who)
            if self.points is None or self._is_due(trial):
                return trial, {parameter.name: parameter.suggest(trial) for parameter in self.space}
            self.fail(trial)
        return None

    def _is_left(self) -> bool:
        if self._all(self.states.WAITING):
            return True
        counted = (self.states.COMPLETE, self.states.PRUNED, self.states.RUNNING)
        return self.points is None and len(self._all(*counted)) + self.failures < self.wanted

    def _is_due(self, trial: Trial) -> bool:
        """Of the grid: unless another machine took the last one a moment ago, or put the same point there at the same time."""
        point = trial.user_attrs.get(POINT)
        earlier = [other for other in self._all() if other.number < trial.number and other.state != self.states.FAIL]
        return point is not None and all(other.user_attrs.get(POINT) != point for other in earlier)

    def goes_on(self, trial: Trial, epoch: int, accuracy: float) -> bool:
        """Note what it has come to; the worse half of trials, as far as they are, is ended."""
        trial.report(accuracy, epoch)
        if not trial.should_prune():
            return True
        self.study.tell(trial, state=self.states.PRUNED)
        return False

    def complete(self, trial: Trial, epoch: int, accuracy: float) -> None:
        if self._all()[trial.number].last_step != epoch:  # its patience may have ended where it was asked last
            trial.report(accuracy, epoch)
        self.study.tell(trial, accuracy)

    def fail(self, trial: Trial) -> None:
        self.failures += 1
        self.study.tell(trial, state=self.states.FAIL)

    def ended(self) -> int:
        """How many are complete or pruned."""
        return len(self._all(self.states.COMPLETE, self.states.PRUNED))

    def listed(self) -> list[dict[str, Any]]:
        """Those that came to something, for JSON: number, values, state, validation_accuracy, epochs.

        The number of a point of the grid is its place there, however often and in whatever order points were tried.
        """
        there = self._all(self.states.COMPLETE, self.states.PRUNED)
        found = [
            {
                "number": trial.user_attrs.get(POINT, trial.number),
                "values": dict(trial.params),
                "state": trial.state.name.lower(),
                "validation_accuracy": trial.value,
                "epochs": trial.last_step,
            }
            for trial in there
            if trial.value is not None and math.isfinite(trial.value)
        ]
        return sorted(found, key=lambda trial: trial["number"])

    def _all(self, *states: Any) -> list[FrozenTrial]:
        return self.study.get_trials(deepcopy=False, states=states or None)

    def _values(self, trial: FrozenTrial) -> Values | None:
        """None: ended before it had any."""
        point: int | None = trial.user_attrs.get(POINT)
        if self.points is not None and point is not None:
            return self.points[point]
        values = trial.user_attrs.get(VALUES, trial.params)  # params: as far as they were asked for
        return dict(values) if len(values) == len(self.space) else None


@contextmanager
def storage_errors(which: str, what: str, at_first: bool = False) -> Iterator[None]:
    """What goes wrong with the storage is a DataError of one line, without its URL: a password may be in it."""
    from optuna.exceptions import OptunaError
    from sqlalchemy.exc import SQLAlchemyError

    expected: tuple[type[Exception], ...] = (SQLAlchemyError, OptunaError)
    expected += (ImportError, ValueError) if at_first else ()  # no driver, no URL
    try:
        yield
    except expected as error:
        cause: BaseException = error
        while cause.__cause__ is not None:
            cause = cause.__cause__
        reason = str(cause).strip().partition("\n")[0]
        if isinstance(error, ValueError):  # tells a part of the URL
            reason = "expected a URL such as postgresql://NAME:PASSWORD@HOST/DATABASE"
        raise DataError(f"{which}: {what}: {reason}") from error
