"""Signals that end a command (Ctrl-C, SIGTERM) as exceptions that are not lost in a finaliser.

A handler raises KeyboardInterrupt or SystemExit, so that ``finally`` blocks and context managers clean up. Python may run the
handler inside a finaliser (``__del__``) or the callback of a weak reference. It ignores exceptions there: it reports them to
``sys.unraisablehook`` and continues, and the command would not end. Our hook recognises the exceptions of our handler, and
sends the signal again a little later, as often as it takes. All other exceptions go to the previous hook.

While a module is being imported, a signal is sent again later as well: an exception in the middle of the import of PyTorch
can abort the process, and extension modules turn it into another exception, or ignore it.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from types import FrameType

_COMMAND_LINE = __name__.rpartition(".")[0]
_IMPORTING = ("<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>")  # files of the code of an import
PAUSE = 0.01  # seconds until a lost signal is sent again; any value is correct


class Terminated(SystemExit):
    """Exit because of SIGTERM, with the exit code of a shell."""


_previous_hook = sys.__unraisablehook__
_waiting: set[int] = set()  # the signals that are to be sent again


def install() -> None:
    """Make Ctrl-C and SIGTERM end this process by an exception. Call it in the main thread.

    Ctrl-C stays ignored if it is ignored already, as a shell does for background jobs.
    """
    global _previous_hook  # noqa: PLW0603 - the hooks of a process are global
    if sys.unraisablehook is not _send_again_if_lost:
        _previous_hook = sys.unraisablehook
        sys.unraisablehook = _send_again_if_lost
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _raise)
    signal.signal(signal.SIGTERM, _raise)


def _raise(number: int, frame: FrameType | None) -> None:
    if _must_wait(frame):
        _send_later(number)
    elif number == signal.SIGINT:
        raise KeyboardInterrupt
    else:
        raise Terminated(128 + number)


def _send_again_if_lost(unraisable: sys.UnraisableHookArgs) -> None:
    """Handle an exception that Python ignores, as ``sys.unraisablehook``."""
    number = _signal_behind(unraisable.exc_value)
    if number is None:
        _previous_hook(unraisable)
    else:
        _send_later(number)


def raise_waiting() -> None:
    """Raise the exception of a signal that arrived during an import, at once instead of a moment later."""
    for number in tuple(_waiting):
        _waiting.discard(number)
        _raise(number, None)


def _must_wait(frame: FrameType | None) -> bool:
    """Return whether Python is in our hook, whose exceptions it ignores, or the command imports a module."""
    while frame is not None and frame.f_globals.get("__name__") != _COMMAND_LINE:  # it may itself be called by an import
        if frame.f_code is _send_again_if_lost.__code__ or frame.f_code.co_filename in _IMPORTING:
            return True
        frame = frame.f_back
    return False


def _signal_behind(error: BaseException | None) -> int | None:
    """Return the signal whose exception this is, or was before a ``finally`` block raised another one."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return signal.SIGINT
        if isinstance(error, Terminated):
            return signal.SIGTERM
        error = error.__context__
    return None


def _send_later(number: int) -> None:
    """Send a signal again in a moment; one that waits already is enough, since more would disturb the cleaning up."""
    if number in _waiting:
        return
    _waiting.add(number)
    try:
        _thread.start_new_thread(_send, (number,))
    except RuntimeError:  # no thread can be started while the interpreter exits, and the process ends anyway
        _waiting.discard(number)


def _send(number: int) -> None:
    time.sleep(PAUSE)
    is_due = number in _waiting  # it may have been raised meanwhile
    _waiting.discard(number)  # before it is sent, since it may be lost again
    main = threading.main_thread().ident
    if is_due and main is not None:
        signal.pthread_kill(main, number)  # also interrupts a system call in which the main thread waits
