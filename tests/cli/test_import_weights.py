"""``treesmu import-weights``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import in_process
import treesmu
from checkpoints import checkpoint
from treesmu.models.released_weights import import_weights

EQUATION = "sin(x)^2 + cos(x)^2 = 1"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: in_process.treesmu(capsys, "import-weights", *arguments)


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file in the authors' format."""
    file = tmp_path_factory.mktemp("theirs") / "exp_small_3_0.1_12345-model-9.checkpoint"
    torch.save(checkpoint("tree-smu"), file)
    return file


def test_weights_are_converted_and_the_next_command_is_printed(run: Any, theirs: Path, tmp_path: Path) -> None:
    out = tmp_path / "model.safetensors"
    done = run(theirs, out)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "tree-smu  n=3  29 functions, 32 leaves, 2,503 parameters"
    gates = "no_op on, normalise softmax, dropout 0.1, child_sum off, pop on, order stack"
    assert lines[1] == f"settings   hidden 3, stack 5, top 1, {gates}, depth 1, expansion 4"
    assert lines[2].startswith("assumed    stack 5, top 1, normalise softmax (")
    assert lines[3].startswith("not used   Number_dec.linear1.weight, ")
    assert lines[4] == f"-> {out}"
    assert lines[5] == f'next: treesmu verify "sin(x)^2 + cos(x)^2 = 1" --model {out}'
    assert [path.name for path in tmp_path.iterdir()] == ["model.safetensors"]
    assert np.array_equal(treesmu.load(out).verify([EQUATION]), import_weights(theirs)[0].verify([EQUATION]))


def test_json_has_everything(run: Any, theirs: Path, tmp_path: Path) -> None:
    done = run(theirs, tmp_path / "model.safetensors", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert (found["model"], found["hidden"], found["file"]) == ("tree-smu", 3, str(tmp_path / "model.safetensors"))
    assert len(found["functions"]) == 29
    assert len(found["unused"]) == 6


def test_an_existing_file_is_refused_and_left_untouched(run: Any, theirs: Path, tmp_path: Path) -> None:
    (tmp_path / "old.safetensors").write_text("old")
    done = run(theirs, tmp_path / "old.safetensors")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"treesmu: {tmp_path / 'old.safetensors'} exists already; choose another name, or remove it first\n"
    assert (tmp_path / "old.safetensors").read_text() == "old"


def test_bad_input_is_one_line_and_exit_code_2(run: Any, theirs: Path, tmp_path: Path) -> None:
    text = tmp_path / "some.checkpoint"
    text.write_text("hello")
    out = tmp_path / "out.safetensors"
    for arguments, message in (
        ((theirs, tmp_path / "model.pt"), f"{tmp_path / 'model.pt'}: weights are stored as .safetensors; choose a name with "),
        ((tmp_path / "missing", out), f"{tmp_path / 'missing'}: cannot be read: No such file or directory"),
        ((text, out), f"{text}: PyTorch cannot read it as a checkpoint of tensors only; "),
        (
            (theirs, tmp_path / "none" / "out.safetensors"),
            f"{tmp_path / 'none' / 'out.safetensors'}: cannot be written: No such",
        ),
        ((theirs,), "Missing argument 'out' (see: treesmu import-weights --help)"),
    ):
        done = run(*arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith(f"treesmu: {message}")
    assert [path.name for path in tmp_path.iterdir()] == ["some.checkpoint"]


def test_help_is_there_and_needs_no_torch(run: Any) -> None:
    done = run("--help")
    assert done.returncode == 0
    assert "*-model-*.checkpoint" in done.stdout
    code = "import sys, treesmu.cli; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
