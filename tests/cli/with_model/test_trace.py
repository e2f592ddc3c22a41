"""``treesmu trace``: the tree in the terminal, files, JSON, and refusals."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest
import torch

import treesmu as library
from in_process import assert_refused, treesmu
from paths import HELPERS
from traces import small_model
from treesmu.models.store import save
from treesmu.plugins import load_plugin

EQUATION = "sin(x)^2 + cos(x)^2 = 1"

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    file = tmp_path / "model.safetensors"
    save(small_model(), file)
    return file


def test_a_pipe_gets_the_whole_drawing_without_colours(capsys: pytest.CaptureFixture[str], model: Path) -> None:
    done = treesmu(capsys, "trace", EQUATION, "--model", model)
    assert done.returncode == 0
    assert done.stdout == library.load(model).trace(EQUATION).text() + "\n"
    assert "\033" not in done.stdout


class Terminal(io.TextIOWrapper):
    """Standard output that is a terminal with an encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, write_through=True)

    def isatty(self) -> bool:
        return True

    def text(self) -> str:
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode(self.encoding)


@pytest.mark.parametrize(("encoding", "no_colour"), [("utf-8", False), ("utf-8", True), ("ascii", False)])
def test_a_terminal_gets_its_width_its_characters_and_colours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, model: Path, encoding: str, no_colour: bool
) -> None:
    screen = Terminal(encoding)
    monkeypatch.setattr("treesmu.cli.trace.shutil.get_terminal_size", lambda **_: os.terminal_size((64, 20)))
    monkeypatch.setenv("TERM", "xterm-256color")
    if no_colour:
        monkeypatch.setenv("NO_COLOR", "1")
    else:
        monkeypatch.delenv("NO_COLOR", raising=False)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", screen)
        assert treesmu(capsys, "trace", EQUATION, "--model", model).returncode == 0
    expected = library.load(model).trace(EQUATION).text(64, ascii_only=encoding == "ascii", colour=not no_colour)
    assert screen.text() == expected + "\n"
    assert ("\033" in screen.text()) == (not no_colour)


@pytest.mark.parametrize("ending", ["svg", "html", "json"])
def test_a_file_is_written_instead(capsys: pytest.CaptureFixture[str], tmp_path: Path, model: Path, ending: str) -> None:
    out = tmp_path / f"tree.{ending}"
    done = treesmu(capsys, "trace", EQUATION, "--model", model, "--out", out)
    assert (done.returncode, done.stdout) == (0, f"10 nodes -> {out}\n")
    trace = library.load(model).trace(EQUATION)
    text = out.read_text(encoding="utf-8")
    assert json.loads(text) == trace.to_dict() if ending == "json" else text == getattr(trace, ending)()


def test_json_has_the_values_of_the_python_interface(capsys: pytest.CaptureFixture[str], model: Path) -> None:
    done = treesmu(capsys, "trace", EQUATION, "--model", model, "--json")
    assert json.loads(done.stdout) == library.load(model).trace(EQUATION).to_dict()


def test_a_cell_of_a_plugin(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plugin, file = HELPERS / "my_cell.py", tmp_path / "own.safetensors"
    load_plugin(plugin)
    save(small_model("my-cell"), file)
    done = treesmu(capsys, "trace", "sin(x) + 1", "--model", file, "--plugin", plugin)
    assert done.returncode == 0
    assert done.stdout.splitlines()[3].split() == ["memory", "|h|", "g"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x = _"], "there is a blank"),
        (["x = 10^700"], "700 is not in the vocabulary"),
        (["x = x", "--out", "tree.png"], "tree.png: a trace is written to a file that ends with .svg, .html or .json"),
        (["x = x", "--out", "absent/tree.svg"], "absent/tree.svg: cannot be written"),
        (["+".join(["x"] * 1500)], "2,999 nodes; at most 2,000 can be traced"),
    ],
)
def test_wrong_input_is_one_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    model: Path,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(treesmu(capsys, "trace", *arguments, "--model", model), message)
    assert list(tmp_path.iterdir()) == [model]


def test_a_model_without_states_of_nodes_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "lstm.safetensors"
    save(small_model("lstm"), file)
    assert_refused(treesmu(capsys, "trace", "x = x", "--model", file), "lstm has no states of nodes", "trace a tree model")


def test_a_model_that_diverged_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    diverged, file = small_model(depth=2, expansion=1), tmp_path / "diverged.safetensors"
    diverged.encoder.leaves.embedding.weight.data.fill_(3e38)
    for weights in diverged.encoder.wiring.parameters():  # infinite after one layer; inf - inf after two, on every processor
        weights.data.copy_(torch.where(torch.arange(weights.numel()) % 7 < 3, 10.0, -10.0).view_as(weights))
    save(diverged, file)
    done = treesmu(capsys, "trace", "sin(x) = x", "--model", file, "--json")
    assert_refused(done, "not finite")
