"""Every command refuses every bad file: exit code 2, one line that names the file, and nothing new in the folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from in_process import treesmu
from treesmu.cli.terminal.equations import LISTED

NEW = ("new", "new.csv", "new.safetensors")  # what commands would write
COMMANDS = [  # BAD stands for the bad file
    "verify --no-model --file BAD",
    "verify x=x --model BAD",
    "complete x+_=1 --model BAD",
    "complete x+_=1 --model run --candidates BAD",
    "trace x=x --model BAD",
    "evaluate BAD corpus",
    "evaluate run BAD",
    "evaluate run BAD --task complete",
    "evaluate run corpus --unseen BAD",
    "calibrate BAD corpus",
    "calibrate run BAD --out new.safetensors",
    "fit-prior BAD corpus",
    "import-weights BAD new.safetensors",
    "data show BAD",
    "data stats BAD",
    "data audit BAD --jobs 1",
    "data convert BAD new.csv",
    "data import BAD --out new --jobs 1",
    "generate new --axioms BAD --jobs 1",
    "train BAD --out new",
    "train BAD --task classify --out new",
    "train corpus --config BAD --out new",
    "train corpus --start-from BAD --out new",
    "train corpus --plugin BAD --out new --model no-such-model",
    "sweep BAD --out new --jobs 1",
    "sweep corpus --config BAD --out new --jobs 1",
    "reproduce --preset BAD --out new --jobs 1",
    "reproduce --corpus BAD --out new --jobs 1",
    "report BAD",
    "serve --corpus BAD --port 0",
]
FILES = [
    *("missing", "bad/empty.csv/inside", "x" * 300, "bad/loop", "bad/corpus", "bad/no-checksums", "bad/changed/test.parquet"),
    *(f"bad/{kind}.{suffix}" for kind in ("empty", "junk", "folder") for suffix in ("csv", "jsonl", "json", "parquet", "toml")),
    *("bad/junk.safetensors", "bad/cut.safetensors", "bad/newer.safetensors", "bad/cut.parquet", "bad/types.parquet"),
    *(
        "bad/columns.parquet",
        "bad/nan.jsonl",
        "bad/deep.json",
        "bad/deep.toml",
        "bad/unknown.txt",
        "bad/raises.py",
        "bad/exits.py",
    ),
]
SLOW = {"bad/deep.csv": ("evaluate run BAD", "data show BAD", "data import BAD --out new --jobs 1")}  # a second or more each


def content_of(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def is_one_message(text: str, lists_equations: bool) -> bool:
    """Return whether a text is one line. Equations that cannot be read are listed, each with a caret below the place."""
    lines = [line for line in text.splitlines() if not (lists_equations and line.startswith("  "))]
    is_short = len(lines) == 1 or (lists_equations and 1 <= len(lines) <= LISTED + 1)
    return is_short and all(line.startswith("treesmu: ") and len(line) <= 2000 for line in lines)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_bad_file_is_refused(
    command: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    before, wrong = content_of(place), []
    for file in [*FILES, *(name for name, commands in SLOW.items() if command in commands)]:
        if "--config" in command and file.startswith("bad/empty."):
            continue  # an empty file of settings is a valid one: it sets nothing
        done = treesmu(capsys, *(word.replace("BAD", file) for word in command.split()))
        new = sorted(str(path.relative_to(place)) for path in content_of(place) - before)
        if (
            done.returncode != 2
            or new
            or not is_one_message(done.stderr, lists_equations="--no-model" in command or "--axioms" in command)
        ):
            wrong.append((file, done.returncode, done.stderr[-300:], new))
        for name in NEW:
            shutil.rmtree(place / name, ignore_errors=True)
            if (place / name).is_file():
                (place / name).unlink()
    assert wrong == []
