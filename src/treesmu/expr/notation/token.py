"""Token, a word or symbol of a string; and ParseError, which says where a string is wrong."""

from __future__ import annotations

from dataclasses import dataclass

from treesmu.errors import DataError

from ..leaves import MAX_DIGITS
from ..ops import Op


class ParseError(DataError):
    """Raised for a string that cannot be parsed; the message says what is wrong, where, and what would be right."""

    def __init__(self, message: str, text: str, position: int) -> None:
        self.message, self.text, self.position = message, text, position
        super().__init__(f"{message}:\n{_caret(text, position)}" if text.strip() else message)


def _caret(text: str, position: int, width: int = 72) -> str:
    """Return the text with a caret below the position, cut to a window if it is long."""
    text = "".join(c if c.isprintable() else " " for c in text)
    start = max(0, min(position - width // 2, len(text) - width))
    end = start + width
    head, tail = "..." if start else "", "..." if end < len(text) else ""
    return f"  {head}{text[start:end]}{tail}\n  {' ' * (len(head) + position - start)}^"


@dataclass(slots=True)  # not frozen, which would make the tokenizer a third slower
class Token:
    """A word or symbol of a string."""

    kind: str  # number name function frac sqrt blank end, or the symbol itself: + - * / ^ = , ( ) { } [ ] _
    text: str
    start: int
    op: Op | None = None


def limit_digits(text: str, count: int, start: int, what: str = "number") -> None:
    """Refuse a number that is too long to compute with."""
    if count > MAX_DIGITS:
        raise ParseError(f"a {what} of {count:,} digits; the limit is {MAX_DIGITS:,}", text, start)
