"""A sweep tries everything once, whoever interrupts it and whoever shares it; the test has no part in the choice."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from commands import kill_as_soon_as, on_ray
from corpora import write_small_corpus
from tiny_presets import outcome
from treesmu.data import DataError
from treesmu.engine.executor import Executor, InProcess
from treesmu.experiments.tuning import trial_runner
from treesmu.experiments.tuning.space import Parameter, name_of
from treesmu.experiments.tuning.sweep import NEVER, Sweep
from treesmu.experiments.tuning.trials import POINT, UNPRUNED, Trials
from treesmu.training.settings import TrainSettings, read_settings

pytest.importorskip("optuna")
pytestmark = pytest.mark.usefixtures("one_thread")

SPACE = ("cell.hidden=3,5", "head=dot,distance")
NAMES = ["hidden=3,head=dot", "hidden=3,head=distance", "hidden=5,head=dot", "hidden=5,head=distance"]
COMMON = ("epochs=3", "batch=20", "learning_rate=0.02")
Told = list[tuple[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_corpus(tmp_path_factory.mktemp("sweep") / "corpus")


def small(**given: Any) -> TrainSettings:
    return TrainSettings.of(**{"model": "tree-rnn", "epochs": 3, "batch": 20, "learning_rate": 0.02, **given})


def begin(
    corpus: Path, out: Path, *space: str, settings: TrainSettings | None = None, executor: Executor | None = None, **how: Any
) -> tuple[list[str], Told]:
    """A sweep, by default with one job at a time: those that failed, and what was told."""
    told: Told = []
    search = Sweep(corpus, out, settings or small(), [Parameter.read(text) for text in space or SPACE], **how)
    return search.run(executor or InProcess(), lambda *facts: told.append(facts)), told


def found(out: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((out / "sweep.json").read_text())
    return content


def tried(out: Path) -> list[str]:
    return [name_of(trial["values"]) for trial in found(out)["trials"]]


@pytest.fixture(scope="module")
def whole(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A grid that nobody interrupted."""
    out = tmp_path_factory.mktemp("whole") / "out"
    assert begin(corpus, out)[0] == []
    return out


class Prescribed:
    """In place of training: each trial comes to what is prescribed, epoch by epoch. Notes what it was asked for."""

    def __init__(self, outcome: Callable[[int, dict[str, Any]], list[float]]) -> None:
        self.outcome = outcome  # of the how manieth training, with these settings
        self.calls: list[tuple[str, int]] = []
        self.begun: dict[str, list[float]] = {}

    def __call__(self, _: Path, folder: Path, settings: dict[str, Any], epoch: int) -> tuple[list[float], dict[str, bytes]]:
        self.calls.append((folder.name, epoch))
        if folder.name not in self.begun:
            self.begun[folder.name] = []
            self.begun[folder.name] = self.outcome(len(self.begun) - 1, settings)
        accuracies = self.begun[folder.name][:epoch]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "metrics.jsonl").write_text("".join(f'{{"validation_accuracy": {x}}}\n' for x in accuracies))
        return accuracies, {}


@pytest.fixture
def prescribe(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Prescribed]:
    def put(outcome: Callable[[int, dict[str, Any]], list[float]] = lambda *_: [0.5] * 99) -> Prescribed:
        made = Prescribed(outcome)
        monkeypatch.setattr(trial_runner, "train_until", made)
        return made

    return put


# -- a grid ------------------------------------------------------------------------------------------------------------


