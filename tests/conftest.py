"""For all tests."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """A shell starts background jobs with Ctrl-C switched off, and what we start would inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
