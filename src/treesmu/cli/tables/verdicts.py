"""Verdicts on equations, of the numeric check and of a model, as lines of text and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treesmu.expr import ParseError, Verdict

NUMERIC = f"{'numeric':10} "
HEADER = f"{NUMERIC}{'model':10} {'P(correct)':>10}  "
WIDEST = 60  # characters of the column of equations; the reasons of longer ones are not aligned
NARROWEST = 20
RECORD = "equation label points counterexample sides reason probability model model_reason untrained error".split()


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """What a model says about an equation; empty without a model."""

    probability: float | None = None  # that the equation is correct
    reason: str | None = None  # why there is no probability
    untrained: tuple[str, ...] | None = None  # symbols that the training equations lack; None: not known

    @classmethod
    def from_probability(cls, probability: float, untrained: tuple[str, ...] | None = None) -> ModelVerdict:
        """Return the verdict for a probability, which may be NaN."""
        no_number = isnan(probability)
        return cls(None if no_number else probability, "the model's values are not finite" if no_number else None, untrained)

    @property
    def label(self) -> str | None:
        """The more probable one of correct and incorrect."""
        return None if self.probability is None else "correct" if self.probability >= 0.5 else "incorrect"

    def columns(self) -> str:
        """Return label and probability as two columns."""
        percent = "-" if self.probability is None else f"{self.probability:.1%}"
        return f"{self.label or '-':10} {percent:>10}  "


@dataclass(frozen=True, slots=True)
class VerifiedEquation:
    """An equation with the verdicts of the numeric check and of a model."""

    equation: str
    verdict: Verdict
    model: ModelVerdict

    def record(self) -> dict[str, Any]:
        """Return everything as values for JSON, which has no infinity."""
        record = {"equation": self.equation, **asdict(self.verdict)}
        if self.verdict.sides is not None:
            record["sides"] = [side if isfinite(side) else str(side) for side in self.verdict.sides]
        return record | {
            "probability": self.model.probability,
            "model": self.model.label,
            "model_reason": self.model.reason,
            "untrained": None if self.model.untrained is None else list(self.model.untrained),
            "error": None,
        }

    def explanation(self) -> str:
        """Return the reason of the numeric verdict, and why there is no probability if there is none."""
        reason = self.verdict.explain()
        return reason if self.model.reason is None else f"{reason}; no probability: {self.model.reason}"


def unread_record(text: str, where: str, error: ParseError) -> dict[str, Any]:
    """Return the record of an equation that could not be read, with the names of other records.

    where: its place; "" if it is the only one.
    """
    fault = {"where": where or None, "message": error.message, "position": error.position}
    return {**dict.fromkeys(RECORD), "equation": text, "error": fault}


def table_lines(equations: list[VerifiedEquation], has_model: bool, columns: int | None) -> Iterator[str]:
    """Yield the lines of a table with one line per equation.

    columns: the width of the terminal; longer lines are wrapped below their column. None: no line is wrapped, which is
    what files and other programs need.
    """
    offset = len(HEADER) if has_model else len(NUMERIC)
    widest = WIDEST if columns is None else min(WIDEST, max(NARROWEST, columns - offset - len("  equal at 24 points")))
    width = min(widest, max(len(e.equation) for e in equations))
    if has_model:
        width = max(width, len("equation"))
        yield f"{HEADER}{'equation':{width}}  reason"
    for e in equations:
        start = f"{e.verdict.label:{len(NUMERIC)}}" + (e.model.columns() if has_model else "")
        line = f"{start}{e.equation:{width}}  {e.explanation()}"
        if columns is None or (len(line) <= columns and len(e.equation) <= width):
            yield line
        else:
            yield from _wrap(start, e, max(NARROWEST, columns - offset))


def _wrap(start: str, equation: VerifiedEquation, width: int) -> Iterator[str]:
    """Yield the equation and, indented below it, the explanation, both in the column of equations."""
    explanation = textwrap.wrap(
        equation.explanation(), width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
    )
    for line in (*textwrap.wrap(equation.equation, width, break_on_hyphens=False), *explanation):
        yield start + line
        start = " " * len(start)