def test_a_grid_tries_every_point_once_and_tests_the_best_alone(whole: Path) -> None:
    content = found(whole)
    assert tried(whole) == NAMES
    assert [trial["number"] for trial in content["trials"]] == [0, 1, 2, 3]
    assert {(trial["state"], trial["epochs"]) for trial in content["trials"]} == {("complete", 3)}
    assert sorted(folder.name for folder in (whole / "runs").iterdir()) == sorted(NAMES)
    for trial, name in zip(content["trials"], NAMES, strict=True):
        folder = whole / "runs" / name
        lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        assert trial["validation_accuracy"] == max(line["validation_accuracy"] for line in lines)
        assert trial["parameters"] == json.loads((folder / "settings.json").read_text())["parameters"]
    best = max(content["trials"], key=lambda trial: trial["validation_accuracy"])
    assert content["best"] == name_of(best["values"])
    assert [file.parent.name for file in whole.glob("runs/*/test.json")] == [content["best"]]
    test = json.loads((whole / "runs" / content["best"] / "test.json").read_text())
    assert [trial["test_accuracy"] for trial in content["trials"]] == [
        test["overall"]["accuracy"] if trial is best else None for trial in content["trials"]
    ]


def test_the_best_is_written_down_for_training(whole: Path) -> None:
    settings = TrainSettings.of(**read_settings(whole / "best.toml"))
    stored = json.loads((whole / "runs" / found(whole)["best"] / "settings.json").read_text())
    assert settings.model_dump(mode="json") == stored["settings"]


def test_the_earliest_of_equals_is_the_best_and_the_test_does_not_count(
    corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed]
) -> None:
    prescribe(lambda k, _: [[0.5, 0.6, 0.5], [0.5, 0.5, 0.75], [0.75, 0.5, 0.5], [0.1, 0.2, 0.3]][k])
    _, told = begin(corpus, tmp_path / "out")
    assert found(tmp_path / "out")["best"] == NAMES[1]
    assert [trial["validation_accuracy"] for trial in found(tmp_path / "out")["trials"]] == [0.6, 0.75, 0.75, 0.3]
    (best,) = [facts for kind, facts in told if kind == "best"]
    assert (best["name"], best["validation_accuracy"], best["test_accuracy"]) == (NAMES[1], 0.75, None)
    assert [(facts["name"], facts["validation"]) for kind, facts in told if kind == "trial"][1] == (NAMES[1], 0.75)
    assert told[0] == ("trials", {"all": 4, "ended": 0})


def test_what_is_done_is_not_done_again(
    corpus: Path, whole: Path, monkeypatch: pytest.MonkeyPatch, prescribe: Callable[..., Prescribed]
) -> None:
    script = prescribe()
    monkeypatch.setattr(trial_runner, "train", None)  # nor tested
    before = {file: file.read_bytes() for file in whole.rglob("*") if file.is_file() and file.name != "optuna.db"}
    failed, told = begin(corpus, whole, resume=True)
    assert (failed, script.calls) == ([], [])
    assert [kind for kind, _ in told] == ["trials", "best"]
    assert told[0][1] == {"all": 4, "ended": 4}
    assert {file: file.read_bytes() for file in before} == before


def test_a_trial_whose_patience_ends_is_complete(corpus: Path, tmp_path: Path) -> None:
    settings = small(epochs=9, patience=1, learning_rate=1e-12)  # nothing gets better
    for sampler in ("grid", "tpe"):
        begin(corpus, tmp_path / sampler, "cell.hidden=3,4", settings=settings, sampler=sampler, trials=1)
        assert {(trial["state"], trial["epochs"]) for trial in found(tmp_path / sampler)["trials"]} == {("complete", 2)}


# -- killed and resumed ------------------------------------------------------------------------------------------------


def command(corpus: Path, out: Path, space: Sequence[str], *options: str) -> list[str]:
    """What follows python; the same search as begin's."""
    settings = [part for text in COMMON for part in ("--set", text)]
    over = [part for text in space for part in ("--over", text)]
    return ["-m", "treesmu", "sweep", str(corpus), "--out", str(out), "--model", "tree-rnn", *settings, *over, *options]


