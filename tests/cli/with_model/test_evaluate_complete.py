"""``treesmu evaluate --task complete``."""

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
from paths import REFERENCE
from treesmu.data import Example, Vocab, write_authors
from treesmu.expr import parse
from treesmu.models import build, save
from treesmu.models.released_weights import import_weights

WEIGHTS = REFERENCE / "exp_vanilla_drop0.1_hidden45_45678-model-66.checkpoint"
EQUATIONS = [("x + x = 2*x", "0.1"), ("1*x = x", "0.0"), ("sin(x)^2 + cos(x)^2 = 1", "1"), ("x + 1 = x", "1")]
FILLERS = {"x": 0, "1": 1, "2": 2, "1*x": 0, "x + y": 3}


def prefix(text: str) -> str:
    return " ".join(parse(text).prefix())


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    blanks = {"prefix": [prefix(e) for e, _ in EQUATIONS], "path": [path for _, path in EQUATIONS]}
    pq.write_table(pa.table(blanks), folder / "blanks.parquet")
    columns = {"prefix": [prefix(e) for e in FILLERS], "class": list(FILLERS.values()), "train_count": [9, 5, 4, 9, 1]}
    pq.write_table(pa.table(columns), folder / "candidates.parquet")
    return folder


@pytest.fixture
def model(tmp_path: Path) -> Path:
    torch.manual_seed(1)
    save(build("tree-smu", Vocab.default(), {"hidden": 5}), tmp_path / "model.safetensors")
    return tmp_path / "model.safetensors"


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, "evaluate", *arguments, "--task", "complete")


def test_one_line_per_depth_then_all_blanks_and_the_prior(call: Any, model: Path, corpus: Path) -> None:
    done = call(model, corpus)
    assert (done.returncode, done.stderr) == (0, "")
    names, header, *lines = done.stdout.splitlines()
    assert names.split() == ["raw", "class", "collapse", "true"]
    assert header.split() == ["depth", "blanks", *["top-1", "top-5", "MRR"] * 4]
    assert [line.split()[0] for line in lines[:5]] == ["2", "4", "all", "±", "prior"]
    assert all(len(line.split()) == 14 for line in lines[:3])
    assert lines[5].startswith("5 candidates in 4 classes; prior: training counts;")
    assert lines[6] == "a true filler among the first 500: 100.0% of the 3 blanks whose original equation is correct"


def test_json_and_out_have_every_rank(call: Any, model: Path, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    done = call(model, corpus / "blanks.parquet", "--json", "--out", out)
    found = json.loads(done.stdout)
    assert json.loads((out / "completion.json").read_text()) == found
    assert (found["overall"]["blanks"], found["dtype"], found["model"]) == (4, "float64", "tree-smu")
    assert [len(found["overall"][name]["top"]) for name in ("raw", "class", "collapse", "true")] == [10] * 4
    assert found["overall"]["prior"]["raw"]["top"][0] == 0.5  # x is the most frequent one, and the answer to two blanks
    ranks = pq.read_table(out / "ranks.parquet").to_pydict()
    assert ranks["row"] == [0, 1, 2, 3]
    assert ranks["depth"] == [2, 2, 4, 2]
    assert ranks["holds"] == [True, True, True, False]
    assert ranks["prior_raw"] == [1, 3, 3, 1]
    assert_refused(call(model, corpus, "--out", out), "completion.json exists already; choose another folder")


def test_depths_and_candidates_can_be_chosen(call: Any, model: Path, corpus: Path, tmp_path: Path) -> None:
    found = json.loads(call(model, corpus, "--depths", "4", "--no-true", "--float32", "--json").stdout)
    assert (list(found["by_depth"]), found["dtype"]) == (["4"], "float32")
    assert "true" not in found["overall"]
    (tmp_path / "mine.txt").write_text("1\n1 + 0\n")
    table = call(model, corpus, "--no-true", "--candidates", tmp_path / "mine.txt").stdout
    assert "2 candidates in 1 classes; prior: counts of these answers" in table
    assert "2 answers are not among the candidates, and count as not found" in table


def test_bad_input_is_one_line_and_leaves_nothing(call: Any, model: Path, corpus: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(corpus / "blanks.parquet", alone)
    for arguments, said in [
        ((model, tmp_path / "nowhere"), "nowhere: there is no such file or folder"),
        ((model, alone), "candidates.parquet: there is no such file; name the candidates: --candidates FILE"),
        ((model, corpus / "candidates.parquet"), "there is no column 'path'"),
        ((model, corpus, "--depths", "9"), "no blanks of depth 9"),
        ((tmp_path / "no.safetensors", corpus), "no.safetensors: there is no such file or folder"),
    ]:
        assert_refused(call(*arguments, "--out", tmp_path / "out"), said)
    assert not (tmp_path / "out").exists()


def test_a_bad_blank_of_the_authors_files_is_named_and_left_out(call: Any, model: Path, corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "blanks"
    folder.mkdir()
    blanks = [Example(parse(e), "1", blank=tuple(map(int, path.split(".")))) for e, path in EQUATIONS]
    write_authors(folder / "40k_test_blank_0.json", [blanks])
    text = (folder / "40k_test_blank_0.json").read_text().replace('"blankNodeNum": "', '"blankNodeNum": "9', 1)
    (folder / "40k_test_blank_0.json").write_text(text)
    done = call(model, folder, "--candidates", corpus / "candidates.parquet", "--no-true", "--json")
    assert json.loads(done.stdout)["overall"]["blanks"] == 3
    first, last = done.stderr.splitlines()
    assert first.startswith(f"treesmu: {folder}/40k_test_blank_0.json: depth list 0, example 0: blankNodeNum is '9")
    assert last == "treesmu: 1 bad example left out"


@pytest.mark.skipif(not WEIGHTS.exists(), reason="the authors' weights are not here (shared/reference)")
def test_the_authors_files_give_the_authors_ranks(call: Any, tmp_path: Path) -> None:
    save(import_weights(WEIGHTS)[0], tmp_path / "authors.safetensors")
    name = "40k_test_blank_8.json"
    candidates = ("--candidates", REFERENCE / "candidate_classes.json")
    call(tmp_path / "authors.safetensors", REFERENCE / name, *candidates, "--no-true", "--out", tmp_path / "out")
    ranks = pq.read_table(tmp_path / "out" / "ranks.parquet").to_pydict()
    expected = json.loads((REFERENCE / "expected.json").read_text())["tree-rnn-h45"]
    rows = sorted((row for row in expected if row["file"] == name), key=lambda row: row["index"])
    for kind in ("raw", "class", "collapse"):
        assert ranks[kind] == [row[f"rank_{kind}"] for row in rows]


def test_in_a_file_of_equations_every_correct_one_gets_a_blank(call: Any, model: Path, tmp_path: Path) -> None:
    correct = ["x + x = 2*x", "1*x = x", "sin(x)^2 + cos(x)^2 = 1", "x + y = y + x", "x*y = y*x", "x + 0 = x"]
    rows = [f'"{text}",1' for text in correct] + ['"x = y",0', '"x + 1 = x",0']
    (tmp_path / "mine.csv").write_text("\n".join(["equation,label", *rows]))
    done = call(model, tmp_path / "mine.csv", "--json", "--no-true")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["overall"]["blanks"] == len(correct)  # not only those of a test share
    assert found["prior"] != "training counts"  # which would be those of the equations that are measured
