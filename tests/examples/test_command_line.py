"""Examples write JSONL as their docstrings say: the same seed gives the same bytes, and a wrong option is an error of usage."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from paths import ROOT
from treesmu.data.tree_files.read import read_trees

FEW = ["--train", "30", "--validation", "10", "--test", "10"]
SMALL = {
    "listops": [*FEW, "--train-depths", "1-2", "--test-depths", "3-4"],
    "logic": [*FEW, "--train-operators", "2-3", "--test-operators", "4"],
    "arithmetic": [*FEW, "--modulus", "5", "--train-depths", "2-3", "--test-depths", "3-4"],
}


def _run(example: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "examples" / f"{example}.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("example", SMALL)
def test_an_example_writes_trees_and_the_same_bytes_for_the_same_seed(example: str, tmp_path: Path) -> None:
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    told = [_run(example, str(file), *SMALL[example]) for file in files]
    assert [one.returncode for one in told] == [0, 0], told[0].stderr
    assert files[0].read_bytes() == files[1].read_bytes()
    table = read_trees(files[0])
    parts = [f"{(table.split == split).sum()} {split}" for split in ("train", "validation", "test")]
    assert told[0].stdout == f"{files[0]}: {', '.join(parts)}\n"
    assert len(table) >= 50


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--train-depths", "5-2"], "argument --train-depths: expected A-B with A <= B"),
        (["--train=-5"], "argument --train: expected a whole number"),
        (["--train-depths", "a-b"], "argument --train-depths: expected a whole number"),
        (["--train", "1", "--train-depths", "0-0"], "there are too few different trees"),
    ],
)
def test_a_wrong_option_writes_nothing(options: list[str], message: str, tmp_path: Path) -> None:
    done = _run("listops", str(tmp_path / "a.jsonl"), *options)
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    done = _run("listops", str(tmp_path / "taken" / "a.jsonl"), *SMALL["listops"])
    assert done.returncode == 2
    assert "taken" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
