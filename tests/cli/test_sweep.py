"""``treesmu sweep`` in the process of the test."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from in_process import assert_refused, treesmu
from small_runs import settings_of
from treesmu.experiments.tuning import trial_runner
from treesmu.experiments.tuning.sweep import Sweep

pytest.importorskip("optuna")
pytestmark = pytest.mark.usefixtures("one_thread")

COMMON = ["--epochs", 1, "--set", "batch=20", "--set", "clip=1", "--depths", "1-9", "--jobs", 1]
SMALL = [*COMMON, "--model", "tree-rnn", "--over", "cell.hidden=3,4"]
FIGURES = {"sweep.svg", "sweep.pdf", "sweep.png", "sweep.csv"}
TABLES = {"trials.md", "trials.csv", "trials.tex"}


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, "sweep", *arguments)


def contents(out: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}


# -- output ------------------------------------------------------------------------------------------------------------


def test_a_sweep_prints_each_trial_the_best_one_and_what_to_do_next(
    call: Any, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    done = call(corpus, "--out", out, *SMALL)
    assert done.returncode == 0
    first, *trials = done.stderr.splitlines()
    assert first == "trials: 2 to do"
    line = r"\[(\d)/2\] (hidden=\d)   validation \d+\.\d%   \(\d:\d\d left\)"
    told = [re.fullmatch(line, text) for text in trials]
    assert [match and match.groups() for match in told] == [("1", "hidden=3"), ("2", "hidden=4")]
    best, table, figure, following = done.stdout.splitlines()
    content = json.loads((out / "sweep.json").read_text())
    assert re.fullmatch(rf"best    {content['best']}   validation \d+\.\d%   test \d+\.\d%", best)
    assert (table, figure) == (f"table   {out}/tables/trials.md", f"figure  {out}/figures/sweep.svg")
    assert following == f"next    treesmu train {corpus} --config {out}/best.toml --out RUN"
    assert {file.name for file in (out / "tables").iterdir()} == TABLES
    assert {file.name for file in (out / "figures").iterdir()} == FIGURES

    trained = treesmu(capsys, "train", corpus, "--config", out / "best.toml", "--out", tmp_path / "run")
    assert trained.returncode == 0
    assert settings_of(tmp_path / "run") == settings_of(out / "runs" / content["best"])
    assert (tmp_path / "run" / "test.json").read_bytes() == (out / "runs" / content["best"] / "test.json").read_bytes()

    before = contents(out)
    assert_refused(
        call(corpus, "--out", out, *SMALL), f"{out}: already contains a sweep; continue it with --resume, or give a new folder"
    )
    assert_refused(
        call(corpus, "--out", out, *SMALL, "--resume", "--seed", 5),
        f"{out}: contains a sweep with other settings; continue it with",
    )
    assert_refused(
        call(corpus, "--out", tmp_path, *SMALL), f"{tmp_path}: exists and contains something else; give a new folder"
    )
    assert contents(out) == before
    again = call(corpus, "--out", out, *SMALL, "--resume")
    assert (again.returncode, again.stderr, again.stdout) == (0, "trials: 0 to do, 2 done\n", done.stdout)


def test_json_has_the_result_and_nothing_else(call: Any, corpus: Path, tmp_path: Path) -> None:
    options = [*COMMON, "--over", "learning_rate=1e-4..1e-2", "--over", "cell.hidden=3", "--sampler", "tpe", "--trials", 1]
    done = call(corpus, "--out", tmp_path / "out", *options, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert set(found) == {"out", "best", "failed", "tables", "figures"}
    (trial,) = json.loads((tmp_path / "out" / "sweep.json").read_text())["trials"]
    assert found["failed"] == []
    wanted = {name: trial[name] for name in ("validation_accuracy", "test_accuracy", "parameters")}
    assert found["best"] == wanted | {"name": f"learning_rate={trial['values']['learning_rate']},hidden=3"}
    for kind, names in {"tables": TABLES, "figures": FIGURES}.items():
        assert {Path(file).name for file in found[kind]} == names
        assert all(Path(file).is_file() for file in found[kind])


def test_the_model_and_all_else_may_be_in_a_file(call: Any, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "lstm.toml").write_text('model = "lstm"\nepochs = 7\nbatch = 24\n[cell]\ndropout = 0.25\n')
    options = ["--config", tmp_path / "lstm.toml", "--epochs", 1, "--over", "cell.hidden=3", "--jobs", 1, "--seed", 7]
    assert call(corpus, "--out", tmp_path / "out", *options, "--json").returncode == 0
    found = settings_of(tmp_path / "out" / "runs" / "hidden=3")
    assert found == found | {"model": "lstm", "epochs": 1, "batch": 24, "seed": 7, "cell": {"hidden": 3, "dropout": 0.25}}


def test_without_a_space_it_is_the_papers_grid(
    call: Any, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(Sweep, "run", lambda search, *_: asked.append(search) or [])
    monkeypatch.setattr("treesmu.report.sweep.write_sweep", lambda _: None)
    for model, points in {"tree-smu": 210, "tree-lstm": 30}.items():
        assert call(corpus, "--out", tmp_path / "out", "--model", model).returncode == 0
        assert len(asked.pop().plan.points) == points
    assert call(corpus, "--out", tmp_path / "out").returncode == 0
    assert asked[0].plan.settings.model == "tree-smu"


# -- failures ----------------------------------------------------------------------------------------------------------


def test_a_trial_that_fails_is_reported_and_the_exit_code_is_1(
    call: Any, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, train = tmp_path / "out", trial_runner.train_until

    def fail(corpus: Path, folder: Path, settings: dict[str, Any], *how: Any) -> Any:
        if settings["cell"]["hidden"] == 4:
            raise ValueError("no luck")
        return train(corpus, folder, settings, *how)

    with monkeypatch.context() as patch:
        patch.setattr(trial_runner, "train_until", fail)
        done = call(corpus, "--out", out, *SMALL)
        assert done.returncode == 1
        last = "treesmu: 1 failed, the first: hidden=4; remove the cause and continue with --resume"
        assert done.stderr.splitlines()[-1] == last
        assert "[2/2] hidden=4   failed: ValueError: no luck" in done.stderr
        assert done.stdout.startswith("best    hidden=3   validation ")
        assert "ValueError: no luck" in (out / "runs" / "hidden=4" / "failed.log").read_text()
        told = json.loads(call(corpus, "--out", out, *SMALL, "--resume", "--json").stdout)
        assert told["failed"] == ["hidden=4"]
    done = call(corpus, "--out", out, *SMALL, "--resume")
    assert (done.returncode, done.stderr.splitlines()[0]) == (0, "trials: 1 to do, 1 done")
    assert len(json.loads((out / "sweep.json").read_text())["trials"]) == 2


def test_where_every_trial_fails_there_is_no_figure_and_no_crash(
    call: Any, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("no luck")

    monkeypatch.setattr(trial_runner, "train_until", fail)
    done = call(corpus, "--out", tmp_path / "out", *SMALL, "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert (told["best"], told["failed"], told["tables"], told["figures"]) == (None, ["hidden=3", "hidden=4"], [], [])
    assert {file.name for file in (tmp_path / "out").iterdir()} == {"optuna.db", "runs", "sweep.json"}


# -- storages ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("storage", "said"),
    [
        ("sqlite:////nowhere/at/all.db", "--storage: cannot be used: unable to open database file"),
        ("oracle9://me:Passw0rd@host/db", "--storage: cannot be used: Can't load plugin: sqlalchemy.dialects:oracle9"),
        ("postgresql+nodriver://me:Passw0rd@host/db", "--storage: cannot be used: Can't load plugin"),
        ("postgresql://me:a@Passw0rd:x@host/db", "--storage: cannot be used: expected a URL such as postgresql://NAME:"),
        ("Passw0rd", "--storage: cannot be used: "),
    ],
)
def test_a_storage_that_cannot_be_used_is_one_line_without_its_password(
    storage: str, said: str, call: Any, corpus: Path, tmp_path: Path
) -> None:
    done = call(corpus, "--out", tmp_path / "out", *SMALL, "--storage", storage)
    assert_refused(done, said)
    assert "Passw0rd" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_url_of_a_storage_is_not_written_to_any_file(call: Any, corpus: Path, tmp_path: Path) -> None:
    """For SQLite it is a part of a file name; for a server it would be a password."""
    (tmp_path / "shared").mkdir()
    url = f"sqlite:///{tmp_path}/shared/Passw0rd.db"
    done = call(corpus, "--out", tmp_path / "out", *SMALL[:-1], "cell.hidden=3", "--storage", url)
    assert done.returncode == 0
    assert "Passw0rd" not in done.stdout + done.stderr
    assert [file for file, content in contents(tmp_path / "out").items() if b"Passw0rd" in content] == []
    assert not (tmp_path / "out" / "optuna.db").exists()


# -- wrong input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "oracle"], "unknown model 'oracle'; known: tree-smu, tree-lstm, "),
        (["--model", "majority"], "majority has no settings to search"),
        (["--sampler", "dice"], "unknown sampler 'dice'; known: grid, tpe"),
        (["--trials", "5"], "--trials is for --sampler tpe; a grid is tried completely"),
        (["--sampler", "tpe", "--trials", "0"], "Invalid value for '--trials'"),
        (["--over", "cell.hidden"], "'cell.hidden': expected NAME=A,B,C or NAME=LOW..HIGH, such as "),
        (["--over", "cell.hidden=[1]"], "'cell.hidden=[1]': expected NAME=A,B,C or "),
        (["--over", f"batch={'[' * 100_000}"], "setting batch: Input should be a valid integer"),
        (["--over", "cell.hidden=3,3"], "'cell.hidden=3,3': a value is given more than once"),
        (["--over", "cell.hidden=3..9"], "cell.hidden: a grid needs values, A,B,C; a range is for --sampler tpe"),
        (["--over", "batch=3", "--over", "batch=4"], "a setting is given more than once: batch, batch"),
        (["--over", "epochs=1,2"], "epochs is the same for all trials and cannot be searched"),
        (["--over", "colour=1,2"], "unknown setting 'colour'; known: model, recipe, "),
        (["--over", "cell.colour=1,2"], "unknown setting cell.colour of tree-smu; known: hidden, stack, "),
        (["--over", "cell.hidden=3,-1"], " at least 1, not -1"),
        (["--set", "cell.colour=1"], "unknown setting cell.colour of tree-smu; known: hidden, stack, "),
        (["--set", "epochs"], "--set 'epochs': expected NAME=VALUE, such as "),
        (["--config", "nowhere.toml"], "nowhere.toml: cannot be read: No such file or directory"),
        (["--engine", "abacus"], "unknown engine 'abacus'; known: local, ray"),
        (["--address", "127.0.0.1:1"], "--address is the address of a Ray cluster: add --engine ray"),
        (["--depths", "7-1"], "depths '7-1': expected A-B with A <= B, such as 1-7"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    arguments: list[str], said: str, call: Any, corpus: Path, tmp_path: Path
) -> None:
    assert_refused(call(corpus, "--out", tmp_path / "out", *arguments), said)
    assert list(tmp_path.iterdir()) == []


def test_without_optuna_the_message_says_how_to_install_it(
    call: Any, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    assert_refused(call(corpus, "--out", tmp_path / "out", *SMALL), "treesmu sweep needs optuna: pip install 'treesmu[sweep]'")
