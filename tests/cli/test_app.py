"""The application: every error is one line and an exit code."""

from __future__ import annotations

import errno
import json
import re
from typing import Any

import pytest

from in_process import Done, assert_refused, treesmu
from treesmu import __version__
from treesmu.cli import app as application
from treesmu.compilation import description
from treesmu.engine import EngineError
from treesmu.errors import WriteError

COMMANDS = ("verify", "complete", "generate", "train", "evaluate", "import-weights", "reproduce", "sweep", "report", "data")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, *arguments)


@pytest.fixture
def call_raising(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that calls ``treesmu`` as if a command raised an error."""

    def call(error: BaseException) -> Done:
        def fail(**_: Any) -> None:
            raise error

        monkeypatch.setattr(application, "app", fail)
        return treesmu(capsys, "verify")

    return call


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


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (EngineError("the cluster is gone"), 1, "treesmu: the cluster is gone\n"),
        (WriteError("out: cannot be written: the disk is full"), 1, "treesmu: out: cannot be written: the disk is full\n"),
        (
            OSError(errno.ENOSPC, "No space left on device", "out/file"),
            1,
            "treesmu: cannot write out/file: No space left on device\n",
        ),
        (OSError("nothing more is known"), 1, "treesmu: cannot write: nothing more is known\n"),
    ],
)
def test_an_error_of_the_machine_is_one_line_with_exit_code_1(
    call_raising: Any, error: Exception, code: int, message: str
) -> None:
    assert call_raising(error) == Done(code, "", message)


@pytest.mark.parametrize("number", [errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EISDIR])
def test_a_name_that_the_system_refuses_is_wrong_input(call_raising: Any, number: int) -> None:
    assert_refused(call_raising(OSError(number, "No good", "some/name")), "some/name: No good; give the name of another file")


def test_a_name_that_is_not_utf_8_is_wrong_input(call_raising: Any) -> None:
    assert_refused(
        call_raising(UnicodeEncodeError("utf-8", "a\udcff.csv", 1, 2, "surrogates")), "'a\\udcff.csv': not UTF-8 text"
    )
