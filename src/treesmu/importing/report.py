"""ImportReport: what was read, what was left out and why, and what a researcher should know about the splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from treesmu.errors import DataError

from .parsing import ParsedRows, Remark

KINDS = {  # of remarks: what is said of their number
    "bad": ("bad line", "left out"),
    "undecided": ("equation", "without a label left out, because the check cannot decide"),
    "disagreements": ("label", "contradicted by the check"),
}
_SHOWN = 100  # characters of a line


class BadLinesError(DataError):
    """Raised if there are bad lines and they are not to be skipped; ``listed`` names them."""

    def __init__(self, message: str, listed: list[str]) -> None:
        super().__init__(message)
        self.listed = listed


@dataclass
class ImportReport:
    """Counts and the first remarks of each kind."""

    limit: int  # remarks of each kind that are listed
    counts: Counter[str] = field(default_factory=Counter)
    listed: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    notes: list[str] = field(default_factory=list)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> ImportReport:
        """Return the report that a manifest contains."""
        return cls(data["limit"], Counter(data["counts"]), data["listed"], data["notes"])

    def to_json(self) -> dict[str, Any]:
        """Return plain values for the manifest."""
        return {"limit": self.limit, "counts": dict(self.counts), "listed": self.listed, "notes": self.notes}

    def add(self, rows: ParsedRows, source: str, unit: str) -> None:
        """Count a chunk of rows, and keep its remarks up to the limit."""
        for name in ("read", "labelled_by_check", "confirmed", "unchecked", "renamed"):
            self.counts[name] += getattr(rows, name)
        self.counts["kept"] += len(rows.line)
        for kind, listed in self.listed.items():
            remarks: list[Remark] = getattr(rows, kind)
            self.counts[kind] += len(remarks)
            listed += [_sentence(remark, source, unit) for remark in remarks[: self.limit - len(listed)]]

    def lines(self) -> Iterable[str]:
        """Yield the lines for a person: every remark that is listed, how many more there are, then the notes."""
        for kind, text in KINDS.items():
            yield from with_rest(self.listed[kind], self.counts[kind])
            if self.counts[kind]:
                yield f"{count_of(self.counts[kind], *text)}"
        yield from self.notes

    def refuse_bad_lines(self) -> None:
        """Raise a BadLinesError if there are bad lines; which lists them."""
        if self.counts["bad"]:
            message = f"{count_of(self.counts['bad'], 'bad line')}; correct them, or leave them out: --bad-lines skip"
            raise BadLinesError(message, list(with_rest(self.listed["bad"], self.counts["bad"])))


def with_rest(listed: list[str], total: int) -> Iterator[str]:
    """Yield the lines that are listed, and how many more there are."""
    yield from listed
    if more := total - len(listed):
        yield f"and {more:,} more"


def count_of(number: int, noun: str, rest: str = "") -> str:
    """Return a number with its noun, as in ``1 bad line`` and ``1,234 bad lines``."""
    return f"{number:,} {noun}{'s' * (number != 1)} {rest}".rstrip()


def _sentence(remark: Remark, source: str, unit: str) -> str:
    text = " ".join(remark.text.split())
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return f"{source}, {unit} {remark.line}: {remark.reason}" + (f": {shown}" if shown else "")
