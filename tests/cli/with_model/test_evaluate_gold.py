"""``treesmu evaluate`` on the equations of blanks, on confirmed labels only, and with symbols that training lacked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from authors_files import by_level
from in_process import assert_refused, treesmu
from paths import REFERENCE
from treesmu.data import Example, Vocab, write_authors
from treesmu.data.augment.trained_symbols import TrainedSymbols
from treesmu.expr import parse
from treesmu.models import build, load, save
from treesmu.models.released_weights import import_weights

BLANKS = {"x + x = 2*x": (0, 1), "1*x = x": (0, 0), "sin(x)^2 + cos(x)^2 = 1": (1,), "x + 1 = x": (1,)}  # the last is false
FILLERS = {"x": "a", "1": "b", "2": "c", "1*x": "a"}
WEIGHTS = REFERENCE / "exp_gatedpushpop_normalize_no_op_50_0.1_12345-model-97.checkpoint"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    torch.manual_seed(1)
    save(build("tree-smu", Vocab.default(), {"hidden": 5}), tmp_path / "model.safetensors")
    return tmp_path / "model.safetensors"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a file of blanks and one of candidates in the authors' format; depths are by level."""
    folder = tmp_path / "files"
    folder.mkdir()
    write_authors(folder / "40k_test_blank_0.json", [[Example(parse(e), "1", blank=path) for e, path in BLANKS.items()]])
    write_authors(folder / "candidates.json", [[Example(parse(e), "-1", class_=name) for e, name in FILLERS.items()]])
    for file in folder.iterdir():
        file.write_text(by_level(file.read_text()))
    return folder


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, "evaluate", *arguments)


def test_the_recall_on_the_equations_of_blanks(call: Any, model: Path, files: Path) -> None:
    wanted = int((load(model).verify(BLANKS) >= 0.5).sum())
    for data in (files / "40k_test_blank_0.json", files):  # a file, and a folder that has other files too
        found = json.loads(call(model, data, "--json").stdout)["overall"]
        assert (found["equations"], found["correct"], found["called_correct"]) == (4, 4, wanted)
        assert (found["recall"], found["specificity"]) == (wanted / 4, None)


def test_wrong_fillers_give_the_specificity_beside_the_recall(call: Any, model: Path, files: Path) -> None:
    arguments = (model, files / "40k_test_blank_0.json", "--candidates", files / "candidates.json")
    found = json.loads(call(*arguments, "--json").stdout)
    overall = found["overall"]
    assert (overall["equations"], overall["correct"]) == (8, 4)
    assert found["blanks"] == {
        "gold": 4,
        "wrong_fillers": 4,
        "recall": overall["recall"],
        "specificity": overall["specificity"],
        "mean": (overall["recall"] + overall["specificity"]) / 2,
    }
    assert {depth: row["equations"] for depth, row in found["by_depth"].items()} == {"2": 6, "4": 2}
    assert " of 4 wrong fillers; mean " in call(*arguments).stdout
    assert json.loads(call(*arguments, "--depths", "4", "--json").stdout)["blanks"]["gold"] == 1


def test_only_what_the_numeric_check_confirms(call: Any, model: Path, files: Path, tmp_path: Path) -> None:
    blanks = files / "40k_test_blank_0.json"
    found = json.loads(call(model, blanks, "--confirmed", "--json").stdout)
    assert (found["overall"]["equations"], found["not_confirmed"]) == (3, 1)
    (tmp_path / "some.csv").write_text("equation,label\nx = x,1\nx = x + 1,1\nx = 2*x,0\nsqrt(x^2) = x,1\n")
    done = call(model, tmp_path / "some.csv", "--confirmed")
    assert done.stdout.endswith("left out, since the numeric check does not confirm the label: 2 equations\n")
    (tmp_path / "wrong.csv").write_text("equation,label\nx = x,0\nx = x + 1,1\n")
    refused = call(model, tmp_path / "wrong.csv", "--confirmed")
    assert refused.returncode == 2
    assert "wrong.csv: no labelled equations that the numeric check confirms" in refused.stderr


def test_options_that_do_not_fit_are_refused(call: Any, model: Path, files: Path, tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text("x = x\n")
    fillers = ("--candidates", files / "candidates.json")
    assert_refused(call(model, tmp_path / "some.txt", *fillers), "some.txt: no blanks, so that no wrong filler can be put in")
    assert_refused(call(model, files, "--task", "complete", "--confirmed"), "--confirmed and --raw belong to --task verify")
    assert_refused(call(model, files, *fillers, "--depths", "9"), "no blanks of depth 9")


def test_a_bad_candidate_is_named_and_left_out(call: Any, model: Path, files: Path) -> None:
    examples = json.loads((files / "candidates.json").read_text())
    examples[0][1]["equation"]["func"] = "cosine"
    (files / "candidates.json").write_text(json.dumps(examples))
    for task in ("verify", "complete"):
        done = call(model, files, "--candidates", files / "candidates.json", "--task", task)
        assert done.returncode == 0
        first, last = done.stderr.splitlines()
        assert first.startswith(f"treesmu: {files / 'candidates.json'}: depth list 0, example 1: func has 1 entries")
        assert last == "treesmu: 1 bad candidate left out"


def test_symbols_that_training_lacked_are_named_once(call: Any, model: Path, files: Path) -> None:
    loaded = load(model)
    loaded.trained = TrainedSymbols(("Add", "Mul"), ("x", "1", "2"))
    save(loaded, model)
    done = call(model, files, "--json")
    assert json.loads(done.stdout)["untrained"] == {"symbols": ["Pow", "sin", "cos"], "equations": 1}
    assert done.stderr == (
        "treesmu: warning: Pow, sin, cos do not occur in the training equations of the model: it reads 1 equation with "
        "untrained weights\n"
    )
    complete = ("--task", "complete", "--candidates", files / "candidates.json", "--no-true", "--json")
    assert json.loads(call(model, files, *complete).stdout)["untrained"] == {
        "symbols": ["Pow", "sin", "cos"],
        "blanks": 1,
        "candidates": 0,
    }


@pytest.mark.skipif(not WEIGHTS.exists(), reason="the authors' weights are not here (shared/reference)")
def test_the_authors_weights_call_their_equations_correct(call: Any, tmp_path: Path) -> None:
    save(import_weights(WEIGHTS)[0], tmp_path / "authors.safetensors")
    fillers = ("--candidates", REFERENCE / "candidate_classes.json", "--confirmed", "--json")
    found = json.loads(call(tmp_path / "authors.safetensors", REFERENCE / "40k_test_blank_8.json", *fillers).stdout)["blanks"]
    assert min(found["gold"], found["wrong_fillers"]) > 100
    assert np.clip(found["mean"], 0.84, 0.96) == found["mean"]  # on all of their files together it is 0.904
