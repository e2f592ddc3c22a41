"""The errors that treesmu raises for data that it cannot use or write, and errors of others in one line."""

import errno
import os
import re

_FULL = (errno.ENOSPC, errno.EDQUOT)
_FAULTS_OF_THE_MACHINE = (
    *_FULL,
    errno.EIO,
    errno.EFBIG,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.EAGAIN,
    errno.ESTALE,
    errno.ETIMEDOUT,
)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")  # also of the direction of text
NO_MEMORY = (
    "not enough memory for this; give it more, or less to do at once: smaller files, batches (--batch) or models (--hidden)"
)


class DataError(ValueError):
    """Raised for data that cannot be used; the one-line message names the file, the position, what is wrong and the remedy."""


class WriteError(DataError):
    """Raised if the machine is at fault that a file cannot be written, such as a full disk: exit code 1 instead of 2."""


def cannot_write(path: str | os.PathLike[str], error: OSError) -> DataError:
    """Return the error to raise where a file or folder cannot be written."""
    reason = reason_of(error)
    if is_full(error):
        reason += "; free some space, then repeat the command"
    kind = WriteError if is_fault_of_the_machine(error) else DataError
    return kind(f"{os.fspath(path)}: cannot be written: {reason}")


def is_full(error: OSError) -> bool:
    """Return whether an error of the system says that a disk or a quota is full."""
    return error.errno in _FULL


def is_fault_of_the_machine(error: BaseException) -> bool:
    """Return whether an exception is an error of the system for which the machine is at fault, not what it was given."""
    return isinstance(error, OSError) and error.errno in _FAULTS_OF_THE_MACHINE


def reason_of(error: OSError) -> str:
    """Return the system's words for an error; Arrow has its own in ``strerror``, of several lines."""
    return os.strerror(error.errno) if error.errno else one_line(error)


def printable(text: str, keep: str = "") -> str:
    """Return text with control characters written as escapes: they could move the cursor, or look like other text.

    keep: control characters that stay, such as line ends.
    """
    return _CONTROL.sub(lambda found: found[0] if found[0] in keep else found[0].encode("unicode_escape").decode(), text)


def shorten(text: str, most: int = 200) -> str:
    """Return a text of at most this many characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def one_line(error: BaseException) -> str:
    """Return an error's message on one line of at most 200 characters."""
    return shorten(" ".join(str(error).split()) or type(error).__name__)


def describe(error: BaseException) -> str:
    """Return the kind and the message of an error on one line; of a DataError only the message, which says everything."""
    if isinstance(error, DataError):
        return one_line(error)
    return f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else one_line(error)}"
