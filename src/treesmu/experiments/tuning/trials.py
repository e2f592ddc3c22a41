"""Trials: the trials of a sweep in Optuna's storage. The only module that uses Optuna."""

from __future__ import annotations

import math
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treesmu.errors import DataError, WriteError, one_line

from .space import Parameter, Values

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial, Trial

URL_OPTION = "--storage"  # what errors call a storage that is given by its URL
_FAULTS_OF_THE_DISK = ("disk is full", "disk I/O error")  # in the messages of SQLite
UNPRUNED = 5  # trials that are trained to their end before any is pruned
POINT, VALUES, OWNER = "point of the grid", "values", "tried by"  # attributes that we store with a trial


def sqlite_url(file: Path) -> str:
    """Return the URL of an SQLite file; characters of the path that have a meaning in URLs are quoted."""
    from sqlalchemy import URL

    return URL.create("sqlite", database=str(file)).render_as_string()


def check_sqlite(file: Path) -> None:
    """Raise a DataError if an SQLite file is damaged. It has no checksums: only its structure can be checked."""
    if not file.exists():
        return
    try:
        with closing(sqlite3.connect(file)) as connection:
            fault = connection.execute("pragma integrity_check(1)").fetchone()[0]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        fault = one_line(error)
    if fault != "ok":
        kind = WriteError if any(words in fault for words in _FAULTS_OF_THE_DISK) else DataError
        raise kind(f"{file}: cannot be used: {fault.strip().splitlines()[-1]}; repeat the sweep in a new folder")


