"""The summary of a sweep says which trial is best; only validation decides that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sweeps import NAMES, ScriptTraining, run_sweep, small_settings, summary_of
from treesmu.errors import DataError
from treesmu.experiments.tuning import trial_runner
from treesmu.experiments.tuning.space import values_name
from treesmu.experiments.tuning.trials import UNPRUNED
from treesmu.training.settings import TrainSettings, read_settings

pytest.importorskip("optuna")
pytestmark = pytest.mark.usefixtures("one_thread")


def test_the_settings_of_the_best_are_written_for_training(whole: Path) -> None:
    settings = TrainSettings.of(**read_settings(whole / "best.toml"))
    stored = json.loads((whole / "runs" / summary_of(whole)["best"] / "settings.json").read_text())
    assert settings.model_dump(mode="json") == stored["settings"]


def test_the_first_of_equally_good_trials_is_the_best_and_the_test_does_not_count(
    corpus: Path, tmp_path: Path, script_training: ScriptTraining
) -> None:
    script_training(lambda k, _: [[0.5, 0.6, 0.5], [0.5, 0.5, 0.75], [0.75, 0.5, 0.5], [0.1, 0.2, 0.3]][k])
    _, events = run_sweep(corpus, tmp_path / "out")
    assert summary_of(tmp_path / "out")["best"] == NAMES[1]
    assert [trial["validation_accuracy"] for trial in summary_of(tmp_path / "out")["trials"]] == [0.6, 0.75, 0.75, 0.3]
    (best,) = [facts for kind, facts in events if kind == "best"]
    assert (best["name"], best["validation_accuracy"], best["test_accuracy"]) == (NAMES[1], 0.75, None)
    assert [(facts["name"], facts["validation"]) for kind, facts in events if kind == "trial"][1] == (NAMES[1], 0.75)
    assert events[0] == ("trials", {"all": 4, "ended": 0})


def test_a_pruned_trial_is_never_the_best(corpus: Path, tmp_path: Path, script_training: ScriptTraining) -> None:
    outcomes = [*[[0.8, 0.1]] * UNPRUNED, [0.7, 1.0]]
    script_training(lambda k, _: outcomes[k])
    how: dict[str, Any] = {"sampler": "tpe", "trials": UNPRUNED + 1, "settings": small_settings(epochs=2)}
    run_sweep(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", **how)
    states = [trial["state"] for trial in summary_of(tmp_path / "out")["trials"]]
    assert states == ["complete"] * UNPRUNED + ["pruned"]
    assert summary_of(tmp_path / "out")["best"] == values_name(summary_of(tmp_path / "out")["trials"][0]["values"])


def test_when_more_trials_find_a_better_one_only_that_is_tested(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    how: dict[str, Any] = {"sampler": "tpe", "settings": small_settings(epochs=1)}
    run_sweep(corpus, tmp_path / "out", "cell.hidden=3..99", trials=1, **how)
    (first,) = summary_of(tmp_path / "out")["trials"]
    assert first["test_accuracy"] is not None
    train_until = trial_runner.train_until
    monkeypatch.setattr(trial_runner, "train_until", lambda *arguments: ([1.0], train_until(*arguments)[1]))
    run_sweep(corpus, tmp_path / "out", "cell.hidden=3..99", trials=2, resume=True, **how)
    one, other = summary_of(tmp_path / "out")["trials"]
    assert one == first | {"test_accuracy": None}
    assert (other["validation_accuracy"], other["test_accuracy"] is None) == (1.0, False)


def test_damaged_measures_of_the_best_are_named_and_made_again_once_they_are_removed(corpus: Path, tmp_path: Path) -> None:
    settings, out = small_settings(epochs=1), tmp_path / "out"
    run_sweep(corpus, out, "cell.hidden=3", settings=settings)
    before, test = summary_of(out), out / "runs" / "hidden=3" / "test.json"
    test.write_text('{"overall":')
    with pytest.raises(DataError, match=f"{test}: damaged, not a JSON object; remove it and continue with --resume: "):
        run_sweep(corpus, out, "cell.hidden=3", settings=settings, resume=True)
    test.unlink()
    run_sweep(corpus, out, "cell.hidden=3", settings=settings, resume=True)
    assert summary_of(out) == before
