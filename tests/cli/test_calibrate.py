"""``treesmu calibrate`` in the process of the test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from in_process import assert_refused, treesmu
from treesmu.data import Dataset, Vocab
from treesmu.expr import parse
from treesmu.files import lock_folder
from treesmu.models import build, load, save
from treesmu.models.completion.prior import ValuePrior

TRUE = ("x = x", "x + 1 = 1 + x", "sin(x)*1 = sin(x)", "sin(x + y) = sin(y + x)", "x = x + 0", "-(-x) = x")
FALSE = ("x = 1", "x + 1 = x", "sin(x)*2 = sin(x)", "sin(x + y) = sin(y*x)", "x = x + 1", "-(-x) = -x")


def rows(split: str, number: int = 1) -> Dataset:
    return Dataset.of([parse(text) for text in (TRUE + FALSE) * number], ([1] * 6 + [0] * 6) * number, "rewrite", split)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for split in ("train", "validation", "test"):
        rows(split, 4 if split == "validation" else 1).write(folder / f"{split}.parquet")
    return folder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    torch.manual_seed(1)
    model = build("tree-smu", Vocab.default(), {"hidden": 5}).half()
    model.prior = ValuePrior(0.3, {"x": 3})
    save(model, tmp_path / "model.safetensors", {"from": "here"})
    return tmp_path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, "calibrate", *arguments)


def test_the_calibration_is_stored_and_everything_else_stays_as_it_is(call: Any, run: Path, corpus: Path) -> None:
    before = load(run / "model.safetensors")
    done = call(run, corpus)
    assert (done.returncode, done.stderr) == (0, "")
    after = load(run / "model.safetensors")
    assert before.calibration is None
    assert after.calibration is not None
    assert after.calibration.depths == (1, 2, 3)
    assert after.note == {"from": "here"}
    assert after.prior is not None
    pairs = zip(before.parameters(), after.parameters(), strict=True)
    assert all(torch.equal(a, b) and a.dtype == torch.float16 for a, b in pairs)
    lines = done.stdout.splitlines()
    assert [line.split()[:2] for line in lines[2:6]] == [["1", "8"], ["2", "16"], ["3", "24"], ["all", "48"]]
    assert lines[-1] == f"-> {run / 'model.safetensors'}"


def test_another_file_json_and_the_same_result_again(call: Any, run: Path, corpus: Path, tmp_path: Path) -> None:
    out, before = tmp_path / "new.safetensors", (run / "model.safetensors").read_bytes()
    found = json.loads(call(run / "model.safetensors", corpus, "--out", out, "--json").stdout)
    assert (run / "model.safetensors").read_bytes() == before
    assert (found["file"], found["equations"], found["unreadable"]) == (str(out), 48, 0)
    assert found["raw"]["overall"].keys() == found["calibrated"]["overall"].keys()
    calibration = load(out).calibration
    assert calibration is not None
    assert calibration.to_dict() == found["calibration"]
    again = json.loads(call(out, corpus, "--json").stdout)  # a calibration is replaced, not added to
    assert again == found
    assert_refused(call(run, corpus, "--out", out), "new.safetensors exists already; choose another name")


def test_a_file_a_split_or_some_depths_of_equations(call: Any, run: Path, corpus: Path) -> None:
    assert json.loads(call(run, corpus / "test.parquet", "--json").stdout)["equations"] == 12
    assert json.loads(call(run, corpus, "--split", "test", "--json").stdout)["equations"] == 12
    found = json.loads(call(run, corpus, "--depths", "2-2", "--json").stdout)
    assert (found["equations"], found["calibration"]["depths"]) == (16, [2])


def test_equations_that_the_model_cannot_read_are_left_out(call: Any, run: Path, tmp_path: Path) -> None:
    data = tmp_path / "some.csv"
    data.write_text("equation,label\nx = x,1\nx = 1,0\nx = 7/13,0\n")
    done = call(run, data, "--json")
    assert "treesmu: the model cannot read 1 equation, which is left out: " in done.stderr
    found = json.loads(done.stdout)
    assert (found["equations"], found["unreadable"]) == (2, 1)


def test_wrong_input_is_refused_and_nothing_is_written(call: Any, run: Path, corpus: Path, tmp_path: Path) -> None:
    before = (run / "model.safetensors").read_bytes()
    assert_refused(call(tmp_path / "none", corpus), "none: there is no such file or folder; give a run folder")
    assert_refused(call(run, tmp_path / "none"), "there is no such file or folder")
    assert_refused(call(run, corpus, "--split", "rest"), "there is no split 'rest'; known: train, validation, test")
    assert_refused(call(run, corpus, "--depths", "9-12"), "corpus: no labelled equations of depth 9-12")
    Dataset.of([parse(text) for text in TRUE], [1] * 6).write(tmp_path / "true.parquet")
    needed = "true.parquet: all equations are correct; a calibration needs correct and incorrect ones"
    assert_refused(call(run, tmp_path / "true.parquet"), needed)
    assert (run / "model.safetensors").read_bytes() == before


def test_a_model_whose_folder_is_in_use_is_not_changed(call: Any, run: Path, corpus: Path, tmp_path: Path) -> None:
    """Of a training that runs beside it, one of the two would lose its result."""
    before = (run / "model.safetensors").read_bytes()
    with lock_folder(run):
        for model in (run, run / "model.safetensors"):
            remedy = "wait for it, or write a new file: --out FILE"
            assert_refused(call(model, corpus), f"{run}: another process is using this folder; {remedy}")
        assert call(run, corpus, "--out", tmp_path / "new.safetensors").returncode == 0
    assert (run / "model.safetensors").read_bytes() == before
    assert call(run, corpus).returncode == 0
