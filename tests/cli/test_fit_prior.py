"""``treesmu fit-prior`` in the process of the test."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

from in_process import assert_refused, treesmu
from treesmu.data import Dataset, Vocab
from treesmu.expr import parse
from treesmu.files import lock_folder
from treesmu.models import build, load, save

FILLERS = {"x": 20, "1": 7, "2": 3, "sin(x)": 2}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    equations = [parse(text) for text in ("x + x = 2*x", "1*x = x", "sin(x) = sin(x)*1", "x + 1 = x")]
    for split in ("train", "validation", "test"):
        Dataset.of(equations, [1, 1, 1, 0], "rewrite", split).write(folder / f"{split}.parquet")
    columns = {
        "prefix": [" ".join(parse(e).prefix()) for e in FILLERS],
        "class": list(range(len(FILLERS))),
        "train_count": list(FILLERS.values()),
    }
    pq.write_table(pa.table(columns), folder / "candidates.parquet")
    return folder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    torch.manual_seed(1)
    save(build("tree-smu", Vocab.default(), {"hidden": 5}).half(), tmp_path / "model.safetensors", {"from": "here"})
    return tmp_path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, "fit-prior", *arguments)


def test_counts_and_weight_are_stored_and_the_weights_stay_as_they_are(call: Any, run: Path, corpus: Path) -> None:
    before = load(run / "model.safetensors")
    done = call(run, corpus, "--blanks", 3)
    assert (done.returncode, done.stderr) == (0, "")
    after = load(run / "model.safetensors")
    assert before.prior is None
    assert after.prior is not None
    assert after.prior.counts == {"x": 20, "1": 7, "2": 3, "sin x": 2}
    assert after.note == {"from": "here"}
    pairs = zip(before.parameters(), after.parameters(), strict=True)
    assert all(torch.equal(a, b) and a.dtype == torch.float16 for a, b in pairs)
    first, second, third = done.stdout.splitlines()
    assert first == f"weight {after.prior.weight:g}   4 values   3 validation blanks"
    assert second.startswith("mean reciprocal rank of the answer's value: 0.")
    assert third == f"-> {run / 'model.safetensors'}"


def test_another_file_and_json(call: Any, run: Path, corpus: Path, tmp_path: Path) -> None:
    out, before = tmp_path / "new.safetensors", (run / "model.safetensors").read_bytes()
    found = json.loads(call(run / "model.safetensors", corpus, "--out", out, "--json").stdout)
    assert (run / "model.safetensors").read_bytes() == before
    assert found["file"] == str(out)
    assert found["fitted"] == max(found["by_weight"].values()) >= found["plain"]
    prior = load(out).prior
    assert prior is not None
    assert prior.weight == found["weight"]
    assert_refused(call(run, corpus, "--out", out), "new.safetensors exists already; choose another name")


def test_a_corpus_without_counts_is_refused(call: Any, run: Path, corpus: Path, tmp_path: Path) -> None:
    copy = tmp_path / "corpus"
    shutil.copytree(corpus, copy)
    table = pq.read_table(copy / "candidates.parquet").drop_columns(["train_count"])
    pq.write_table(table, copy / "candidates.parquet")
    assert_refused(call(run, copy), "candidates.parquet: there are no counts of training equations (column 'train_count')")
    assert load(run / "model.safetensors").prior is None


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
