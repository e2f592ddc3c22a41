"""Say once, before it begins, that code is being compiled: it takes some seconds, and only the first time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

from treesmu.compilation import NOTICE

_said: list[bool] = []  # whether this process has said it


class _FirstCompilation(event.Listener):  # type: ignore[misc]
    """Prints one line when Numba begins to compile; it does not if the code is found on disk."""

    def on_start(self, event: Any) -> None:
        del event
        if not _said:
            _said.append(True)
            print(NOTICE, file=sys.stderr)

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def telling() -> Iterator[None]:
    """Tell the user if anything has to be compiled within this context."""
    if _said:
        yield
        return
    with event.install_listener("numba:compile", _FirstCompilation()):
        yield
