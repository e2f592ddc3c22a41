"""Trials in a storage, which several machines may share, and what can be wrong with a storage."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sweeps import NAMES, ScriptTraining, names_of_trials, run_sweep, small_settings, summary_of
from treesmu.data import DataError
from treesmu.experiments.tuning.space import Parameter
from treesmu.experiments.tuning.trials import POINT, Trials, check_sqlite

pytest.importorskip("optuna")
pytestmark = pytest.mark.usefixtures("one_thread")


def test_two_machines_together_try_each_point_once(corpus: Path, tmp_path: Path, script_training: ScriptTraining) -> None:
    """While the first machine trains its first point, the second one starts and trains the others."""
    storage = f"sqlite:///{tmp_path}/shared.db"

    def one_then_all_others(k: int, settings: dict[str, Any]) -> list[float]:
        if k == 0:
            assert run_sweep(corpus, tmp_path / "two", storage=storage)[0] == []
        return [0.5, 0.5, 0.5 + settings["cell"]["hidden"] / 100]

    script = script_training(one_then_all_others)
    _, events = run_sweep(corpus, tmp_path / "one", storage=storage)
    assert sorted(script.calls) == sorted((name, 3) for name in NAMES)
    assert [folder.name for folder in (tmp_path / "one" / "runs").iterdir()] == NAMES[:1]
    assert names_of_trials(tmp_path / "two") == NAMES[1:]  # as things stood
    assert names_of_trials(tmp_path / "one") == NAMES
    assert events[-1] == ("best", {"name": NAMES[2], "validation_accuracy": 0.55, "parameters": None, "test_accuracy": None})
    run_sweep(corpus, tmp_path / "two", storage=storage, resume=True)
    assert summary_of(tmp_path / "two") == summary_of(tmp_path / "one")
    assert len(script.calls) == 4


def test_machines_that_start_together_do_not_draw_the_same_values(tmp_path: Path) -> None:
    space = [Parameter.read("cell.hidden=3..9999")]
    storage = f"sqlite:///{tmp_path}/shared.db"
    both = [Trials("together", storage, space, None, 8, 0, owner=owner) for owner in ("one", "two")]
    drawn = [asked[1]["cell.hidden"] for _ in range(4) for trials in both if (asked := trials.ask())]
    assert len(set(drawn)) == 8


def test_a_trial_that_another_machine_runs_is_left_to_it(corpus: Path, tmp_path: Path, script_training: ScriptTraining) -> None:
    storage = f"sqlite:///{tmp_path}/shared.db"

    def interrupted(*_: Any) -> list[float]:
        raise KeyboardInterrupt

    script_training(interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_sweep(corpus, tmp_path / "one", storage=storage)
    script = script_training()
    run_sweep(corpus, tmp_path / "two", storage=storage)
    assert [name for name, _ in script.calls] == NAMES[1:]
    run_sweep(corpus, tmp_path / "one", storage=storage, resume=True)
    assert [name for name, _ in script.calls] == [*NAMES[1:], NAMES[0]]
    assert names_of_trials(tmp_path / "one") == NAMES


def test_a_point_that_two_machines_enqueue_at_the_same_time_is_tried_once(tmp_path: Path) -> None:
    space = [Parameter.read("batch=1,2,3")]
    points = [{"batch": k} for k in (1, 2, 3)]
    trials = Trials("race", f"sqlite:///{tmp_path}/shared.db", space, points, 0, 0, owner="one")
    for number, values in enumerate(points):
        trials.study.enqueue_trial(values, user_attrs={POINT: number})
    asked = []
    while found := trials.ask():
        asked.append(found[1])
        trials.complete(found[0], 1, 0.5)
    assert asked == points
    assert [trial["number"] for trial in trials.to_json()] == [0, 1, 2]
    assert trials.finished() == 3


def test_a_trial_that_waits_to_be_run_again_is_not_enqueued_twice(
    corpus: Path, tmp_path: Path, script_training: ScriptTraining
) -> None:
    how: dict[str, Any] = {"sampler": "tpe", "trials": 3, "settings": small_settings(epochs=1), "resume": True}
    for error in (ValueError, KeyboardInterrupt):  # three fail; then the first of them is interrupted while two wait

        def fail(*_: Any, error: type[BaseException] = error) -> list[float]:
            raise error

        script_training(fail)
        try:
            run_sweep(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", **how)
        except KeyboardInterrupt:
            assert error is KeyboardInterrupt
    script = script_training()
    run_sweep(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", **how)
    assert len(script.calls) == len(set(script.calls)) == len(names_of_trials(tmp_path / "out")) == 3


def test_a_storage_that_is_lost_is_an_error_of_one_line(corpus: Path, tmp_path: Path, script_training: ScriptTraining) -> None:
    def lose(*_: Any) -> list[float]:
        (tmp_path / "shared.db").write_bytes(b"nonsense" * 1000)
        return [0.5] * 3

    script_training(lose)
    with pytest.raises(DataError, match=r"^--storage: connection lost; continue with --resume: file is not a database$"):
        run_sweep(corpus, tmp_path / "out", storage=f"sqlite:///{tmp_path}/shared.db")


def test_a_damaged_storage_file_is_named(corpus: Path, tmp_path: Path, script_training: ScriptTraining) -> None:
    script_training()
    run_sweep(corpus, tmp_path / "out")
    (tmp_path / "out" / "optuna.db").write_bytes(b"no database" * 1000)
    with pytest.raises(DataError, match=r"out/optuna.db: cannot be used: file is not a database"):
        run_sweep(corpus, tmp_path / "out", resume=True)


def test_a_damaged_file_of_trials_is_named_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "optuna.db"
    check_sqlite(file)  # there is none yet
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("create table t (x)")
        connection.executemany("insert into t values (?)", [("text " * 500,)] * 50)
        connection.commit()
    check_sqlite(file)
    content = file.read_bytes()
    for damaged in (content[:3000], content[:9000], content[:4096] + bytes(4096) + content[8192:]):
        file.write_bytes(damaged)
        with pytest.raises(DataError, match=r"^.*optuna\.db: cannot be used: .*; repeat the sweep in a new folder$"):
            check_sqlite(file)
