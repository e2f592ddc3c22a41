"""Signals that end a command (Ctrl-C, SIGTERM) as exceptions that are not lost in a finaliser.

A handler raises KeyboardInterrupt or SystemExit, so that ``finally`` blocks and context managers clean up. Python may run the
handler inside a finaliser (``__del__``) or the callback of a weak reference. It ignores exceptions there: it reports them to
``sys.unraisablehook`` and continues, and the command would not end. Our hook recognises the exceptions of our handler, and
sends the signal again a little later, as often as it takes. All other exceptions go to the previous hook.

While PyTorch is being imported, a signal is sent again later as well: an exception in the middle of it can abort the process.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from types import FrameType

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


def _must_wait(frame: FrameType | None) -> bool:
    """Return whether Python is in our hook, whose exceptions it ignores, or PyTorch is being imported."""
    while frame is not None:
        if frame.f_code is _send_again_if_lost.__code__ or _is_body_of_torch(frame):
            return True
        frame = frame.f_back
    return False


def _is_body_of_torch(frame: FrameType) -> bool:
    """Return whether the frame executes the body of PyTorch or of one of its modules, as an import does."""
    return frame.f_code.co_name == "<module>" and str(frame.f_globals.get("__name__")).partition(".")[0] == "torch"


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
    _waiting.discard(number)  # before it is sent, since it may be lost again
    main = threading.main_thread().ident
    if main is not None:
        signal.pthread_kill(main, number)  # also interrupts a system call in which the main thread waits
