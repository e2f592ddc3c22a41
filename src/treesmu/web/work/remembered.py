"""Remembered: answers that were given before, up to a number of bytes. Models do not change while the service runs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

OVERHEAD = 1_000  # bytes that are counted for the question


class Remembered:
    """Answers by question; the ones that were asked for least recently are forgotten first."""

    def __init__(self, most: int) -> None:
        """most: bytes."""
        self.most, self.size = most, 0
        self._answers: OrderedDict[Hashable, bytes] = OrderedDict()

    def get(self, question: Hashable) -> bytes | None:
        """Return the answer, if it is known."""
        if question in self._answers:
            self._answers.move_to_end(question)
        return self._answers.get(question)

    def put(self, question: Hashable, answer: bytes) -> None:
        """Keep an answer, and forget others if there is no room."""
        self.size += len(answer) + OVERHEAD - self._forget(question)
        self._answers[question] = answer
        while self.size > self.most:
            self.size -= self._forget(next(iter(self._answers)))

    def _forget(self, question: Hashable) -> int:
        """Return the bytes that are free now."""
        answer = self._answers.pop(question, None)
        return 0 if answer is None else len(answer) + OVERHEAD
