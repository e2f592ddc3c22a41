"""Turns: the questions that wait for a worker process. Slow ones never hold up the others, because one worker takes none."""

from __future__ import annotations

from collections import deque
from threading import Condition
from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    """A queue in the order of arrival, from which a worker may take quick questions only."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[T, bool]] = deque()  # a question, and whether it is slow
        self._changed = Condition()
        self._is_closed = False

    def put(self, question: T, is_slow: bool) -> None:
        """Add a question."""
        with self._changed:
            self._waiting.append((question, is_slow))
            self._changed.notify_all()  # not every worker may take it

    def get(self, takes_slow: bool) -> T | None:
        """Wait for a question and return it: the first, or the first quick one. None if the queue is closed and has none."""
        with self._changed:
            while True:
                for place, (question, is_slow) in enumerate(self._waiting):
                    if takes_slow or not is_slow or self._is_closed:  # then there is only to be said that it is too late
                        del self._waiting[place]
                        return question
                if self._is_closed:
                    return None
                self._changed.wait()

    def close(self) -> None:
        """Let no worker wait any longer: what is in the queue goes to whoever asks."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
