"""Help is complete and quick: every command is listed in its group, nothing is cut, and nothing heavy is imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

from in_process import treesmu
from treesmu import __version__
from treesmu.cli.commands import GROUPS
from treesmu.compilation import description

COMMANDS = [(name,) for names in GROUPS.values() for name in names]
DATA = [("data", name) for name in ("show", "stats", "audit", "convert")]
ARITHMETIC = {"numpy", "mpmath"}
HEAVY = set("torch pandas pyarrow sympy sklearn matplotlib optuna ray numba rich".split())  # typer itself imports pydantic
MODULES_OF = """if True:
    import sys
    from treesmu.cli import main
    try:
        main()
    finally:
        print("\\n" + " ".join(sys.modules))
"""


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERMINAL_WIDTH", "80")  # the name that typer reads


def test_the_help_lists_every_command_in_its_group_with_its_whole_first_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    from treesmu.cli import data, train

    text = treesmu(capsys, "--help").stdout
    titles = [line.rstrip(":") for line in text.splitlines() if line.endswith(":") and not line.startswith((" ", "Options"))]
    assert titles == list(GROUPS)
    listed = [
        line.split()[0] for section in text.split(":\n")[2:] for line in section.split("\n\n")[0].splitlines() if line[2] != " "
    ]
    assert listed == [name for names in GROUPS.values() for name in names]
    assert (train.train.__doc__ or "").splitlines()[0] in text
    assert str(data.data_app.info.help) in text


def test_a_first_sentence_longer_than_a_line_is_wrapped_and_not_cut(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from treesmu.cli import train

    words = [f"word{i}" for i in range(40)]
    monkeypatch.setattr(train.train, "__doc__", " ".join(words) + ".\n\nMore.")
    text = treesmu(capsys, "--help").stdout
    assert [word for word in text.replace(".", "").split() if word.startswith("word")] == words
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("command", [(), *COMMANDS, *DATA])
def test_the_help_of_a_command_fits_eighty_columns_and_cuts_nothing(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    short, long = treesmu(capsys, *command, "-h"), treesmu(capsys, *command, "--help")
    assert short == long
    assert (short.returncode, short.stderr) == (0, "")
    assert max(map(len, short.stdout.splitlines())) <= 80
    assert "…" not in short.stdout
    assert command in [(), ("data",)] or f"Examples:\n    treesmu {' '.join(command)} " in short.stdout


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert treesmu(capsys, option).stdout == f"treesmu {__version__}\ntree models: {description()}\n"


def test_an_unknown_command_is_refused_with_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    done = treesmu(capsys, "vrify", "x = x")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "treesmu: No such command 'vrify'. Did you mean 'verify'? (see: treesmu --help)\n"


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--help"], HEAVY | ARITHMETIC),
        (["--version"], HEAVY - {"numba"} | {"mpmath", "treesmu.cli.train"}),  # it says whether Numba works
        (["train", "--help"], HEAVY | ARITHMETIC),
        (["verify", "--no-model", "sin(x)^2 + cos(x)^2 = 1"], HEAVY | {"treesmu.cli.train"}),
    ],
)
def test_a_quick_command_imports_only_what_it_needs(arguments: list[str], absent: set[str]) -> None:
    done = subprocess.run([sys.executable, "-c", MODULES_OF, *arguments], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "treesmu.cli.app" in loaded
    assert loaded & absent == set()