def test_killed_and_resumed_gives_the_same_trials_number_for_number(corpus: Path, whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = command(corpus, out, SPACE, "--jobs", "1")
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    kill_as_soon_as(process, out, "runs/*/metrics.jsonl", 2)  # the first is done, the second is being trained
    assert tried(out)[:1] == NAMES[:1]
    assert len(tried(out)) < 4
    done = {file: file.stat().st_mtime_ns for name in tried(out) for file in (out / "runs" / name).iterdir()}
    _, told = begin(corpus, out, resume=True)
    names = [facts["name"] for kind, facts in told if kind == "trial"]
    assert len(names) == len(set(names)) == 4 - told[0][1]["ended"]
    assert [file for file in done if file.stat().st_mtime_ns != done[file] and file.parent.name != found(out)["best"]] == []
    assert found(out) == found(whole)
    ours, theirs = (outcome(folder, ("runs",)) for folder in (out, whole))
    assert list(ours) == list(theirs)
    assert [name for name in ours if ours[name] != theirs[name]] == []


def test_one_that_is_interrupted_again_and_again_tries_every_point_once(
    corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed]
) -> None:
    """The point that was under way is tried again, and keeps its place among equals."""
    calls: list[str] = []
    while True:

        def interrupted(_: int, settings: dict[str, Any]) -> list[float]:
            calls.append(f"hidden={settings['cell']['hidden']},head={settings['head']}")
            if calls[-1] in (NAMES[0], NAMES[2]) and calls[-1] not in calls[:-1]:
                raise KeyboardInterrupt
            return [0.5] * 3

        prescribe(interrupted)
        try:
            begin(corpus, tmp_path / "out", resume=True)
        except KeyboardInterrupt:
            continue
        break
    assert sorted(calls) == sorted([*NAMES, NAMES[0], NAMES[2]])
    assert tried(tmp_path / "out") == NAMES
    assert found(tmp_path / "out")["best"] == NAMES[0]  # though it was the first to be interrupted, and came late


def test_killed_while_the_grid_is_written_down_it_can_be_resumed(
    corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed], monkeypatch: pytest.MonkeyPatch
) -> None:
    from optuna import Study

    script, put, enqueue = prescribe(), 0, Study.enqueue_trial

    def cut_off(*arguments: Any, **how: Any) -> None:
        nonlocal put
        put += 1
        if put > 2:
            raise KeyboardInterrupt
        enqueue(*arguments, **how)

    with monkeypatch.context() as patch:
        patch.setattr(Study, "enqueue_trial", cut_off)
        with pytest.raises(KeyboardInterrupt):
            begin(corpus, tmp_path / "out")
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["optuna.db"]
    with pytest.raises(DataError, match="there is something already"):
        begin(corpus, tmp_path / "out")
    begin(corpus, tmp_path / "out", resume=True)
    assert [name for name, _ in script.calls] == tried(tmp_path / "out") == NAMES


def test_a_trial_that_was_taken_a_moment_before_the_kill_is_tried_again(
    corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed], monkeypatch: pytest.MonkeyPatch
) -> None:
    prescribe()

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Parameter, "suggest", killed)
        with pytest.raises(KeyboardInterrupt):
            begin(corpus, tmp_path / "out")
    begin(corpus, tmp_path / "out", resume=True)
    assert tried(tmp_path / "out") == NAMES


# -- failures ----------------------------------------------------------------------------------------------------------


