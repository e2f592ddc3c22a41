"""RankedFillers: what ``Model.complete`` returns, a list that a notebook shows as a table."""

from __future__ import annotations

from html import escape
from typing import Literal

from treesmu.expr import Expr, Verdict
from treesmu.expr.numeric.verdict import MARKS

FoundBy = Literal["model", "search"]


class RankedFiller(tuple[Expr, float, Verdict]):
    """(filler, probability, numeric verdict), a tuple that also knows how the filler was found.

    ``found_by`` is ``"model"`` for the model's ranking of candidates, ``"search"`` for the search by value: then the
    probability is the model's, but the filler is not its answer.
    """

    found_by: FoundBy

    def __new__(cls, filler: Expr, probability: float, verdict: Verdict, found_by: FoundBy = "model") -> RankedFiller:
        new = super().__new__(cls, (filler, probability, verdict))
        new.found_by = found_by
        return new

    def __getnewargs__(self) -> tuple[Expr, float, Verdict, FoundBy]:
        return (*self, self.found_by)

    def __repr__(self) -> str:
        return f"{super().__repr__()}{' found by search' if self.found_by == 'search' else ''}"


class RankedFillers(list[RankedFiller]):
    """A list of (filler, probability, numeric verdict), the best first; those found by search follow those of the model."""

    def _repr_html_(self) -> str:
        """Return a table for notebooks, with formulas as MathML, which needs no script."""
        head = "<tr><th>rank</th><th>filler</th><th>P(correct)</th><th>numeric check</th><th>found by</th></tr>"
        rows = [
            f"<tr><td>{rank}</td><td>{one[0].mathml()}</td><td>{one[1]:.1%}</td>"
            f"<td>{MARKS[one[2].label]} {one[2].label} &mdash; {escape(one[2].explain())}</td><td>{one.found_by}</td></tr>"
            for rank, one in enumerate(self, 1)
        ]
        return f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
