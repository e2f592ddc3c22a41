"""Errors of others become one line; a fault of the machine is told from one of the input."""

from __future__ import annotations

import errno

import pytest

from treesmu.errors import DataError, WriteError, cannot_write, describe, one_line


def test_a_message_is_one_line_of_at_most_200_characters() -> None:
    assert one_line(ValueError("two\n  lines")) == "two lines"
    assert one_line(ValueError()) == "ValueError"
    assert one_line(ValueError("a" * 300)) == "a" * 197 + "..."


def test_the_kind_of_an_error_is_named_unless_its_message_says_everything() -> None:
    assert describe(KeyError("h")) == "KeyError: 'h'"
    assert describe(DataError("file.csv: no rows")) == "file.csv: no rows"
    assert describe(SyntaxError("bad", ("x.py", 2, 1, "text"))) == "SyntaxError: bad"


@pytest.mark.parametrize(
    ("number", "kind", "reason"),
    [
        (errno.ENOSPC, WriteError, "No space left on device; free some space, then repeat the command"),
        (errno.EIO, WriteError, "Input/output error"),
        (errno.EMFILE, WriteError, "Too many open files"),
        (errno.EROFS, DataError, "Read-only file system"),
        (errno.ENOENT, DataError, "No such file or directory"),
    ],
)
def test_what_cannot_be_written_is_named_with_the_reason_of_the_system(number: int, kind: type, reason: str) -> None:
    error = cannot_write("out/file", OSError(number, "words of a library"))
    assert (type(error), str(error)) == (kind, f"out/file: cannot be written: {reason}")


def test_an_error_without_a_number_has_its_own_words() -> None:
    assert str(cannot_write("out", OSError("nothing more is known"))) == "out: cannot be written: nothing more is known"