class Trials:
    """The trials of one sweep in a storage, which several machines may share.

    points: the values of a grid's trials; None: TPE chooses the values of ``wanted`` trials. owner: identifies this machine
    and folder among those that share the storage; None if it is not shared. storage_name: what error messages call it.
    """

    def __init__(
        self,
        name: str,
        storage: str,
        space: list[Parameter],
        points: list[Values] | None,
        wanted: int,
        seed: int,
        owner: str | None = None,
        storage_name: str = URL_OPTION,
    ) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.space, self.points, self.owner = space, points, owner
        self.wanted = wanted if points is None else len(points)
        self.failures = 0  # in this call, which does not run failed trials again
        self.states = optuna.trial.TrialState
        with storage_errors(storage_name, "cannot be used", is_opening=True):
            self.study = optuna.create_study(
                storage=storage,
                study_name=name,
                direction="maximize",
                load_if_exists=True,
                pruner=optuna.pruners.MedianPruner(n_startup_trials=UNPRUNED),
            )
            # A resumed sweep, and another machine, must not draw the same random numbers again.
            offset = len(self.study.get_trials(deepcopy=False)) + zlib.crc32((owner or "").encode())
            self.study.sampler = optuna.samplers.TPESampler(seed=(seed + offset) % 2**32)
            self._enqueue_grid()

    def _enqueue_grid(self) -> None:
        if self.points is None:
            return
        enqueued = {trial.user_attrs.get(POINT) for trial in self._all()}
        for number, values in enumerate(self.points):
            if number not in enqueued:
                self.study.enqueue_trial(values, user_attrs={POINT: number})

    def requeue_unfinished(self) -> None:
        """Enqueue the trials of this owner again that failed, or that were running when an earlier call was killed."""
        candidates = [trial for trial in self._all() if self.owner is None or trial.user_attrs.get(OWNER) == self.owner]
        for trial in candidates:
            if trial.state == self.states.RUNNING:
                self.study.tell(trial.number, state=self.states.FAIL)
        known = [self._values(trial) for trial in self._all() if trial.state != self.states.FAIL]
        for trial in candidates:
            values = self._values(trial)
            if values and values not in known:
                known.append(values)
                attributes = {VALUES: values} if self.points is None else {POINT: trial.user_attrs[POINT]}
                self.study.enqueue_trial(values, user_attrs=attributes)

    def ask(self) -> tuple[Trial, Values] | None:
        """Return the next trial and its values; None if there are as many trials as wanted."""
        while self._has_next():
            trial = self.study.ask()
            if self.owner is not None:
                trial.set_user_attr(OWNER, self.owner)
            if self.points is None or self._is_new_point(trial):
                return trial, {parameter.name: parameter.suggest(trial) for parameter in self.space}
            self.fail(trial)
        return None

    def _has_next(self) -> bool:
        if self._all(self.states.WAITING):
            return True
        counted = (self.states.COMPLETE, self.states.PRUNED, self.states.RUNNING)
        return self.points is None and len(self._all(*counted)) + self.failures < self.wanted

    def _is_new_point(self, trial: Trial) -> bool:
        """Return whether a trial is a grid point that no earlier trial has.

        It is not if another machine took the last point a moment ago, or enqueued the same point at the same time.
        """
        point = trial.user_attrs.get(POINT)
        earlier = [other for other in self._all() if other.number < trial.number and other.state != self.states.FAIL]
        return point is not None and all(other.user_attrs.get(POINT) != point for other in earlier)

    def continues(self, trial: Trial, epoch: int, score: float) -> bool:
        """Store a trial's best score so far; prune it and return False if that is below the median of complete trials."""
        trial.report(score, epoch)
        if not trial.should_prune():
            return True
        self.study.tell(trial, state=self.states.PRUNED)
        return False

    def complete(self, trial: Trial, epoch: int, score: float) -> None:
        """Store the final score of a trial."""
        if self._all()[trial.number].last_step != epoch:  # it may have stopped early at the rung that was stored last
            trial.report(score, epoch)
        self.study.tell(trial, score)

    def fail(self, trial: Trial) -> None:
        """Store that a trial failed."""
        self.failures += 1
        self.study.tell(trial, state=self.states.FAIL)

    def finished(self) -> int:
        """Return how many trials are complete or pruned."""
        return len(self._all(self.states.COMPLETE, self.states.PRUNED))

    def to_json(self, score_name: str = "score") -> list[dict[str, Any]]:
        """Return complete and pruned trials: number, values, state, score, epochs. score_name: what the score is called.

        The number of a grid point is its position in the grid, however often and in whatever order points were tried.
        """
        finished = self._all(self.states.COMPLETE, self.states.PRUNED)
        found = [
            {
                "number": trial.user_attrs.get(POINT, trial.number),
                "values": dict(trial.params),
                "state": trial.state.name.lower(),
                score_name: trial.value,
                "epochs": trial.last_step,
            }
            for trial in finished
            if trial.value is not None and math.isfinite(trial.value)
        ]
        return sorted(found, key=lambda trial: trial["number"])

    def _all(self, *states: Any) -> list[FrozenTrial]:
        return self.study.get_trials(deepcopy=False, states=states or None)

    def _values(self, trial: FrozenTrial) -> Values | None:
        """Return a trial's values; None if it ended before it had all of them."""
        point: int | None = trial.user_attrs.get(POINT)
        if self.points is not None and point is not None:
            return self.points[point]
        values = trial.user_attrs.get(VALUES, trial.params)  # params: those that were suggested so far
        return dict(values) if len(values) == len(self.space) else None


@contextmanager
def storage_errors(storage_name: str, problem: str, is_opening: bool = False) -> Iterator[None]:
    """Turn errors of the storage into a DataError of one line, without its URL, which may contain a password."""
    from optuna.exceptions import OptunaError
    from sqlalchemy.exc import SQLAlchemyError

    expected: tuple[type[Exception], ...] = (SQLAlchemyError, OptunaError)
    # No driver for it, not a URL; and what Optuna raises when it reads damaged rows.
    expected += (ImportError, ValueError, LookupError, TypeError, AttributeError, AssertionError) if is_opening else ()
    try:
        yield
    except expected as error:
        cause: BaseException = error
        while cause.__cause__ is not None:
            cause = cause.__cause__
        reason = str(cause).strip().partition("\n")[0]
        if isinstance(error, ValueError) and storage_name == URL_OPTION:  # its message contains a part of the URL
            reason = "expected a URL such as postgresql://NAME:PASSWORD@HOST/DATABASE"
        kind = WriteError if any(words in reason for words in _FAULTS_OF_THE_DISK) else DataError
        raise kind(f"{storage_name}: {problem}: {reason}") from error
