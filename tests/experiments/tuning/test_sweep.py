"""A sweep tries everything once, however often it is interrupted and wherever its jobs run."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import run_with_ray
from sweeps import (
    KILLED_WITHIN_THE_SECOND_TRIAL,
    NAMES,
    SPACE,
    Elsewhere,
    ScriptTraining,
    command,
    names_of_trials,
    run_sweep,
    small_settings,
    summary_of,
)
from tiny_presets import outcome
from treesmu.data import DataError
from treesmu.engine import open_executor
from treesmu.engine.in_process import InProcess
from treesmu.experiments.tuning import trial_runner
from treesmu.experiments.tuning.space import Parameter, values_name
from treesmu.experiments.tuning.sweep import Sweep
from user_cell import loaded_plugin

pytest.importorskip("optuna")
pytestmark = pytest.mark.usefixtures("one_thread")


def test_a_grid_tries_every_point_once_and_tests_the_best_alone(whole: Path) -> None:
    content = summary_of(whole)
    assert names_of_trials(whole) == NAMES
    assert [trial["number"] for trial in content["trials"]] == [0, 1, 2, 3]
    assert {(trial["state"], trial["epochs"]) for trial in content["trials"]} == {("complete", 3)}
    assert sorted(folder.name for folder in (whole / "runs").iterdir()) == sorted(NAMES)
    for trial, name in zip(content["trials"], NAMES, strict=True):
        folder = whole / "runs" / name
        lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        assert trial["validation_accuracy"] == max(line["validation_accuracy"] for line in lines)
        assert trial["parameters"] == json.loads((folder / "settings.json").read_text())["parameters"]
    best = max(content["trials"], key=lambda trial: trial["validation_accuracy"])
    assert content["best"] == values_name(best["values"])
    assert [file.parent.name for file in whole.glob("runs/*/test.json")] == [content["best"]]
    test = json.loads((whole / "runs" / content["best"] / "test.json").read_text())
    assert [trial["test_accuracy"] for trial in content["trials"]] == [
        test["overall"]["accuracy"] if trial is best else None for trial in content["trials"]
    ]


def test_what_is_finished_is_not_done_again(
    corpus: Path, whole: Path, monkeypatch: pytest.MonkeyPatch, script_training: ScriptTraining
) -> None:
    script = script_training()
    monkeypatch.setattr(trial_runner, "train", None)  # nor tested
    before = {file: file.read_bytes() for file in whole.rglob("*") if file.is_file() and file.name != "optuna.db"}
    failed, events = run_sweep(corpus, whole, resume=True)
    assert (failed, script.calls) == ([], [])
    assert [kind for kind, _ in events] == ["trials", "best"]
    assert events[0][1] == {"all": 4, "ended": 4}
    assert {file: file.read_bytes() for file in before} == before


def test_a_sweep_can_be_in_any_path(corpus: Path, tmp_path: Path, script_training: ScriptTraining) -> None:
    """Its storage is named by a URL, in which some of these characters mean something else."""
    script_training()
    out = tmp_path / "what? {n} 100%20 # ü&uri=false"
    assert run_sweep(corpus, out)[0] == []
    assert (out / "optuna.db").stat().st_size > 0
    assert sorted(file.name for file in tmp_path.iterdir()) == [out.name]


def test_the_same_seed_gives_the_same_trials_and_more_can_be_added(
    corpus: Path, tmp_path: Path, script_training: ScriptTraining
) -> None:
    space = ("learning_rate=1e-4..1e-2", "cell.hidden=3..9", "head=dot,distance")

    def search(name: str, trials: int, seed: int = 0, **how: Any) -> list[dict[str, Any]]:
        script_training(lambda _, settings: [settings["learning_rate"] * 50 + settings["cell"]["hidden"] / 20])
        settings = small_settings(epochs=1, seed=seed)
        run_sweep(corpus, tmp_path / name, *space, settings=settings, sampler="tpe", trials=trials, **how)
        trials_there: list[dict[str, Any]] = summary_of(tmp_path / name)["trials"]
        return trials_there

    one, other, another = search("one", 12), search("other", 12), search("another", 2, seed=1)
    assert len(one) == 12
    assert one == other
    assert [trial["values"] for trial in one[:2]] != [trial["values"] for trial in another]
    for values in (trial["values"] for trial in one):
        assert 1e-4 <= values["learning_rate"] <= 1e-2
        assert type(values["cell.hidden"]) is int
        assert 3 <= values["cell.hidden"] <= 9
    more = search("one", 14, resume=True)
    assert more[:12] == one
    assert len({values_name(trial["values"]) for trial in more[12:]} - {values_name(trial["values"]) for trial in one}) == 2
    assert search("one", 14, resume=True) == more
    assert search("one", 5, resume=True) == more


# -- interrupted and resumed -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_killed_and_resumed_gives_the_same_trials_number_for_number(corpus: Path, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    _, _, *arguments = command(corpus, out, SPACE, "--jobs", "1")  # without -m treesmu
    program = [sys.executable, "-c", KILLED_WITHIN_THE_SECOND_TRIAL, *arguments]
    killed = subprocess.run(program, capture_output=True, text=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert len(list(out.glob("runs/*/metrics.jsonl"))) == 2  # the first is done, the second is being trained
    assert names_of_trials(out) == NAMES[:1]
    done = {file: file.stat().st_mtime_ns for name in names_of_trials(out) for file in (out / "runs" / name).iterdir()}
    _, events = run_sweep(corpus, out, resume=True)
    names = [facts["name"] for kind, facts in events if kind == "trial"]
    assert len(names) == len(set(names)) == 4 - events[0][1]["ended"]
    assert [
        file for file in done if file.stat().st_mtime_ns != done[file] and file.parent.name != summary_of(out)["best"]
    ] == []
    assert summary_of(out) == summary_of(whole)
    ours, theirs = (outcome(folder, ("runs",)) for folder in (out, whole))
    assert list(ours) == list(theirs)
    assert [name for name in ours if ours[name] != theirs[name]] == []


def test_a_sweep_that_is_interrupted_again_and_again_tries_every_point_once(
    corpus: Path, tmp_path: Path, script_training: ScriptTraining
) -> None:
    """The point that was under way is tried again, and keeps its place among equals."""
    calls: list[str] = []
    while True:

        def interrupted(_: int, settings: dict[str, Any]) -> list[float]:
            calls.append(f"hidden={settings['cell']['hidden']},head={settings['head']}")
            if calls[-1] in (NAMES[0], NAMES[2]) and calls[-1] not in calls[:-1]:
                raise KeyboardInterrupt
            return [0.5] * 3

        script_training(interrupted)
        try:
            run_sweep(corpus, tmp_path / "out", resume=True)
        except KeyboardInterrupt:
            continue
        break
    assert sorted(calls) == sorted([*NAMES, NAMES[0], NAMES[2]])
    assert names_of_trials(tmp_path / "out") == NAMES
    assert summary_of(tmp_path / "out")["best"] == NAMES[0]  # though it was the first to be interrupted, and came late


def test_a_sweep_killed_while_the_grid_is_enqueued_can_be_resumed(
    corpus: Path, tmp_path: Path, script_training: ScriptTraining, monkeypatch: pytest.MonkeyPatch
) -> None:
    from optuna import Study

    script, put, enqueue = script_training(), 0, Study.enqueue_trial

    def cut_off(*arguments: Any, **how: Any) -> None:
        nonlocal put
        put += 1
        if put > 2:
            raise KeyboardInterrupt
        enqueue(*arguments, **how)

    with monkeypatch.context() as patch:
        patch.setattr(Study, "enqueue_trial", cut_off)
        with pytest.raises(KeyboardInterrupt):
            run_sweep(corpus, tmp_path / "out")
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["optuna.db"]
    with pytest.raises(DataError, match="exists and contains something else"):
        run_sweep(corpus, tmp_path / "out")
    run_sweep(corpus, tmp_path / "out", resume=True)
    assert [name for name, _ in script.calls] == names_of_trials(tmp_path / "out") == NAMES


def test_a_trial_that_was_taken_just_before_the_kill_is_tried_again(
    corpus: Path, tmp_path: Path, script_training: ScriptTraining, monkeypatch: pytest.MonkeyPatch
) -> None:
    script_training()

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Parameter, "suggest", killed)
        with pytest.raises(KeyboardInterrupt):
            run_sweep(corpus, tmp_path / "out")
    run_sweep(corpus, tmp_path / "out", resume=True)
    assert names_of_trials(tmp_path / "out") == NAMES


# -- on machines that share no files -----------------------------------------------------------------------------------


def test_elsewhere_and_in_another_order_the_numbers_are_the_same(corpus: Path, whole: Path, tmp_path: Path) -> None:
    assert run_sweep(corpus, tmp_path / "out", executor=Elsewhere())[0] == []
    assert summary_of(tmp_path / "out") == summary_of(whole)
    assert list(outcome(tmp_path / "out", ("runs",))) == list(outcome(whole, ("runs",)))


def test_elsewhere_a_trial_continues_from_rung_to_rung(corpus: Path, tmp_path: Path) -> None:
    how: dict[str, Any] = {"sampler": "tpe", "trials": 2, "settings": small_settings(epochs=4)}
    for name, executor in {"here": InProcess(), "elsewhere": Elsewhere()}.items():
        run_sweep(corpus, tmp_path / name, "cell.hidden=3..5", executor=executor, **how)
    assert summary_of(tmp_path / "here") == summary_of(tmp_path / "elsewhere")
    assert {trial["epochs"] for trial in summary_of(tmp_path / "here")["trials"]} == {4}


@pytest.mark.xdist_group("ray")
@pytest.mark.slow
def test_on_ray_the_numbers_are_the_same(corpus: Path, whole: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    run_with_ray(command(corpus, tmp_path / "out", ["cell.hidden=3,5"], "--engine", "ray", "--jobs", "1"), tmp_path)
    ours = summary_of(tmp_path / "out")["trials"]
    assert [trial["values"] for trial in ours] == [{"cell.hidden": 3}, {"cell.hidden": 5}]
    for mine, other in zip(ours, summary_of(whole)["trials"][::2], strict=True):  # whose head is the default
        for fact in ("validation_accuracy", "epochs", "state", "parameters"):
            assert mine[fact] == other[fact]
    assert [file.parent.name for file in tmp_path.glob("out/runs/*/test.json")] == [summary_of(tmp_path / "out")["best"]]


# -- a plugin's cell -----------------------------------------------------------------------------------------------------


def test_a_plugins_cell_is_searched_by_local_processes_also_after_resume(corpus: Path, tmp_path: Path) -> None:
    class InterruptedError(Exception):
        pass

    def interrupt(event: str, _: dict[str, Any]) -> None:
        if event == "trial":
            raise InterruptedError

    with loaded_plugin(tmp_path) as name:
        settings, space = small_settings(model=name, epochs=1), [Parameter.read("cell.hidden=3,4,5")]
        with pytest.raises(InterruptedError), open_executor("local", 2) as executor:
            Sweep(corpus, tmp_path / "out", settings, space).run(executor, interrupt)
        with open_executor("local", 2) as executor:
            assert Sweep(corpus, tmp_path / "out", settings, space, resume=True).run(executor) == []
    assert names_of_trials(tmp_path / "out") == ["hidden=3", "hidden=4", "hidden=5"]
    assert [file.parent.name for file in tmp_path.glob("out/runs/*/test.json")] == [summary_of(tmp_path / "out")["best"]]
