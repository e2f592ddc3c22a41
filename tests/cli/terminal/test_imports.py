"""Commands take files of equations in place of a corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from in_process import Done, assert_refused, treesmu
from own_files import authors_files, write_csv
from treesmu.data import Dataset, by_depth, write_authors
from treesmu.expr import parse

SMALL = "--epochs 1 --batch 64 --hidden 3 --model tree-rnn".split()


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, *arguments)


def trained(done: Done, run: Path) -> dict[str, Any]:
    """Return what a run says of its corpus, after checking that it has ended."""
    assert done.returncode == 0, done.stderr
    assert (run / "test.json").exists()
    found: dict[str, Any] = json.loads((run / "settings.json").read_text())
    return found


def test_a_csv_of_a_thousand_equations_with_ten_bad_lines_is_trained_on(call: Any, tmp_path: Path) -> None:
    expected = write_csv(tmp_path / "mine.csv", 990, bad=True)
    done = call("train", tmp_path / "mine.csv", "--out", tmp_path / "run", *SMALL)
    for line, reason in expected.items():
        assert f"mine.csv, line {line}: {reason}" in done.stderr
    *_, said = done.stderr.splitlines()
    assert said.startswith(f"treesmu: {tmp_path / 'mine.csv'}: 990 equations imported -> ")
    corpus = Path(said.split(" -> ")[1])
    content = trained(done, tmp_path / "run")
    assert content["corpus"] == json.loads((corpus / "manifest.json").read_text())["files"]
    assert content["rows"] + content["validation_rows"] + len(Dataset.read(corpus, "test")) == 990
    assert done.stdout.splitlines()[-1] == f"next: treesmu evaluate {tmp_path / 'run'} {corpus}"


def test_numbers_that_are_new_become_leaves_of_the_model(call: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("".join(f"x + {n} = {n} + x\nx + {n} = x\n" for n in (17, 123, 5)) + "7/13 = 7/13\n")
    trained(call("train", tmp_path / "mine.txt", "--out", tmp_path / "run", *SMALL), tmp_path / "run")
    done = call("evaluate", tmp_path / "run", tmp_path / "mine.txt", "--json")
    assert json.loads(done.stdout)["overall"]["equations"] == 7


def test_the_authors_json_that_we_write_is_trained_on(call: Any, tmp_path: Path) -> None:
    rows = [(parse(f"sin(x) + {i} = {i} + sin({'x' if i % 2 else 'y'})"), bool(i % 2)) for i in range(12)]
    (tmp_path / "data").mkdir()
    for name, some in {"40k_train": rows[:8], "40k_val_shallow": rows[8:10], "40k_test": rows[10:]}.items():
        write_authors(tmp_path / "data" / f"{name}.json", by_depth(some))
    content = trained(call("train", tmp_path / "data", "--out", tmp_path / "run", *SMALL), tmp_path / "run")
    assert (content["rows"], content["validation_rows"]) == (8, 2)


def test_a_bad_example_of_the_authors_json_stops_no_command(call: Any, tmp_path: Path) -> None:
    rows = [(parse(f"sin(x) + {i} = {i} + sin({'x' if i % 2 else 'y'})"), bool(i % 2)) for i in range(12)]
    path = tmp_path / "mine.json"
    write_authors(path, by_depth(rows))
    path.write_text(path.read_text().replace("Equality", "Foo", 1).replace('"depth": "3,2,', '"depth": "0,1,'))
    trained(call("train", path, "--out", tmp_path / "run", *SMALL), tmp_path / "run")
    for command in (("data", "show"), ("data", "stats"), ("data", "audit", "--jobs", 1), ("evaluate", tmp_path / "run")):
        done = call(*command, path)
        assert done.returncode == 0, done.stderr
        assert "treesmu: mine.json, example 1: depth list 3, example 0: entry 0: unknown function 'Foo'" in done.stderr
        assert "treesmu: 1 bad line left out\n" in done.stderr
    assert call("data", "convert", path, tmp_path / "good.json").returncode == 0
    assert len(Dataset.read(tmp_path / "good.json")) == 11


@pytest.mark.parametrize("number", [0, 1, 2, *(pytest.param(k, marks=pytest.mark.slow) for k in (3, 4))])  # the last are large
def test_every_file_of_the_authors_is_trained_on_by_one_command(call: Any, tmp_path: Path, number: int) -> None:
    files = authors_files()
    if number >= len(files):
        pytest.skip("there are fewer files")
    trained(call("train", files[number], "--out", tmp_path / "run", "--model", "majority"), tmp_path / "run")


def test_evaluate_measures_all_rows_of_a_file_by_line(call: Any, tmp_path: Path) -> None:
    write_csv(tmp_path / "mine.csv", 60, bad=True)
    trained(call("train", tmp_path / "mine.csv", "--out", tmp_path / "run", *SMALL), tmp_path / "run")
    done = call("evaluate", tmp_path / "run", tmp_path / "mine.csv", "--out", tmp_path / "measured", "--json")
    found = json.loads(done.stdout)
    assert (found["source"], found["overall"]["equations"]) == (str(tmp_path / "mine.csv"), 60)
    assert "10 bad lines left out" in done.stderr
    lines = (tmp_path / "mine.csv").read_text().splitlines()
    table = pq.read_table(tmp_path / "measured" / "predictions.parquet").to_pylist()
    assert all(lines[row["row"] - 1].endswith(f",{row['label']}") for row in table)
    blanks = call("evaluate", tmp_path / "run", tmp_path / "mine.csv", "--task", "complete", "--no-true", "--json")
    assert json.loads(blanks.stdout)["overall"]["blanks"] > 0


def test_the_data_commands_take_files(call: Any, tmp_path: Path) -> None:
    write_csv(tmp_path / "mine.csv", 40)
    shown = json.loads(call("data", "show", tmp_path / "mine.csv", "--count", 100, "--json").stdout)
    assert [row["row"] for row in shown] == list(range(2, 42))
    assert "40 equations by depth" in call("data", "stats", tmp_path / "mine.csv").stdout
    assert call("data", "convert", tmp_path / "mine.csv", tmp_path / "mine.jsonl").returncode == 0
    assert len(Dataset.read(tmp_path / "mine.jsonl")) == 40
    done = call("data", "audit", tmp_path / "mine.csv", "--rows", 3, "--jobs", 1, "--json")
    assert json.loads(done.stdout)["files"] == []


def test_a_bad_row_of_a_file_with_our_columns_is_named_and_left_out(call: Any, tmp_path: Path) -> None:
    row = '{"infix": "x = y", "label": 0, "depth": 1, "size": 3}\n'
    (tmp_path / "mine.jsonl").write_text(row + row.replace("x = y", "x =") + row)
    done = call("data", "show", tmp_path / "mine.jsonl", "--json")
    assert [shown["row"] for shown in json.loads(done.stdout)] == [1, 3]
    assert "mine.jsonl, line 2: expected" in done.stderr


def test_a_folder_of_files_is_a_corpus_with_their_splits(call: Any, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    write_csv(folder / "train.csv", 30)
    (folder / "test.csv").write_text("equation,label\nx = y,0\nexp(x)^2 = exp(2x),1\n")
    shown = json.loads(call("data", "show", folder, "--json").stdout)
    assert [row["infix"] for row in shown] == ["x = y", "exp(x)^2 = exp(2*x)"]


@pytest.mark.parametrize("manifest", ["", "{}", '{"files": {}}', '{"files": {"train.parquet": {"sha256": "0"}}}'])
def test_a_manifest_that_is_empty_or_of_other_files_is_refused(call: Any, tmp_path: Path, manifest: str) -> None:
    write_csv(tmp_path / "mine.csv", 30)
    call("data", "import", tmp_path / "mine.csv", "--out", tmp_path / "corpus")
    (tmp_path / "corpus" / "manifest.json").write_text(manifest)
    done = call("train", tmp_path / "corpus", "--out", tmp_path / "run", *SMALL)
    assert_refused(done, f"{tmp_path / 'corpus'}/", "make or copy the corpus again")
    assert not (tmp_path / "run").exists()


def test_wrong_settings_and_folders_are_refused_before_a_file_is_imported(call: Any, tmp_path: Path) -> None:
    write_csv(tmp_path / "mine.csv", 30, bad=True)
    for options, message in {("--set", "foo=1"): "unknown setting 'foo'", ("--config", "none.toml"): "none.toml"}.items():
        assert_refused(call("train", tmp_path / "mine.csv", "--out", tmp_path / "run", *options), message)
    assert_refused(call("train", tmp_path / "mine.csv", "--out", tmp_path), "the folder is not empty")
    assert_refused(call("train", tmp_path / "mine.csv", "--out", tmp_path / "mine.csv"), "a file, not a folder for a run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("command", ["train", "sweep"])
def test_a_folder_that_is_not_a_corpus_is_refused(call: Any, tmp_path: Path, command: str) -> None:
    done = call(command, tmp_path, "--out", tmp_path / "out")
    assert_refused(done, f"{tmp_path}: a folder without files of equations; ")
    assert list(tmp_path.iterdir()) == []


def test_files_without_equations_are_refused_in_one_line(call: Any, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("")
    done = call("train", tmp_path / "empty.csv", "--out", tmp_path / "run")
    assert_refused(done, "empty.csv: there are no equations: the file is empty")
    assert not (tmp_path / "run").exists()
