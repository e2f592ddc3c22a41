"""``treesmu report`` in the process of the test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from in_process import assert_refused, treesmu
from reproduced import main_runs, study, write_plan, write_run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    runs = main_runs(seeds=(1,), models=("tree-smu",))
    write_plan(tmp_path / "out", {"productivity": study(runs, title="First")})
    write_run(tmp_path / "out", next(iter(runs)))
    return tmp_path / "out"


def test_it_prints_the_report_and_what_is_missing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = treesmu(capsys, "report", folder)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("missing   First: 3 of 4 runs not finished, the first: paper/depth-1-7/tree-smu/treesmu/seed-1")
    assert lines[-1] == f"report    {folder / 'report.html'}"
    assert not list(folder.rglob("*.part"))


def test_json_has_every_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(treesmu(capsys, "report", folder, "--json").stdout)
    assert set(told) == {"report", "tables", "figures", "missing"}
    assert all(Path(file).is_file() for file in [told["report"], *told["tables"], *told["figures"]])
    assert str(folder / "tables" / "learning.md") in told["tables"]


def test_a_folder_without_a_plan_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        done = treesmu(capsys, "report", folder)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"treesmu: {folder}: no plan.json; give the folder of: treesmu reproduce --out {folder}\n"
    assert list(tmp_path.iterdir()) == []


# -- sweeps ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def swept(tmp_path: Path) -> Path:
    settings = {"model": "tree-smu", "recipe": "paper", "epochs": 1, "seed": 0}
    space = [{"name": "batch", "values": [10, 20, 30], "ends": None, "is_log": False}]
    facts = {"state": "complete", "validation_accuracy": 0.5, "epochs": 1, "parameters": 9, "test_accuracy": None}
    content = {
        "request": {"sampler": "grid", "space": space, "settings": settings},
        "wanted": 3,
        "trials": [{"number": k, "values": {"batch": 10 + 10 * k}, **facts} for k in range(2)],
    }
    (tmp_path / "sweep.json").write_text(json.dumps(content))
    return tmp_path


def test_of_a_sweep_it_writes_table_and_figure_and_says_what_is_missing(
    swept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = treesmu(capsys, "report", swept)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "missing   1 of 3 trials not finished.",
        f"3 files in {swept / 'tables'}, 4 in {swept / 'figures'}",
    ]
    assert {path.name for path in swept.iterdir()} == {"sweep.json", "tables", "figures"}


def test_of_a_sweep_json_has_every_file(swept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(treesmu(capsys, "report", swept, "--json").stdout)
    assert (told.pop("report"), told.pop("missing")) == (None, ["1 of 3 trials not finished."])
    assert {kind: len(files) for kind, files in told.items()} == {"tables": 3, "figures": 4}
    assert all(Path(file).is_file() for files in told.values() for file in files)


def test_a_damaged_sweep_is_one_line(swept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (swept / "sweep.json").write_text("{}")
    assert_refused(treesmu(capsys, "report", swept), f"{swept / 'sweep.json'}: not written by treesmu sweep")


def test_the_help_names_both(capsys: pytest.CaptureFixture[str]) -> None:
    assert "The folder of treesmu reproduce or treesmu sweep." in " ".join(treesmu(capsys, "report", "--help").stdout.split())
