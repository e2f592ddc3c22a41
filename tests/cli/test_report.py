"""``treesmu report`` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from inside import treesmu
from reproduced import main_runs, study, write_plan, write_run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    runs = main_runs(seeds=(1,), models=("tree-smu",))
    write_plan(tmp_path / "out", {"productivity": study(runs, title="First")})
    write_run(tmp_path / "out", next(iter(runs)))
    return tmp_path / "out"


def test_it_names_the_report_and_what_is_missing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = treesmu(capsys, "report", folder)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith(
        "missing   First: 3 of 4 runs are not finished, the first: paper/depth-1-7/tree-smu/treesmu/seed-1"
    )
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
