"""Refusal: a request that is not answered, with its status and a message for the person who asked."""

from __future__ import annotations

import re

from treesmu.errors import DataError, one_line
from treesmu.expr import ParseError

from .answers import Fault, FaultAnswer

_WORD = re.compile(r"\\?\w+")  # also a command of LaTeX


class Refusal(Exception):  # noqa: N818 (the word of the protocol: nothing has gone wrong here)
    """Raised instead of answering; it becomes a JSON object with this status."""

    def __init__(
        self, status: int, message: str, remedy: str | None = None, position: int | None = None, length: int | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.answer = FaultAnswer(error=Fault(message=message, remedy=remedy, position=position, length=length))

    @classmethod
    def from_error(cls, error: DataError) -> Refusal:
        """Return the refusal for text that cannot be read, which says where, or for other data that cannot be used."""
        if not isinstance(error, ParseError):
            return cls(400, one_line(error))
        word = _WORD.match(error.text, error.position)
        return cls(400, error.message, position=error.position, length=len(word.group()) if word else 1)
