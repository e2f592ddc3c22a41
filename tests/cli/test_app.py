"""The application: its help, its version, and wrong usage."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from in_process import assert_refused, treesmu
from treesmu import __version__
from treesmu.compilation import description

COMMANDS = ("verify", "complete", "generate", "train", "evaluate", "import-weights", "reproduce", "sweep", "report", "data")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, *arguments)


def test_the_help_names_every_command_and_the_exit_codes(call: Any) -> None:
    done = call("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for command in COMMANDS:
        assert re.search(rf"\b{command}\b", done.stdout)
    for code in (0, 1, 2, 130, 143):
        assert f" {code} " in done.stdout
    assert call().stdout == done.stdout  # without a command


def test_the_version_is_printed_and_how_tree_models_are_computed(call: Any) -> None:
    assert call("--version").stdout == f"treesmu {__version__}\ntree models: {description()}\n"


def test_wrong_usage_is_one_line_with_a_hint(call: Any) -> None:
    assert_refused(call("fly"), "No such command 'fly'", "(see: treesmu --help)")
    assert_refused(call("verify", "-x = x"), "put -- before an equation that begins with a minus")
    assert_refused(call("generate"), "Missing argument", "(see: treesmu generate --help)")
    done = call("verify", "--no-model", "--json", "--", "-x = 0 - x")
    assert [row["label"] for row in json.loads(done.stdout)] == ["correct"]
