"""Whatever exception ends a command, a user is told one line and an exit code."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Any

import pytest

from in_process import Done, assert_refused, treesmu
from treesmu.cli import app as application
from treesmu.cli import main
from treesmu.engine import EngineError
from treesmu.errors import NO_MEMORY, DataError, WriteError

Call = Callable[[BaseException], Done]
REPORT = "please report it, with the output of the same command under TREESMU_TRACEBACK=1"


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """A function that makes every command raise an error."""

    def prepare(error: BaseException) -> None:
        def fail(**_: Any) -> None:
            raise error

        monkeypatch.setattr(application, "app", fail)

    return prepare


@pytest.fixture
def call_raising(capsys: pytest.CaptureFixture[str], raising: Any) -> Call:
    """A function that calls ``treesmu`` as if a command raised an error."""

    def call(error: BaseException) -> Done:
        raising(error)
        return treesmu(capsys, "verify")

    return call


def caused_by(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (EngineError("the cluster is gone"), "the cluster is gone"),
        (WriteError("out: cannot be written: the disk is full"), "out: cannot be written: the disk is full"),
        (
            OSError(errno.ENOSPC, "words of a library", "out/file"),
            "out/file: cannot be written: No space left on device; free some space, then repeat the command",
        ),
        (
            OSError(errno.ENOSPC, "as of standard output"),
            "the output: cannot be written: No space left on device; free some space, then repeat the command",
        ),
        (OSError("nothing more is known"), "a file: cannot be used: nothing more is known"),
        (OSError(errno.EMFILE, "x", "c/manifest.json"), "c/manifest.json: cannot be used: Too many open files"),
        (caused_by(DataError("c: cannot be read"), OSError(errno.EIO, "x")), "c: cannot be read"),
        (caused_by(DataError("c: cannot be read"), OSError(errno.ESTALE, "x")), "c: cannot be read"),
    ],
)
def test_an_error_of_the_machine_is_one_line_with_exit_code_1(call_raising: Call, error: Exception, message: str) -> None:
    assert call_raising(error) == Done(1, "", f"treesmu: {message}\n")


def test_an_exception_that_is_its_own_cause_is_explained(call_raising: Call) -> None:
    error = DataError("c.parquet: not a Parquet file")
    assert_refused(call_raising(caused_by(error, caused_by(OSError("of Arrow"), error))), "c.parquet: not a Parquet file")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)),
        RuntimeError("[enforce fail at alloc_cpu.cpp:127] DefaultCPUAllocator: can't allocate memory: you tried to allocate 9"),
        RuntimeError("CUDA out of memory. Tried to allocate 20.00 GiB"),
        ImportError("libtorch_cpu.so: failed to map segment from shared object"),
    ],
)
def test_too_little_memory_is_one_line_with_exit_code_1(call_raising: Call, error: Exception) -> None:
    assert call_raising(error) == Done(1, "", f"treesmu: {NO_MEMORY}\n")


@pytest.mark.parametrize("number", [errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EISDIR])
def test_a_name_that_the_system_refuses_is_wrong_input(call_raising: Call, number: int) -> None:
    done = call_raising(OSError(number, "No good", "some/name"))
    assert_refused(done, f"some/name: cannot be used: {os.strerror(number)}; give the name of another file or folder")


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_a_file_that_the_user_may_not_use_is_wrong_input(call_raising: Call, number: int) -> None:
    done = call_raising(OSError(number, "No good", "locked/name"))
    assert_refused(done, f"locked/name: cannot be used: {os.strerror(number)}; change its rights, or give the name of another")


def test_a_name_that_is_not_utf_8_is_wrong_input(call_raising: Call) -> None:
    assert_refused(
        call_raising(UnicodeEncodeError("utf-8", "a\udcff.csv", 1, 2, "surrogates")), "'a\\udcff.csv': not UTF-8 text"
    )


def end_of(capsys: pytest.CaptureFixture[str]) -> tuple[object, str]:
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code, capsys.readouterr().err


def test_an_unexpected_error_is_one_line_that_asks_for_a_report(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, raising: Any
) -> None:
    monkeypatch.delenv("TREESMU_TRACEBACK")
    raising(TypeError("two\nlines"))
    assert end_of(capsys) == (1, f"treesmu: internal error: TypeError: two lines; {REPORT}\n")


def test_the_traceback_of_an_unexpected_error_is_shown_on_request(capsys: pytest.CaptureFixture[str], raising: Any) -> None:
    raising(TypeError("no good"))
    code, errors = end_of(capsys)
    assert code == 1
    assert errors.startswith("Traceback (most recent call last):\n")
    assert errors.endswith(f"TypeError: no good\ntreesmu: internal error: TypeError: no good; {REPORT}\n")
    raising(DataError("wrong input"))  # which is not internal
    assert end_of(capsys) == (2, "treesmu: wrong input\n")


@pytest.mark.parametrize(
    ("error", "message"),
    [(MemoryError(), NO_MEMORY), (ImportError("no typer"), "cannot be started: no typer; install it again")],
)
def test_a_command_line_that_cannot_be_imported_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr("treesmu.cli._run_until_terminated", fail)
    assert end_of(capsys) == (1, f"treesmu: {message}\n")
