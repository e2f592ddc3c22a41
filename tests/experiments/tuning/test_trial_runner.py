"""Trials are trained from rung to rung; one that fails is reported and tried again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sweeps import NAMES, ScriptTraining, names_of_trials, run_sweep, small_settings, summary_of
from treesmu.errors import DataError
from treesmu.experiments.tuning import trial_runner
from treesmu.experiments.tuning.trials import UNPRUNED

pytest.importorskip("optuna")
pytestmark = pytest.mark.usefixtures("one_thread")


def test_a_trial_whose_patience_ends_is_complete(corpus: Path, tmp_path: Path) -> None:
    settings = small_settings(epochs=9, patience=1, learning_rate=1e-12)  # nothing gets better
    for sampler in ("grid", "tpe"):
        run_sweep(corpus, tmp_path / sampler, "cell.hidden=3,4", settings=settings, sampler=sampler, trials=1)
        assert {(trial["state"], trial["epochs"]) for trial in summary_of(tmp_path / sampler)["trials"]} == {("complete", 2)}


def test_after_some_trials_those_below_the_median_are_pruned(
    corpus: Path, tmp_path: Path, script_training: ScriptTraining
) -> None:
    """Rungs are at 1, 2, 4 and 8 epochs. The first trials are all trained to their end, however bad."""
    good = [[0.9 - 0.1 * k] * 8 for k in range(UNPRUNED)]  # median 0.7
    later = [[0.6] + [1.0] * 7, [0.75] + [0.1] * 7, [0.75] * 8]
    script = script_training(lambda k, _: [*good, *later][k])
    how: dict[str, Any] = {"sampler": "tpe", "trials": UNPRUNED + 3, "settings": small_settings(epochs=8)}
    _, events = run_sweep(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", **how)
    names = list(script.begun)
    epochs = {name: [epoch for called, epoch in script.calls if called == name] for name in names}
    assert [epochs[name] for name in names[:UNPRUNED]] == [[1, 2, 4, 8]] * UNPRUNED
    assert epochs[names[UNPRUNED]] == [1]  # below the median at its first rung, whatever it would have come to
    assert [epochs[name] for name in names[UNPRUNED + 1 :]] == [[1, 2, 4, 8]] * 2  # the best epoch counts, not the last
    listed = summary_of(tmp_path / "out")["trials"]
    assert [(trial["state"], trial["epochs"]) for trial in listed] == [
        *[("complete", 8)] * UNPRUNED, ("pruned", 1), *[("complete", 8)] * 2
    ]  # fmt: skip
    assert listed[UNPRUNED]["validation_accuracy"] == 0.6
    assert [facts["is_pruned"] for kind, facts in events if kind == "trial"] == [trial["state"] == "pruned" for trial in listed]
    assert summary_of(tmp_path / "out")["best"] == names[0]


def test_trials_with_equal_values_share_one_training(
    corpus: Path, tmp_path: Path, script_training: ScriptTraining, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = script_training(lambda _, settings: [settings["cell"]["hidden"] / 10] * 2)
    how: dict[str, Any] = {"sampler": "tpe", "trials": 8, "settings": small_settings(epochs=2)}
    run_sweep(corpus, tmp_path / "after", "cell.hidden=3,4", **how)  # one after the other
    assert len(names_of_trials(tmp_path / "after")) == 8
    assert len(script.calls) == len(set(script.calls))
    assert set(names_of_trials(tmp_path / "after")) == set(script.begun)
    script = script_training(lambda _, settings: [settings["cell"]["hidden"] / 10] * 2)
    monkeypatch.setattr(trial_runner.Jobs, "is_full", property(lambda jobs: len(jobs) >= 2))
    run_sweep(corpus, tmp_path / "beside", "cell.hidden=3,4", **how)  # two at once
    assert len(names_of_trials(tmp_path / "beside")) == 8
    assert len(script.calls) == len(set(script.calls))
    assert {trial["validation_accuracy"] for trial in summary_of(tmp_path / "beside")["trials"]} <= {0.3, 0.4}


# -- failures ----------------------------------------------------------------------------------------------------------


def test_a_trial_that_fails_is_reported_with_its_log_and_tried_again(
    corpus: Path, whole: Path, tmp_path: Path, script_training: ScriptTraining, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int, settings: dict[str, Any]) -> list[float]:
        if (settings["cell"]["hidden"], settings["head"]) == (5, "dot"):
            raise ValueError("no luck")
        return [0.5] * 3

    out = tmp_path / "out"
    script_training(fail)
    failed, events = run_sweep(corpus, out)
    assert failed == [NAMES[2]]
    (facts,) = [facts for kind, facts in events if kind == "trial" and facts["error"]]
    assert (facts["name"], facts["error"]) == (NAMES[2], "ValueError: no luck")
    log = (out / "runs" / NAMES[2] / "failed.log").read_text()
    assert log.startswith("ValueError: no luck\n\nTraceback")
    assert names_of_trials(out) == [name for name in NAMES if name != NAMES[2]]
    monkeypatch.undo()
    failed, events = run_sweep(corpus, out, resume=True)  # in earnest, in a folder that has nothing but the log
    assert failed == []
    assert [facts["name"] for kind, facts in events if kind == "trial"] == [NAMES[2]]
    assert not (out / "runs" / NAMES[2] / "failed.log").exists()
    assert names_of_trials(out) == NAMES
    assert summary_of(out)["trials"][2] | {"test_accuracy": None} == summary_of(whole)["trials"][2] | {"test_accuracy": None}


def test_a_sweep_in_which_every_trial_fails_ends(corpus: Path, tmp_path: Path, script_training: ScriptTraining) -> None:
    def fail(*_: Any) -> list[float]:
        raise ValueError("no luck")

    how: dict[str, Any] = {"sampler": "tpe", "trials": 3}
    script = script_training(fail)
    failed, _ = run_sweep(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", **how)
    assert len(failed) == len(set(failed)) == len(script.calls) == 3
    assert (summary_of(tmp_path / "out")["trials"], summary_of(tmp_path / "out")["best"]) == ([], None)
    assert not (tmp_path / "out" / "best.toml").exists()
    script = script_training(fail)
    assert sorted(run_sweep(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", resume=True, **how)[0]) == sorted(failed)
    script = script_training()
    assert run_sweep(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", resume=True, **how)[0] == []
    assert sorted(name for name, _ in script.calls if _ == 1) == sorted(failed) == sorted(names_of_trials(tmp_path / "out"))


def test_a_test_that_fails_is_reported_and_tried_again(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("no luck")

    settings = small_settings(epochs=1)
    with monkeypatch.context() as patch:
        patch.setattr(trial_runner, "train", fail)
        failed, _ = run_sweep(corpus, tmp_path / "out", "cell.hidden=3", settings=settings)
    assert failed == ["test of hidden=3: ValueError: no luck"]
    failed, events = run_sweep(corpus, tmp_path / "out", "cell.hidden=3", settings=settings, resume=True)
    assert failed == []
    assert events[-1][1]["test_accuracy"] == summary_of(tmp_path / "out")["trials"][0]["test_accuracy"] is not None


@pytest.mark.parametrize("content", [b'{"epo', b"\xff", b"{}\n"])
def test_damaged_metrics_of_a_trial_that_is_resumed_are_named(content: bytes, corpus: Path, tmp_path: Path) -> None:
    settings, out = small_settings(epochs=1), tmp_path / "out"
    run_sweep(corpus, out, "cell.hidden=3", settings=settings)
    (out / "optuna.db").unlink()  # as if killed before the trial was stored
    (out / "runs" / "hidden=3" / "metrics.jsonl").write_bytes(content)
    with pytest.raises(DataError, match=r"metrics\.jsonl.*: damaged, .*; remove .*/hidden=3 and continue with --resume: "):
        run_sweep(corpus, out, "cell.hidden=3", settings=settings, resume=True)
