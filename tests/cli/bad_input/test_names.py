"""Names of files and folders with spaces, colons, Unicode and signs that have a meaning elsewhere are names like others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from in_process import Done, assert_refused, treesmu

NAMES = ["two words", "run:1", "file:x", "größe 数", "50%20", "a#b?c", "[x]*", "it's", '"quoted"', "-dash", "$HOME", "~"]


@pytest.fixture
def here(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return place


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_that_of_a_file(name: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def call(*words: str) -> Done:
        done = treesmu(capsys, *words)
        assert done.returncode == 0, done.stderr
        return done

    given = f"./{name}" if name.startswith("-") else name  # as for every command of a shell
    shutil.copyfile(here / "equations.csv", f"{given}.csv")
    shutil.copyfile(here / "run" / "model.safetensors", f"{given}.safetensors")
    call("data", "import", f"{given}.csv", "--out", given, "--jobs", "1")
    assert sorted(path.name for path in Path(given).glob("*.parquet")) == [
        f"{table}.parquet" for table in ("blanks", "candidates", "test", "train", "validation")
    ]
    call("data", "show", given)
    call("data", "convert", given, f"{given}.parquet", "--split", "all")
    found = json.loads(call("evaluate", f"{given}.safetensors", f"{given}.parquet", "--out", f"{given} out", "--json").stdout)
    assert found["overall"]["equations"] == 30
    assert Path(f"{given} out", "predictions.parquet").is_file()
    call("evaluate", f"{given}.safetensors", given)


@pytest.mark.usefixtures("here")
def test_a_name_with_a_dash_is_taken_for_an_option_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(treesmu(capsys, "data", "show", "-dash"), "No such option")
    assert_refused(treesmu(capsys, "data", "show", "--", "-dash"), "-dash: there is no such file or folder")


@pytest.mark.parametrize("command", ["verify --no-model --file NAME", "data show NAME", "serve --host NAME --port 0"])
def test_a_name_with_control_characters_is_shown_in_one_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = treesmu(capsys, *(word.replace("NAME", "a\nb\x1b[2J.csv") for word in command.split()))
    assert_refused(done, r"a\nb\x1b[2J.csv")
