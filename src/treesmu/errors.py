"""The errors that treesmu raises for data that it cannot use or write, and errors of others in one line."""

import errno
import os

_FULL = (errno.ENOSPC, errno.EDQUOT)
_FAULTS_OF_THE_MACHINE = (*_FULL, errno.EIO, errno.EFBIG)


class DataError(ValueError):
    """Raised for data that cannot be used; the one-line message names the file, the position, what is wrong and the remedy."""


class WriteError(DataError):
    """Raised if the machine is at fault that a file cannot be written, such as a full disk: exit code 1 instead of 2."""


def cannot_write(path: str | os.PathLike[str], error: OSError) -> DataError:
    """Return the error to raise where a file or folder cannot be written."""
    reason = reason_of(error)
    if error.errno in _FULL:
        reason += "; free some space, then repeat the command"
    kind = WriteError if error.errno in _FAULTS_OF_THE_MACHINE else DataError
    return kind(f"{os.fspath(path)}: cannot be written: {reason}")


def reason_of(error: OSError) -> str:
    """Return the system's words for an error; Arrow has its own in ``strerror``, of several lines."""
    return os.strerror(error.errno) if error.errno else one_line(error)


def one_line(error: BaseException) -> str:
    """Return an error's message on one line of at most 200 characters."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 200 else f"{text[:197]}..."


def describe(error: BaseException) -> str:
    """Return the kind and the message of an error on one line; of a DataError only the message, which says everything."""
    if isinstance(error, DataError):
        return one_line(error)
    return f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else one_line(error)}"
