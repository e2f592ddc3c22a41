"""The record of a report."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

import pytest

from reproduced import run_name, study, write_plan, write_run
from treesmu.errors import DataError
from treesmu.report.folder import Folder
from treesmu.report.record import write_record
from treesmu.report.write import write_report


def test_the_unpacked_record_gives_the_same_report_byte_for_byte(every: Path, tmp_path: Path) -> None:
    with tarfile.open(every / "record.tar.xz") as record:
        record.extractall(tmp_path, filter="data")
    written = write_report(tmp_path)
    assert written.report is not None
    for file in [written.report, *written.tables, *written.figures, tmp_path / "record.tar.xz"]:
        assert file.read_bytes() == (every / file.relative_to(tmp_path)).read_bytes(), file
    made = {file for kind in ("tables", "figures") for file in (every / kind).iterdir()}
    assert {file.name for file in made} == {file.name for file in [*written.tables, *written.figures]}


def test_a_run_that_finishes_after_the_folder_was_read_is_not_in_the_record(tmp_path: Path) -> None:
    first, later = (run_name("paper", "tree-smu", "paper", seed) for seed in (1, 2))
    write_plan(tmp_path, {"productivity": study({first: "", later: ""})})
    write_run(tmp_path, first)
    folder = Folder(tmp_path)
    write_run(tmp_path, later)
    with tarfile.open(write_record(folder)) as record:
        assert {name.split("/")[-2] for name in record.getnames() if name.startswith("runs/")} == {"seed-1"}


def test_a_record_whose_runs_are_not_unpacked_is_not_replaced_by_an_empty_one(tmp_path: Path) -> None:
    name = run_name("paper", "tree-smu", "paper", 1)
    write_plan(tmp_path, {"productivity": study({name: ""})})
    write_run(tmp_path, name)
    content = write_record(Folder(tmp_path)).read_bytes()
    shutil.rmtree(tmp_path / "runs")
    with pytest.raises(DataError, match=r"has no runs; those of its report are in record.tar.xz; unpack it first"):
        write_report(tmp_path)
    assert (tmp_path / "record.tar.xz").read_bytes() == content


def test_an_empty_report_is_written_again(tmp_path: Path, no_drawings: None) -> None:  # noqa: ARG001
    write_plan(tmp_path, {"productivity": study({run_name("paper", "tree-smu", "paper", 1): ""})})
    for _ in range(2):
        assert write_report(tmp_path).tables == []