def test_a_trial_that_fails_is_told_with_its_log_and_tried_again(
    corpus: Path, whole: Path, tmp_path: Path, prescribe: Callable[..., Prescribed], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int, settings: dict[str, Any]) -> list[float]:
        if (settings["cell"]["hidden"], settings["head"]) == (5, "dot"):
            raise ValueError("no luck")
        return [0.5] * 3

    out = tmp_path / "out"
    prescribe(fail)
    failed, told = begin(corpus, out)
    assert failed == [NAMES[2]]
    (facts,) = [facts for kind, facts in told if kind == "trial" and facts["error"]]
    assert (facts["name"], facts["error"]) == (NAMES[2], "ValueError: no luck")
    log = (out / "runs" / NAMES[2] / "failed.log").read_text()
    assert log.startswith("ValueError: no luck\n\nTraceback")
    assert tried(out) == [name for name in NAMES if name != NAMES[2]]
    monkeypatch.undo()
    failed, told = begin(corpus, out, resume=True)  # in earnest, in a folder that has nothing but the log
    assert failed == []
    assert [facts["name"] for kind, facts in told if kind == "trial"] == [NAMES[2]]
    assert not (out / "runs" / NAMES[2] / "failed.log").exists()
    assert tried(out) == NAMES
    assert found(out)["trials"][2] | {"test_accuracy": None} == found(whole)["trials"][2] | {"test_accuracy": None}


def test_any_path_can_hold_a_search(corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed]) -> None:
    """Its storage is named by a URL, in which some of these characters mean something else."""
    prescribe()
    out = tmp_path / "what? {n} 100%20 # ü&uri=false"
    assert begin(corpus, out)[0] == []
    assert (out / "optuna.db").stat().st_size > 0
    assert sorted(file.name for file in tmp_path.iterdir()) == [out.name]


