"""``treesmu train --stream``: killed and resumed, interrupted, and with settings that do not fit."""

from __future__ import annotations

import json
import os
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from copied_process import PATIENCE, die_after_a_checkpoint, run_copy, started
from engine_jobs import wait_until
from in_process import assert_refused, treesmu
from process_groups import wait_until_gone
from small_runs import settings_of
from streams import write_generated

SMALL = "--stream --rows 40 --epochs 3 --batch 20 --hidden 5 --depths 1-4 --mixture near-miss:2,textbook,numeric:0.3".split()


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_generated(tmp_path_factory.mktemp("generated") / "corpus")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, "train", *arguments)


def test_a_killed_run_continues_to_the_same_bytes_and_needs_no_setting_again(
    call: Any, generated: Path, tmp_path: Path
) -> None:
    (tmp_path / "held_out.txt").write_text("x + y = y + x\n")
    settings = [*SMALL, "--recipe", "treesmu", "--seed", 5, "--exclude", tmp_path / "held_out.txt"]
    arguments = ["train", generated, "--out", tmp_path / "killed", *settings, "--checkpoint-seconds", 0, "--jobs", 1]
    killed = run_copy(*arguments, before=partial(die_after_a_checkpoint, 1))
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert_refused(
        call(generated, "--out", tmp_path / "killed", "--resume", "--mixture", "slip"), "with other settings (mixture "
    )
    done = call(generated, "--out", tmp_path / "killed", "--resume", "--jobs", 2)
    assert done.returncode == 0
    assert "40 new equations per epoch (depth 1-4)" in done.stdout
    assert call(generated, "--out", tmp_path / "whole", *settings).returncode == 0
    for name in ("model.safetensors", "last.safetensors", "settings.json", "test.json", "predictions.parquet"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    stored = json.loads((tmp_path / "whole" / "settings.json").read_text())
    assert stored["settings"]["exclude"] == [str(tmp_path / "held_out.txt")]
    assert stored["stream"]["mixture"] == {"numeric": 0.3, "textbook": 1.0, "near-miss": 2.0}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow)])
def test_an_interruption_ends_the_workers_and_says_so_in_one_line(
    sent: signal.Signals, code: int, generated: Path, tmp_path: Path
) -> None:
    errors, command = tmp_path / "errors", ["train", generated, "--out", tmp_path / "run", *SMALL]
    with started(*command, "--epochs", 500, "--jobs", 2, errors=errors) as process:
        assert process.pid is not None
        wait_until(lambda: (tmp_path / "run" / "metrics.jsonl").exists() or not process.is_alive())
        os.killpg(process.pid, sent)
        process.join(PATIENCE)
        assert process.exitcode == code
        wait_until_gone(process.pid)
    assert errors.read_text().splitlines()[-1:] == [f"treesmu: {'interrupted' if code == 130 else 'terminated'}"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--mixture", "slip"], "mixture is a setting of a stream; add --stream"),
        (["--stream", "--mixture", "gossip"], "mixture: unknown source 'gossip'; known: "),
        (["--stream", "--mixture", "slip:x"], "setting mixture.slip: Input should be a valid number"),
        (
            ["--stream", "--depths", "5-7", "--mixture", "textbook"],
            "mixture: textbook has equations of depth 1-4, none of depth 5-7",
        ),
        (["--stream", "--exclude", "nowhere.csv"], "--exclude nowhere.csv: there is no such file or folder"),
        (["--stream", "--set", "substitutes=9"], "substitutes: a stream has no copies"),
        (["--stream", "--model", "majority"], "stream: the model majority counts"),
        (["--stream", "--engine", "abacus"], "unknown engine 'abacus'; known: local, ray"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    arguments: list[str], said: str, call: Any, generated: Path, tmp_path: Path
) -> None:
    assert_refused(call(generated, "--out", tmp_path / "run", *arguments), said)
    assert list(tmp_path.iterdir()) == []


def test_a_corpus_that_was_not_generated_has_no_stream(call: Any, corpus: Path, tmp_path: Path) -> None:
    assert_refused(call(corpus, "--out", tmp_path / "run", "--stream"), "has no settings of a generator; a stream needs")


def test_a_mixture_can_stand_in_a_file(call: Any, generated: Path, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(
        "stream = true\nrows = 20\nepochs = 1\ndepths = '1-4'\n[mixture]\nnumeric = 1\n[cell]\nhidden = 4\n"
    )
    assert call(generated, "--out", tmp_path / "run", "--config", tmp_path / "run.toml", "--json").returncode == 0
    assert settings_of(tmp_path / "run")["mixture"] == {"numeric": 1.0}
