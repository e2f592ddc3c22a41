"""A plugin whose code has changed since training: commands say so in one line, and training is not resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corpora import write_small_corpus
from in_process import assert_refused, treesmu
from treesmu import plugins, registry
from user_cell import USER_CELL, write_plugin


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_corpus(tmp_path_factory.mktemp("corpora") / "small")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, *arguments)


@pytest.fixture
def changed(call: Any, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The plugin of a run in tmp_path, with other code than the run was trained with."""
    command = ("train", corpus, "--model", USER_CELL, "--out", tmp_path / "run", "--epochs", 1)
    assert call(*command, "--plugin", write_plugin(tmp_path)).returncode == 0
    monkeypatch.setattr(registry, "_entries", {name: registry._entries[name] for name in registry.BUILT_IN})
    monkeypatch.setattr(plugins, "_loaded", {})  # as in the next process
    return write_plugin(tmp_path, other_code=True)


@pytest.mark.filterwarnings("always")
def test_every_command_that_uses_the_model_says_so_in_one_line(call: Any, changed: Path, corpus: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    for arguments in [
        ("evaluate", run, corpus),
        ("verify", "x = x", "--model", run),
        ("complete", "x + _ = 2x", "--model", run),
    ]:
        done = call(*arguments, "--plugin", changed)
        assert done.returncode == 0
        said = (
            "treesmu: warning: {}: the code of the model 'user-cell' has changed since this file was written, so its results "
        )
        assert done.stderr.startswith(said.format(run / "model.safetensors"))
        others = [line for line in done.stderr.splitlines() if "in the training equations" not in line]  # of fillers
        assert len(others) == 1


def test_training_is_not_resumed(call: Any, changed: Path, corpus: Path, tmp_path: Path) -> None:
    before = {file: file.read_bytes() for file in (tmp_path / "run").iterdir()}
    done = call("train", corpus, "--out", tmp_path / "run", "--resume", "--plugin", changed)
    assert_refused(done, "the code of the model 'user-cell' has changed since this run began; resume it with the code")
    assert {file: file.read_bytes() for file in (tmp_path / "run").iterdir()} == before


def test_with_the_code_as_it_was_it_is_resumed(call: Any, changed: Path, corpus: Path, tmp_path: Path) -> None:
    del changed
    done = call("train", corpus, "--out", tmp_path / "run", "--resume", "--plugin", write_plugin(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")


def test_each_of_several_plugins_must_register_a_model(call: Any, tmp_path: Path) -> None:
    empty = tmp_path / "empty.py"
    empty.touch()
    done = call("verify", "x = x", "--plugin", write_plugin(tmp_path), "--plugin", empty)
    assert_refused(done, f"plugin {empty} registered no model; call treesmu.register")
