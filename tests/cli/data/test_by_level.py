"""Files of the authors' generator, with depths by level and a bad example: every command reads the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from authors_files import by_level
from in_process import Done, treesmu
from treesmu.data import Dataset, write_authors
from treesmu.data.corpus.authors import by_depth
from treesmu.expr import parse

EQUATIONS = {f"sin(x) + {n} = {n} + sin(x)": 1 for n in range(6)} | {f"cos(x)^2 = {n}*x": 0 for n in range(6)}
BAD = "example 2: depth list 3, example 1: func has 1 entries, but vars have"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "made.json"
    write_authors(file, by_depth((parse(text), bool(label)) for text, label in EQUATIONS.items()))
    stored = json.loads(by_level(file.read_text()))
    assert stored[3][0]["equation"]["depth"].startswith("0,1,2,3,#")
    stored[3][1]["equation"]["func"] = "Equality"
    file.write_text(json.dumps(stored))
    return file


@pytest.mark.parametrize(
    "command",
    [
        ["data", "show", "FILE"],
        ["data", "stats", "FILE"],
        ["data", "audit", "FILE", "--jobs", "1"],
        ["data", "convert", "FILE", "OUT.parquet"],
        ["data", "import", "FILE", "--out", "OUT"],
        ["train", "FILE", "--model", "majority", "--out", "OUT"],
        ["evaluate", "RUN", "FILE"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_every_command_names_the_bad_example_and_reads_the_others(
    command: list[str], file: Path, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"FILE": file, "OUT": tmp_path / "out", "OUT.parquet": tmp_path / "out.parquet", "RUN": run}
    done: Done = treesmu(capsys, *(places.get(word, word) for word in command))
    assert done.returncode == 0, done.stderr
    assert BAD in done.stderr
    assert "1 bad line left out" in done.stderr


def test_what_is_read_is_what_was_written(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    treesmu(capsys, "data", "convert", file, tmp_path / "out.csv")
    found = Dataset.read(tmp_path / "out.csv")
    left = list(EQUATIONS)[1]
    assert dict(zip(found.texts(), found.label.tolist(), strict=True)) == {
        str(parse(text)): label for text, label in EQUATIONS.items() if text != left
    }
    assert found.depth.tolist() == [parse(text).depth for text in found.texts()]
