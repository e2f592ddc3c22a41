"""What a user is told if a command fails: one line and an exit code, whatever exception has ended it."""

from __future__ import annotations

import os
import sys
import traceback
from errno import EACCES, EISDIR, ELOOP, ENAMETOOLONG, ENOTDIR, EPERM, EROFS
from typing import Any, NoReturn

import typer

from treesmu.engine import EngineError
from treesmu.errors import (
    NO_MEMORY,
    DataError,
    WriteError,
    cannot_write,
    describe,
    is_fault_of_the_machine,
    is_full,
    reason_of,
)

from .terminal.messages import say
from .terminal.options import InputError

SWITCH = "TREESMU_TRACEBACK"  # 1: show the traceback of an internal error
_INTERNAL = "internal error"
_OF_NAMES = (ENAMETOOLONG, ELOOP, ENOTDIR, EISDIR)  # errors of a name that a user gave
_OF_RIGHTS = (EACCES, EPERM, EROFS)
_OUT_OF_MEMORY = (  # words of PyTorch and of the system, which have no exception of their own for it
    "can't allocate memory",
    "cannot allocate memory",
    "not enough memory",
    "out of memory",
    "std::bad_alloc",
    "failed to map segment",
)
_UsageError: Any = typer.BadParameter.__base__  # typer bundles its own click and does not export this class


def fail(error: Exception) -> NoReturn:
    """Print what is wrong and exit: 1 if something failed, 2 for wrong usage or input."""
    code, message = explain(error)
    if message.startswith(_INTERNAL) and os.environ.get(SWITCH) == "1":
        traceback.print_exception(error)
    say(message)
    sys.exit(code)


def explain(error: Exception) -> tuple[int, str]:
    """Return the exit code and the message of an exception. One that is not expected is an internal error."""
    if _is_out_of_memory(error):
        return 1, NO_MEMORY
    if isinstance(error, _UsageError):
        return 2, _explain_usage(error)
    if isinstance(error, InputError | DataError | EngineError):
        return 1 if _has_fault_of_the_machine(error) else 2, str(error)
    if isinstance(error, UnicodeEncodeError):
        return 2, f"{str(error.object)[:200]!a}: not UTF-8 text; rename the file, or write the text in UTF-8"
    if isinstance(error, OSError):
        return _explain_system(error)
    return 1, f"{_INTERNAL}: {describe(error)}; please report it, with the output of the same command under {SWITCH}=1"


def _has_fault_of_the_machine(error: BaseException) -> bool:
    """Return whether the machine is at fault, by the kind of an exception or by what it was raised from."""
    cause: BaseException | None = error
    seen: set[int] = set()
    while cause is not None and id(cause) not in seen:  # an exception of Arrow can be its own cause
        if isinstance(cause, WriteError | EngineError) or is_fault_of_the_machine(cause):
            return True
        seen.add(id(cause))
        cause = cause.__cause__
    return False


def _is_out_of_memory(error: BaseException) -> bool:
    if isinstance(error, RuntimeError | ImportError | OSError):
        return any(words in str(error).lower() for words in _OUT_OF_MEMORY)
    return isinstance(error, MemoryError)


def _explain_usage(error: Any) -> str:
    message = str(error.format_message())
    hint = f" (see: {error.ctx.command_path} --help)" if error.ctx else ""
    if "No such option" in message:
        hint += "; put -- before an equation that begins with a minus"
    return message.rstrip(".") + hint


def _explain_system(error: OSError) -> tuple[int, str]:
    """Return the exit code and the message of an error of the system that nobody has explained before."""
    if is_full(error):
        return 1, str(cannot_write(error.filename or "the output", error))
    message = f"{error.filename or 'a file'}: cannot be used: {reason_of(error)}"
    if error.errno in _OF_NAMES:
        return 2, f"{message}; give the name of another file or folder"
    if error.errno in _OF_RIGHTS:
        return 2, f"{message}; change its rights, or give the name of another file or folder"
    return 1, message
