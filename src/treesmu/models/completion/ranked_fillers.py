"""RankedFillers: what ``Model.complete`` returns, a list that a notebook shows as a table."""

from __future__ import annotations

from html import escape

from treesmu.expr import Expr, Verdict
from treesmu.expr.numeric.verdict import MARKS


class RankedFillers(list[tuple[Expr, float, Verdict]]):
    """A list of (filler, probability, numeric verdict), the best first."""

    def _repr_html_(self) -> str:
        """Return a table for notebooks, with formulas as MathML, which needs no script."""
        head = "<tr><th>rank</th><th>filler</th><th>P(correct)</th><th>numeric check</th></tr>"
        rows = [
            f"<tr><td>{rank}</td><td>{filler.mathml()}</td><td>{probability:.1%}</td>"
            f"<td>{MARKS[verdict.label]} {verdict.label} &mdash; {escape(verdict.explain())}</td></tr>"
            for rank, (filler, probability, verdict) in enumerate(self, 1)
        ]
        return f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
