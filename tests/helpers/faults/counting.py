"""Count what a process does, and inject a fault at a counted moment, so that it means the same on every machine.

There are two clocks. ``events`` counts what the process does to files below a folder: opening them for writing, renaming,
removing, creating folders, locking (Python's audit events, which are raised before the operation). ``calls`` counts calls of
functions, and so reaches moments between two events too, such as those within a transaction of SQLite.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
import time
from dataclasses import dataclass
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
COUNTED = {"open": 0, "os.rename": 1, "os.remove": 0, "os.rmdir": 0, "os.mkdir": 0, "os.truncate": 0, "fcntl.flock": None}


@dataclass
class Fault:
    """What happens at a moment: signals, or an error of the operation that is about to begin.

    at: the number of the event or call. signals: the first one then, each further one ``gap`` later. delay: seconds until
    the kernel kills the process, which reaches moments within native code; it is for a kill only. errno: the error of the
    operation, and of all later ones if it ``stays``. is_clock_set_back: the time of day goes back by an hour at each look.
    """

    clock: str = "events"
    at: int = 0
    signals: tuple[str, ...] = ()
    gap: int = 1
    delay: float = 0.0
    errno: int = 0
    stays: bool = False
    is_clock_set_back: bool = False


class Counter:
    """Counts events below a folder and calls in this process; ``fault``: what to inject, if anything."""

    def __init__(self, folder: str, fault: Fault | None) -> None:
        self.folder, self.fault = folder, fault
        self.events = self.calls = self.sent = 0
        self.is_on = False

    def start(self) -> None:
        """Begin to count. Audit hooks cannot be removed: this is for a process that ends soon."""
        if self.fault and self.fault.is_clock_set_back:
            hours, now = itertools.count(), time.time()
            time.time = lambda: now - 3600 * next(hours)
        self.is_on = True
        sys.addaudithook(self._audit)
        if self.fault and self.fault.clock == "calls":
            sys.setprofile(self._profile)

    def stop(self) -> None:
        """Stop counting."""
        self.is_on = False
        sys.setprofile(None)

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in COUNTED or not self.is_on or not self._is_counted(event, arguments):
            return
        self.events += 1
        if self.fault is None or self.fault.clock != "events":
            return
        if self.fault.errno:
            self._fail(event, arguments)
        else:
            self._send(self.events)

    def _is_counted(self, event: str, arguments: tuple[Any, ...]) -> bool:
        place = COUNTED[event]
        if place is None:
            return True
        path = arguments[place]
        if event == "open" and not arguments[2] & WRITING:
            return False
        return isinstance(path, str | os.PathLike) and os.path.abspath(os.fspath(path)).startswith(self.folder)

    def _profile(self, _frame: Any, event: str, _function: Any) -> None:
        self.calls += event in ("call", "c_call")
        self._send(self.calls)

    def _send(self, now: int) -> None:
        fault = self.fault
        assert fault is not None
        if self.sent < len(fault.signals) and now >= fault.at + self.sent * fault.gap:
            name = fault.signals[self.sent]
            self.sent += 1
            if fault.delay:
                signal.setitimer(signal.ITIMER_REAL, fault.delay)  # SIGALRM ends the process as SIGKILL does
            else:
                os.kill(os.getpid(), getattr(signal, name))

    def _fail(self, event: str, arguments: tuple[Any, ...]) -> None:
        fault = self.fault
        assert fault is not None
        if event == "fcntl.flock":
            return  # a lock writes nothing
        if self.events == fault.at or (fault.stays and self.events > fault.at):
            self.sent = 1
            raise OSError(fault.errno, os.strerror(fault.errno), os.fspath(arguments[COUNTED[event] or 0]))