def test_where_every_trial_fails_the_search_ends(corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed]) -> None:
    def fail(*_: Any) -> list[float]:
        raise ValueError("no luck")

    how: dict[str, Any] = {"sampler": "tpe", "trials": 3}
    script = prescribe(fail)
    failed, _ = begin(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", **how)
    assert len(failed) == len(set(failed)) == len(script.calls) == 3
    assert (found(tmp_path / "out")["trials"], found(tmp_path / "out")["best"]) == ([], None)
    assert not (tmp_path / "out" / "best.toml").exists()
    script = prescribe(fail)
    assert sorted(begin(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", resume=True, **how)[0]) == sorted(failed)
    script = prescribe()
    assert begin(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", resume=True, **how)[0] == []
    assert sorted(name for name, _ in script.calls if _ == 1) == sorted(failed) == sorted(tried(tmp_path / "out"))


def test_what_waits_to_be_tried_again_is_not_put_there_twice(
    corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed]
) -> None:
    how: dict[str, Any] = {"sampler": "tpe", "trials": 3, "settings": small(epochs=1), "resume": True}
    for error in (ValueError, KeyboardInterrupt):  # three fail; then the first of them is interrupted while two wait

        def fail(*_: Any, error: type[BaseException] = error) -> list[float]:
            raise error

        prescribe(fail)
        try:
            begin(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", **how)
        except KeyboardInterrupt:
            assert error is KeyboardInterrupt
    script = prescribe()
    begin(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", **how)
    assert len(script.calls) == len(set(script.calls)) == len(tried(tmp_path / "out")) == 3


def test_a_test_that_fails_is_told_and_tried_again(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("no luck")

    settings = small(epochs=1)
    with monkeypatch.context() as patch:
        patch.setattr(trial_runner, "train", fail)
        failed, _ = begin(corpus, tmp_path / "out", "cell.hidden=3", settings=settings)
    assert failed == ["test of hidden=3: ValueError: no luck"]
    failed, told = begin(corpus, tmp_path / "out", "cell.hidden=3", settings=settings, resume=True)
    assert failed == []
    assert told[-1][1]["test_accuracy"] == found(tmp_path / "out")["trials"][0]["test_accuracy"] is not None


def test_a_storage_that_is_lost_is_one_line(corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed]) -> None:
    def lose(*_: Any) -> list[float]:
        (tmp_path / "shared.db").write_bytes(b"nonsense" * 1000)
        return [0.5] * 3

    prescribe(lose)
    with pytest.raises(DataError, match=r"^--storage: lost; go on with --resume: file is not a database$"):
        begin(corpus, tmp_path / "out", storage=f"sqlite:///{tmp_path}/shared.db")


# -- TPE ---------------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_trials_and_more_can_be_added(
    corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed]
) -> None:
    space = ("learning_rate=1e-4..1e-2", "cell.hidden=3..9", "head=dot,distance")

    def search(name: str, trials: int, seed: int = 0, **how: Any) -> list[dict[str, Any]]:
        prescribe(lambda _, settings: [settings["learning_rate"] * 50 + settings["cell"]["hidden"] / 20])
        settings = small(epochs=1, seed=seed)
        begin(corpus, tmp_path / name, *space, settings=settings, sampler="tpe", trials=trials, **how)
        trials_there: list[dict[str, Any]] = found(tmp_path / name)["trials"]
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
    assert len({name_of(trial["values"]) for trial in more[12:]} - {name_of(trial["values"]) for trial in one}) == 2
    assert search("one", 14, resume=True) == more
    assert search("one", 5, resume=True) == more


def test_after_some_trials_those_below_the_median_are_stopped(
    corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed]
) -> None:
    """Rungs are at 1, 2, 4 and 8 epochs. The first trials are all trained to their end, however bad."""
    good = [[0.9 - 0.1 * k] * 8 for k in range(UNPRUNED)]  # median 0.7
    later = [[0.6] + [1.0] * 7, [0.75] + [0.1] * 7, [0.75] * 8]
    script = prescribe(lambda k, _: [*good, *later][k])
    how: dict[str, Any] = {"sampler": "tpe", "trials": UNPRUNED + 3, "settings": small(epochs=8)}
    _, told = begin(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", **how)
    names = list(script.begun)
    epochs = {name: [epoch for called, epoch in script.calls if called == name] for name in names}
    assert [epochs[name] for name in names[:UNPRUNED]] == [[1, 2, 4, 8]] * UNPRUNED
    assert epochs[names[UNPRUNED]] == [1]  # below the median at its first rung, whatever it would have come to
    assert [epochs[name] for name in names[UNPRUNED + 1 :]] == [[1, 2, 4, 8]] * 2  # the best epoch counts, not the last
    listed = found(tmp_path / "out")["trials"]
    assert [(trial["state"], trial["epochs"]) for trial in listed] == [
        *[("complete", 8)] * UNPRUNED, ("pruned", 1), *[("complete", 8)] * 2
    ]  # fmt: skip
    assert listed[UNPRUNED]["validation_accuracy"] == 0.6
    assert [facts["is_pruned"] for kind, facts in told if kind == "trial"] == [trial["state"] == "pruned" for trial in listed]
    assert found(tmp_path / "out")["best"] == names[0]


def test_a_trial_that_was_stopped_is_never_the_best(corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed]) -> None:
    outcomes = [*[[0.8, 0.1]] * UNPRUNED, [0.7, 1.0]]
    prescribe(lambda k, _: outcomes[k])
    how: dict[str, Any] = {"sampler": "tpe", "trials": UNPRUNED + 1, "settings": small(epochs=2)}
    begin(corpus, tmp_path / "out", "learning_rate=1e-4..1e-2", **how)
    states = [trial["state"] for trial in found(tmp_path / "out")["trials"]]
    assert states == ["complete"] * UNPRUNED + ["pruned"]
    assert found(tmp_path / "out")["best"] == name_of(found(tmp_path / "out")["trials"][0]["values"])


def test_trials_with_equal_values_share_one_training(
    corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = prescribe(lambda _, settings: [settings["cell"]["hidden"] / 10] * 2)
    how: dict[str, Any] = {"sampler": "tpe", "trials": 8, "settings": small(epochs=2)}
    begin(corpus, tmp_path / "after", "cell.hidden=3,4", **how)  # one after the other
    assert len(tried(tmp_path / "after")) == 8
    assert len(script.calls) == len(set(script.calls))
    assert set(tried(tmp_path / "after")) == set(script.begun)
    script = prescribe(lambda _, settings: [settings["cell"]["hidden"] / 10] * 2)
    monkeypatch.setattr(trial_runner.Jobs, "is_full", property(lambda jobs: len(jobs) >= 2))
    begin(corpus, tmp_path / "beside", "cell.hidden=3,4", **how)  # two at once
    assert len(tried(tmp_path / "beside")) == 8
    assert len(script.calls) == len(set(script.calls))
    assert {trial["validation_accuracy"] for trial in found(tmp_path / "beside")["trials"]} <= {0.3, 0.4}


def test_where_more_trials_find_a_better_one_only_that_has_a_test(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    how: dict[str, Any] = {"sampler": "tpe", "settings": small(epochs=1)}
    begin(corpus, tmp_path / "out", "cell.hidden=3..99", trials=1, **how)
    (first,) = found(tmp_path / "out")["trials"]
    assert first["test_accuracy"] is not None
    monkeypatch.setattr(trial_runner, "train_until", lambda *arguments: ([1.0], train_until(*arguments)[1]))
    begin(corpus, tmp_path / "out", "cell.hidden=3..99", trials=2, resume=True, **how)
    one, other = found(tmp_path / "out")["trials"]
    assert one == first | {"test_accuracy": None}
    assert (other["validation_accuracy"], other["test_accuracy"] is None) == (1.0, False)


train_until = trial_runner.train_until


# -- a storage that several share --------------------------------------------------------------------------------------


def test_two_drivers_together_try_each_point_once(corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed]) -> None:
    """While the first is at its first point the second begins, and does the others."""
    storage = f"sqlite:///{tmp_path}/shared.db"

    def one_then_all_others(k: int, settings: dict[str, Any]) -> list[float]:
        if k == 0:
            assert begin(corpus, tmp_path / "two", storage=storage)[0] == []
        return [0.5, 0.5, 0.5 + settings["cell"]["hidden"] / 100]

    script = prescribe(one_then_all_others)
    _, told = begin(corpus, tmp_path / "one", storage=storage)
    assert sorted(script.calls) == sorted((name, 3) for name in NAMES)
    assert [folder.name for folder in (tmp_path / "one" / "runs").iterdir()] == NAMES[:1]
    assert tried(tmp_path / "two") == NAMES[1:]  # as things stood
    assert tried(tmp_path / "one") == NAMES
    assert told[-1] == ("best", {"name": NAMES[2], "validation_accuracy": 0.55, "parameters": None, "test_accuracy": None})
    begin(corpus, tmp_path / "two", storage=storage, resume=True)
    assert found(tmp_path / "two") == found(tmp_path / "one")
    assert len(script.calls) == 4


def test_machines_that_begin_together_do_not_draw_the_same(tmp_path: Path) -> None:
    space = [Parameter.read("cell.hidden=3..9999")]
    storage = f"sqlite:///{tmp_path}/shared.db"
    both = [Trials("together", storage, space, None, 8, 0, who=who) for who in ("one", "two")]
    drawn = [asked[1]["cell.hidden"] for _ in range(4) for trials in both if (asked := trials.ask())]
    assert len(set(drawn)) == 8


def test_what_another_driver_is_at_is_left_to_it(corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed]) -> None:
    storage = f"sqlite:///{tmp_path}/shared.db"

    def interrupted(*_: Any) -> list[float]:
        raise KeyboardInterrupt

    prescribe(interrupted)
    with pytest.raises(KeyboardInterrupt):
        begin(corpus, tmp_path / "one", storage=storage)
    script = prescribe()
    begin(corpus, tmp_path / "two", storage=storage)
    assert [name for name, _ in script.calls] == NAMES[1:]
    begin(corpus, tmp_path / "one", storage=storage, resume=True)
    assert [name for name, _ in script.calls] == [*NAMES[1:], NAMES[0]]
    assert tried(tmp_path / "one") == NAMES


def test_a_point_that_two_put_there_at_the_same_time_is_tried_once(tmp_path: Path) -> None:
    space = [Parameter.read("batch=1,2,3")]
    points = [{"batch": k} for k in (1, 2, 3)]
    trials = Trials("race", f"sqlite:///{tmp_path}/shared.db", space, points, 0, 0, who="one")
    for number, values in enumerate(points):
        trials.study.enqueue_trial(values, user_attrs={POINT: number})
    asked = []
    while found := trials.ask():
        asked.append(found[1])
        trials.complete(found[0], 1, 0.5)
    assert asked == points
    assert [trial["number"] for trial in trials.listed()] == [0, 1, 2]
    assert trials.ended() == 3


# -- elsewhere ---------------------------------------------------------------------------------------------------------


class Elsewhere(InProcess):
    """Has none of our files, room for two jobs, and ends the last first."""

    shares_files = False

    def _room(self) -> int:
        return 2

    def _ended(self, jobs: list[Any]) -> list[Any]:
        return jobs[-1:]


def test_elsewhere_and_in_another_order_the_numbers_are_the_same(corpus: Path, whole: Path, tmp_path: Path) -> None:
    assert begin(corpus, tmp_path / "out", executor=Elsewhere())[0] == []
    assert found(tmp_path / "out") == found(whole)
    assert list(outcome(tmp_path / "out", ("runs",))) == list(outcome(whole, ("runs",)))


def test_elsewhere_a_trial_goes_on_from_rung_to_rung(corpus: Path, tmp_path: Path) -> None:
    how: dict[str, Any] = {"sampler": "tpe", "trials": 2, "settings": small(epochs=4)}
    for name, executor in {"here": InProcess(), "elsewhere": Elsewhere()}.items():
        begin(corpus, tmp_path / name, "cell.hidden=3..5", executor=executor, **how)
    assert found(tmp_path / "here") == found(tmp_path / "elsewhere")
    assert {trial["epochs"] for trial in found(tmp_path / "here")["trials"]} == {4}


@pytest.mark.xdist_group("ray")
def test_on_ray_the_numbers_are_the_same(corpus: Path, whole: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    on_ray(command(corpus, tmp_path / "out", ["cell.hidden=3,5"], "--engine", "ray", "--jobs", "1"), tmp_path)
    ours = found(tmp_path / "out")["trials"]
    assert [trial["values"] for trial in ours] == [{"cell.hidden": 3}, {"cell.hidden": 5}]
    for mine, other in zip(ours, found(whole)["trials"][::2], strict=True):  # whose head is the default
        for fact in ("validation_accuracy", "epochs", "state", "parameters"):
            assert mine[fact] == other[fact]
    assert [file.parent.name for file in tmp_path.glob("out/runs/*/test.json")] == [found(tmp_path / "out")["best"]]


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("space", "said"),
    [
        (["colour=1,2"], "unknown setting 'colour'; known: model, "),
        (["cell.colour=1,2"], "unknown setting cell.colour of tree-rnn; known: hidden, "),
        (["cell.stack=1,2"], "unknown setting cell.stack of tree-rnn; known: hidden, "),
        (["cell.hidden=4,0"], ", at least 1, not 0"),
        (["cell.hidden=4,many"], "setting cell.hidden of tree-rnn: 'many' is not of the kind of 50"),
        (["cell.hidden=4,5.5"], "setting cell.hidden of tree-rnn: 5.5 is not of the kind of 50"),
        (["head=dot,hydra"], "setting head: Input should be 'dot' or 'distance'"),
        (["batch=0,1"], "setting batch: "),
        (["learning_rate=0.1,-0.1"], "setting learning_rate: "),
        (["subexpressions=1", "cell.hidden=4", "subexpressions=2"], "each setting once: subexpressions, cell.hidden, "),
        (["batch=16..32"], "batch: a grid needs values, A,B,C; a range is for --sampler tpe"),
        *(([f"{name}=1,2"], f"{name}: the same for all trials, and cannot be searched") for name in NEVER),
    ],
)
def test_a_bad_space_is_one_line_and_leaves_nothing(space: list[str], said: str, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        begin(corpus, tmp_path / "out", *space)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["batch=1.0..32.0", "batch=1e1..1e3", "cell.hidden=4..8.5", "learning_rate=-1..1"])
def test_a_range_is_checked_at_its_ends_and_between(text: str, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="setting "):
        begin(corpus, tmp_path / "out", text, sampler="tpe")
    assert list(tmp_path.iterdir()) == []


def test_values_that_fit_together_are_not_refused_for_what_they_replace(corpus: Path, tmp_path: Path) -> None:
    """The default has a stack of 2, of which not 3 can be read."""
    settings = small(model="tree-smu")
    assert Sweep(corpus, tmp_path / "out", settings, [Parameter.read("cell.top=2,3"), Parameter.read("cell.stack=3,4")])
    with pytest.raises(DataError, match="tree-smu: top is "):
        Sweep(corpus, tmp_path / "out", settings, [Parameter.read("cell.top=2,3"), Parameter.read("cell.stack=2,4")])


def test_a_corpus_that_every_trial_would_stumble_over_is_refused_at_once(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no train equations of depth 20-30"):
        begin(corpus, tmp_path / "out", settings=small(depths=(20, 30)))
    shutil.copytree(corpus, tmp_path / "part")
    (tmp_path / "part" / "test.parquet").unlink()
    with pytest.raises(DataError, match="test"):
        begin(tmp_path / "part", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_damaged_file_of_trials_is_named(corpus: Path, tmp_path: Path, prescribe: Callable[..., Prescribed]) -> None:
    prescribe()
    begin(corpus, tmp_path / "out")
    (tmp_path / "out" / "optuna.db").write_bytes(b"no database" * 1000)
    with pytest.raises(DataError, match=r"out/optuna.db: cannot be used: file is not a database"):
        begin(corpus, tmp_path / "out", resume=True)


def test_another_sampler_is_unknown(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="unknown sampler 'dice'; known: grid, tpe"):
        begin(corpus, tmp_path / "out", sampler="dice")


def test_a_folder_that_is_in_use_or_of_another_search_is_left_alone(corpus: Path, whole: Path, tmp_path: Path) -> None:
    before = {file: file.read_bytes() for file in whole.rglob("*") if file.is_file()}
    other = write_small_corpus(tmp_path / "other", train=90)
    for said, given in {
        "begun already; go on with --resume, or give a new folder": {},
        "begun with other settings; go on with the same": {"resume": True, "settings": small(batch=21)},
        "begun with another sampler; go on with the same": {"resume": True, "sampler": "tpe"},
    }.items():
        with pytest.raises(DataError, match=said):
            begin(corpus, whole, **given)
    with pytest.raises(DataError, match="begun with another space; go on with the same"):
        begin(corpus, whole, "cell.hidden=3,5", resume=True)
    with pytest.raises(DataError, match="begun with another corpus; go on with the same"):
        begin(other, whole, resume=True)
    assert {file: file.read_bytes() for file in whole.rglob("*") if file.is_file()} == before
    for resume in (False, True):
        with pytest.raises(DataError, match="there is something already; give a new folder"):
            begin(corpus, tmp_path, resume=resume)
        with pytest.raises(DataError, match="there is something already; give a new folder"):
            begin(corpus, other / "manifest.json", resume=resume)
    assert [file.name for file in tmp_path.iterdir()] == ["other"]


def test_a_damaged_summary_is_told(corpus: Path, tmp_path: Path) -> None:
    for text in ("{", "[]", "{}", '{"request": []}'):
        (tmp_path / "sweep.json").write_text(text)
        with pytest.raises(DataError, match=r"sweep\.json: cannot be read; give a new folder"):
            begin(corpus, tmp_path, resume=True)
    assert [file.name for file in tmp_path.iterdir()] == ["sweep.json"]
