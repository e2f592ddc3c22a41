"""``treesmu train`` in the process of the test."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from copied_process import die_after_a_checkpoint, run_copy
from in_process import assert_refused, treesmu
from small_runs import settings_of

SMALL = "--epochs 2 --batch 20 --hidden 5".split()
FEW = ["--set", "points=2"]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, "train", *arguments)


# -- output ------------------------------------------------------------------------------------------------------------


def test_a_run_prints_what_it_trains_how_fast_and_what_to_do_next(call: Any, corpus: Path, tmp_path: Path) -> None:
    done = call(corpus, "--out", tmp_path / "run", *SMALL, "--recipe", "treesmu", *FEW, "--depths", "1-9")
    assert (done.returncode, done.stderr) == (0, "")
    first, *lines, best, following = done.stdout.splitlines()
    epochs, (heading, *curve) = lines[:2], lines[2:]
    sizes = r"tree-smu  n=5 p=2 k=1  [\d,]+ parameters   96 equations \(depth 1-9\)   recipe treesmu   seed 0"
    assert re.fullmatch(sizes, first)
    line = r"epoch \d/2 +[\d,]+ eq/s +[\d,]+ nodes/s   loss \d\.\d{3}   validation +\d+\.\d%[* ]   \d:\d\d left"
    assert heading == "validation accuracy by epoch"
    assert curve[-1].split() == ["epoch", "1", "2"]
    assert all(re.fullmatch(line, text) for text in epochs)
    assert re.fullmatch(rf"best [\d.]+% \(epoch [12]\)   test [\d.]+% -> {tmp_path}/run/model.safetensors", best)
    assert following == f"next: treesmu evaluate {tmp_path}/run {corpus}"


def test_json_has_the_result_and_nothing_else(call: Any, corpus: Path, tmp_path: Path) -> None:
    done = call(corpus, "--out", tmp_path / "run", *SMALL, "--model", "tree-rnn", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert set(found) == {"run", "best_validation_accuracy", "best_epoch", "epochs", "test"}
    assert found["test"] == json.loads((tmp_path / "run" / "test.json").read_text())["overall"]


def test_several_seeds_make_one_run_each(call: Any, corpus: Path, tmp_path: Path) -> None:
    done = call(corpus, "--out", tmp_path / "runs", *SMALL, "--seeds", "3,12345", "--json")
    assert done.returncode == 0
    assert [Path(run["run"]).name for run in json.loads(done.stdout)] == ["seed-3", "seed-12345"]
    assert [settings_of(tmp_path / "runs" / name)["seed"] for name in ("seed-3", "seed-12345")] == [3, 12345]
    again = call(corpus, "--out", tmp_path / "runs", *SMALL, "--seeds", "7,3")
    assert_refused(again, "seed-3: the folder is not empty")
    assert not (tmp_path / "runs" / "seed-7").exists()  # refused before the first run, not after it


def test_options_override_set_overrides_the_file_overrides_the_recipe(call: Any, corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(
        'recipe = "treesmu-1"\nepochs = 1\nbatch = 64\npairs = 50\nclip = 1\nsubstitutes = 99\n[cell]\nhidden = 4\nstack = 3\n'
    )
    options = ["--config", file, "--batch", 30, "--set", "batch=40", "--set", "clip=2.5", "--set", "cell.stack=1"]
    done = call(corpus, "--out", tmp_path / "run", *options, "--set", "head=dot", "--set", "rename=false", "--json")
    assert done.returncode == 0
    found = settings_of(tmp_path / "run")
    wanted = {"recipe": "treesmu-1", "epochs": 1, "batch": 30, "pairs": 50, "clip": 2.5, "head": "dot", "rename": False}
    assert found == found | wanted | {"cell": {"hidden": 4, "stack": 1}, "subexpressions": 2.0, "learning_rate": 4e-3}


def test_tensorboard_gets_the_curves(call: Any, corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    assert call(corpus, "--out", tmp_path / "run", *SMALL, "--tensorboard", "--json").returncode == 0
    curves = EventAccumulator(str(tmp_path / "run" / "tensorboard")).Reload()
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    for name in ("loss", "validation_accuracy", "learning_rate", "nodes_per_second"):
        assert [event.step for event in curves.Scalars(name)] == [1, 2]
        assert [event.value for event in curves.Scalars(name)] == pytest.approx([line[name] for line in lines], rel=1e-6)


# -- killed and resumed ------------------------------------------------------------------------------------------------


def test_a_killed_run_continues_with_resume_and_needs_no_setting_again(call: Any, corpus: Path, tmp_path: Path) -> None:
    settings = ["--epochs", 3, "--batch", 20, "--hidden", 5, "--recipe", "treesmu", *FEW, "--seed", 9]
    arguments = ["train", corpus, "--out", tmp_path / "killed", *settings, "--checkpoint-seconds", 0]
    killed = run_copy(*arguments, before=partial(die_after_a_checkpoint, 0))
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not (tmp_path / "killed" / "test.json").exists()
    assert_refused(call(corpus, "--out", tmp_path / "killed", *settings), "continue with --resume")
    assert_refused(call(corpus, "--out", tmp_path / "killed", "--resume", "--batch", 7), "(batch 20, not 7)")
    done = call(corpus, "--out", tmp_path / "killed", "--resume")
    assert (done.returncode, done.stderr) == (0, "")
    assert "continuing after " in done.stdout
    assert call(corpus, "--out", tmp_path / "whole", *settings).returncode == 0
    for name in ("model.safetensors", "last.safetensors", "test.json", "predictions.parquet"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_resume_without_a_run_says_so_and_begins_one(call: Any, corpus: Path, tmp_path: Path) -> None:
    done = call(corpus, "--out", tmp_path / "run", *SMALL, "--resume")
    assert (done.returncode, done.stderr) == (
        0,
        f"treesmu: {tmp_path / 'run'}: there is no run to resume; a new one begins\n",
    )


def test_a_run_with_empty_settings_is_not_taken_for_none(call: Any, corpus: Path, tmp_path: Path) -> None:
    assert call(corpus, "--out", tmp_path / "run", *SMALL).returncode == 0
    stored = tmp_path / "run" / "settings.json"
    stored.write_text(json.dumps(json.loads(stored.read_text()) | {"settings": {}}))
    assert_refused(call(corpus, "--out", tmp_path / "run", *SMALL, "--resume"), f"{stored}: not the settings of a run; ")


def test_a_truncated_checkpoint_is_reported_and_not_changed(call: Any, corpus: Path, tmp_path: Path) -> None:
    assert call(corpus, "--out", tmp_path / "run", *SMALL).returncode == 0
    state = tmp_path / "run" / "resume.safetensors"
    state.write_bytes(state.read_bytes()[:1000])
    before = {path: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    assert_refused(call(corpus, "--out", tmp_path / "run", "--resume"), f"{state}: not a checkpoint of this run (")
    assert {path: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


# -- wrong input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "oracle"], "unknown model 'oracle'; known: tree-smu, tree-lstm, "),
        (["--recipe", "soup"], "unknown recipe 'soup'; known: paper, treesmu"),
        (["--set", "cell.hidden=-1"], " at least 1, not -1"),
        (["--set", "cell.foo=1"], "unknown setting cell.foo of tree-smu; known: hidden, stack, "),
        (["--set", "foo=1"], "unknown setting 'foo'; known: model, recipe, "),
        (["--set", "epochs"], "--set 'epochs': expected NAME=VALUE, such as head=distance or cell.stack=5"),
        (["--set", f"foo={'[' * 100_000}"], "unknown setting 'foo'; known: model, recipe, "),
        (["--set", f"batch={'[' * 100_000}"], "setting batch: Input should be a valid integer"),
        (["--set", "head=hydra"], "setting head: Input should be 'dot' or 'distance'"),
        (["--depths", "7-1"], "depths '7-1': expected A-B with A <= B, such as 1-7"),
        (["--depths", "40-50"], "no train equations of depth 40-50; see: treesmu data stats "),
        (["--model", "lstm", "--recipe", "treesmu"], "the recipe treesmu is for tree models ("),
        (["--model", "lstm", "--set", "subexpressions=1"], "subexpressions is for tree models; lstm has no states of "),
        (["--seeds", "1,x"], "--seeds '1,x': expected whole numbers separated by commas, such as 12093,12345,45678"),
        (["--seeds", "1,1"], "--seeds '1,1': seeds must be different and not negative"),
        (["--seeds", "9" * 5000], f"--seeds '{'9' * 197}...': expected whole numbers"),
        (["--seeds", "1", "--seed", "2"], "--seed and --seeds: give one of them"),
        (["--config", "nowhere.toml"], "nowhere.toml: cannot be read: No such file or directory"),
        (["--device", "abacus"], "unknown device 'abacus'; known: auto, cpu, cuda"),
        (["--batch", "0"], "Invalid value for '--batch'"),
        (["--batch", "9" * 12], "setting batch: Input should be less than or equal to 1000000000"),
        (["--threads", "99999999999"], "Invalid value for '--threads'"),
        (["--set", "start_from=5"], "setting start_from: expected the name of a file of weights, not int"),
        (["--set", "cell.stack=100000000000"], "a memory of 100000000000 x 50 numbers per node is too large"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    arguments: list[str], said: str, call: Any, corpus: Path, tmp_path: Path
) -> None:
    assert_refused(call(corpus, "--out", tmp_path / "run", *arguments), said)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_other_content_is_refused_and_not_changed(call: Any, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"colour": "blue"}')
    assert_refused(call(corpus, "--out", tmp_path), "the folder is not empty; continue with --resume, or give a new folder")
    assert_refused(call(corpus, "--out", tmp_path, "--resume"), "settings.json: not the settings of a run; train into another")
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]


def test_help_and_the_numeric_check_do_not_load_torch() -> None:
    code = "import sys, treesmu.cli as c\nsys.argv = {}\ntry: c.main()\nexcept SystemExit: print('torch' in sys.modules)"
    for arguments in (["treesmu", "--help"], ["treesmu", "train", "--help"], ["treesmu", "verify", "--no-model", "x = x"]):
        done = subprocess.run([sys.executable, "-c", code.format(arguments)], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-1] == "False"
