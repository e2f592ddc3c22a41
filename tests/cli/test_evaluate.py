"""``treesmu evaluate`` in the process of the test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from corpora import write_corpus, write_manifest, write_split
from in_process import assert_refused, treesmu
from treesmu.data import Dataset, Vocab
from treesmu.models import build, load, save
from treesmu.models.fitted.calibration import Calibration
from treesmu.tasks.verify import evaluate_verification


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, "evaluate", *arguments)


def measured(run: Path, data: Dataset) -> dict[str, Any]:
    return evaluate_verification(load(run / "model.safetensors"), data)[0]


def test_one_line_per_depth_and_one_for_all_equations(call: Any, run: Path, corpus: Path) -> None:
    done = call(run, corpus)
    assert (done.returncode, done.stderr) == (0, "")
    header, *lines = done.stdout.splitlines()
    assert header.split() == "depth equations accuracy precision recall specificity f1 log loss calibration error".split()
    found = measured(run, Dataset.read(corpus, "test"))
    assert [line.split()[0] for line in lines] == [*found["by_depth"], "all"]
    overall = lines[-1].split()
    assert overall[1] == "24"
    assert float(overall[2]) == pytest.approx(100 * found["overall"]["accuracy"], abs=0.05)
    assert float(overall[7]) == pytest.approx(found["overall"]["log_loss"], abs=5e-4)


def test_all_file_formats_give_the_same_measures(call: Any, run: Path, corpus: Path, tmp_path: Path) -> None:
    wanted = measured(run, Dataset.read(corpus, "test"))
    assert json.loads(call(run, corpus, "--json").stdout) == {"source": str(corpus), **wanted, "untrained": None}
    for name in ("some.parquet", "some.jsonl", "some.csv", "some.tsv", "some.json"):
        Dataset.read(corpus, "test").write(tmp_path / name)
        found = json.loads(call(run / "model.safetensors", tmp_path / name, "--json").stdout)
        assert found["overall"] == pytest.approx(wanted["overall"], abs=1e-6)
        assert found["by_depth"].keys() == wanted["by_depth"].keys()


def test_a_calibration_is_used_unless_raw_probabilities_are_asked_for(call: Any, run: Path, corpus: Path) -> None:
    rows, plain = Dataset.read(corpus, "test"), measured(run, Dataset.read(corpus, "test"))
    model = load(run / "model.safetensors")
    model.calibration = Calibration((1.0, 5.0), (0.1, 0.2), (0.3, -0.3))
    save(model, run / "model.safetensors")
    calibrated = json.loads(call(run, corpus, "--json").stdout)
    assert calibrated["calibrated"] is True
    assert calibrated["overall"] == evaluate_verification(model, rows)[0]["overall"] != plain["overall"]
    raw = json.loads(call(run, corpus, "--json", "--raw").stdout)
    assert raw["calibrated"] is False
    assert raw["overall"] == plain["overall"]
    assert_refused(call(run, corpus, "--task", "complete", "--raw"), "--unseen, --confirmed and --raw belong to --task verify")


def test_a_model_with_points_can_be_read_at_more_of_them(call: Any, run: Path, corpus: Path, tmp_path: Path) -> None:
    model = build("tree-smu", Vocab.default(), {"hidden": 4}, "distance", "layer", points=2)
    save(model, tmp_path / "model.safetensors")
    found = json.loads(call(tmp_path / "model.safetensors", corpus, "--points", 5, "--json").stdout)
    model.encoder.points = 5
    assert found["overall"] == evaluate_verification(model, Dataset.read(corpus, "test"))[0]["overall"]
    assert_refused(call(run, corpus, "--points", 5), "--points: this model reads variables as symbols")


def test_depths_and_split_choose_the_rows(call: Any, run: Path, corpus: Path) -> None:
    found = json.loads(call(run, corpus, "--split", "train", "--depths", "4", "--json").stdout)
    assert list(found["by_depth"]) == ["4"]
    rows = Dataset.read(corpus, "train").select(depths=(4, 4))
    assert found["overall"]["equations"] == len(rows) < 96


def test_equations_of_a_training_corpus_are_left_out_even_with_renamed_variables(call: Any, run: Path, tmp_path: Path) -> None:
    rows = [("sin(x)^2 + cos(x)^2 = 1", 1, "rewrite"), ("x + y = y + z", 0, "near-miss"), ("tan(x) = x", 0, "near-miss")]
    write_manifest(write_corpus(tmp_path / "seen", rows))
    fresh = [("1 = cos(y)^2 + sin(y)^2", 1, "rewrite"), ("z + x = w + x", 0, "near-miss"), ("cot(x) = x", 0, "near-miss")]
    write_split(tmp_path / "fresh.parquet", fresh)
    done = call(run, tmp_path / "fresh.parquet", "--unseen", tmp_path / "seen", "--json")
    found = json.loads(done.stdout)
    assert (found["left_out"], found["overall"]["equations"]) == (2, 1)
    assert (
        f"left out, since they are in {tmp_path / 'seen'} too: 2 equations"
        in call(run, tmp_path / "fresh.parquet", "--unseen", tmp_path / "seen").stdout
    )
    write_split(tmp_path / "fresh.parquet", fresh[:2])
    assert_refused(call(run, tmp_path / "fresh.parquet", "--unseen", tmp_path / "seen"), "that are not in")
    assert_refused(call(run, tmp_path / "seen", "--unseen", tmp_path / "none"), "none")


def test_unseen_takes_equations_with_many_variables(call: Any, run: Path, tmp_path: Path) -> None:
    (tmp_path / "seen.txt").write_text("x + y + z + w + u = u + w + z + y + x\nx = y\nx*y = y*x\nsin(x) = cos(x)\n")
    (tmp_path / "fresh.txt").write_text("a + b + c + d + v + w = w\nb + a + c + d + v = v + a + b + c + d\n")
    found = json.loads(call(run, tmp_path / "fresh.txt", "--unseen", tmp_path / "seen.txt", "--json").stdout)
    assert (found["left_out"], found["overall"]["equations"]) == (1, 1)


def test_equations_that_the_model_cannot_read_are_left_out_and_named(call: Any, run: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("equation,label\nx = x,1\n7/13 = x,0\nx = y,0\n")
    done = call(run, tmp_path / "mine.csv", "--out", tmp_path / "out", "--json")
    assert (json.loads(done.stdout)["unreadable"], json.loads(done.stdout)["overall"]["equations"]) == (1, 2)
    *_, said = done.stderr.splitlines()
    left_out = f"{tmp_path / 'mine.csv'}, row 3: 7/13 is not in the vocabulary"
    assert said == f"treesmu: the model cannot read 1 equation, which is left out: {left_out}"
    assert pq.read_table(tmp_path / "out" / "predictions.parquet")["row"].to_pylist() == [2, 4]


def test_out_gets_the_measures_and_the_predictions(call: Any, run: Path, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    done = call(run, corpus, "--out", out, "--json")
    assert {path.name for path in out.iterdir()} == {"test.json", "predictions.parquet"}
    assert json.loads((out / "test.json").read_text()) == json.loads(done.stdout)
    table = pq.read_table(out / "predictions.parquet")
    assert table.column_names == ["row", "depth", "label", "probability"]
    assert len(table) == 24
    assert_refused(call(run, corpus, "--out", out), "test.json exists already; choose another folder, or remove it first")


def test_an_unknown_task_and_options_of_another_are_refused(call: Any, run: Path, corpus: Path) -> None:
    assert_refused(call(run, corpus, "--task", "sing"), "--task 'sing': unknown task; known: verify, complete")
    assert_refused(call(run, corpus, "--no-true"), "--no-true and --float32 belong to --task complete")


def test_bad_input_is_one_line_and_leaves_nothing(call: Any, run: Path, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "empty").mkdir()
    strange = tmp_path / "strange.jsonl"
    strange.write_text('{"infix": "7/13 = x", "label": 0, "depth": 1, "size": 3}\n')
    unknown = tmp_path / "unknown.jsonl"
    unknown.write_text('{"infix": "x = y", "label": -1, "depth": 1, "size": 3}\n')
    for arguments, *said in [
        ((tmp_path / "nowhere", corpus), "nowhere: there is no such file or folder; give a run folder of treesmu train"),
        ((tmp_path / "empty", corpus), "empty: a folder without a model (model.safetensors); give a run folder"),
        ((corpus, run), f"{corpus}: a folder without a model (model.safetensors); give a run folder of treesmu train"),
        ((corpus / "manifest.json", corpus), "manifest.json: not a safetensors file"),
        ((run, tmp_path / "nowhere"), "nowhere: there is no such file or folder"),
        ((run, tmp_path / "empty"), "empty: a folder without files of equations"),
        ((run, corpus, "--depths", "30"), "no labelled equations of depth 30"),
        ((run, corpus, "--split", "best"), "there is no split 'best'"),
        ((run, strange), "can read none of the 1 equations: ", "strange.jsonl, row 0: 7/13 is not in the vocabulary"),
        ((run, unknown), "unknown.jsonl: no labelled equations"),
    ]:
        assert_refused(call(*arguments, "--out", out), *said)
    assert not out.exists()
