"""Signals that end a command (Ctrl-C, SIGTERM) as exceptions that are not lost in a finaliser.

A handler raises KeyboardInterrupt or SystemExit, so that ``finally`` blocks and context managers clean up. Python may run the
handler inside a finaliser (``__del__``) or the callback of a weak reference. It ignores exceptions there: it reports them to
``sys.unraisablehook`` and continues, and the command would not end. Our hook recognises the exceptions of our handler, and
sends the signal again a little later, as often as it takes. All other exceptions go to the previous hook.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from contextlib import suppress
from types import FrameType

PAUSE = 0.01  # seconds until a lost signal is sent again; any value is correct


class Terminated(SystemExit):
    """Exit because of SIGTERM, with the exit code of a shell."""


_previous_hook = sys.__unraisablehook__


def install() -> None:
    """Make Ctrl-C and SIGTERM end this process by an exception. Call it in the main thread."""
    global _previous_hook  # noqa: PLW0603 - the hooks of a process are global
    if sys.unraisablehook is not _send_again_if_lost:
        _previous_hook = sys.unraisablehook
        sys.unraisablehook = _send_again_if_lost
    signal.signal(signal.SIGINT, _raise)
    signal.signal(signal.SIGTERM, _raise)


def _raise(number: int, frame: FrameType | None) -> None:
    if _is_in_hook(frame):  # Python drops what its hook raises
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


def _is_in_hook(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code is not _send_again_if_lost.__code__:
        frame = frame.f_back
    return frame is not None


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
    with suppress(RuntimeError):  # no thread can be started while the interpreter exits, and the process ends anyway
        _thread.start_new_thread(_send, (number,))


def _send(number: int) -> None:
    time.sleep(PAUSE)
    main = threading.main_thread().ident
    if main is not None:
        signal.pthread_kill(main, number)  # also interrupts a system call in which the main thread waits
