"""Neighbours: the stored expressions whose states are nearest to that of an expression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.expr import VARIABLES, Expr, check_many, equation, leaf
from treesmu.models.model import Model

from .stored_expressions import stored_expressions

Array = NDArray[Any]


@dataclass(frozen=True)
class Neighbour:
    """A stored expression, with the variables of the one that it is compared with."""

    expr: Expr
    distance: float  # Euclidean, between the two states
    is_equal: bool | None  # by the numeric check; None if it is undecided


class StoredStates:
    """The states of the stored expressions that a model can read, computed once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        stored = stored_expressions()
        unreadable = model.unreadable(stored.expressions)
        places = [i for i in range(len(stored.expressions)) if i not in unreadable]
        self.expressions = [stored.expressions[i] for i in places]
        self.number = [stored.number[i] for i in places]
        self.states: Array = model.embed(self.expressions).astype(float)  # (expressions, n)

    def nearest(self, e: Expr, count: int) -> list[Neighbour]:
        """Return the stored expressions with the nearest states, without the expression itself.

        The variables of the expression are compared under the names that stored ones have: y^2 as x^2.
        """
        canonical = e.canonical()
        state = self.model.embed([canonical])[0].astype(float)
        distance = np.linalg.norm(self.states - state, axis=1)
        order = [i for i in np.argsort(distance, kind="stable").tolist() if self.expressions[i] is not canonical][:count]
        verdicts = check_many([equation(canonical, self.expressions[i]) for i in order])
        names = _names_for(e.variables())
        return [
            Neighbour(
                self.expressions[i].substitute(names),
                float(distance[i]),
                None if verdict.label == "undecided" else verdict.label == "correct",
            )
            for i, verdict in zip(order, verdicts, strict=True)
        ]


def _names_for(variables: list[Expr]) -> dict[Expr, Expr]:
    """Return the variables that stand for x, y, ... of stored expressions: those that are given, then unused ones."""
    canonical = [leaf(name) for name in VARIABLES]
    unused = [v for v in canonical if v not in variables]
    return dict(zip(canonical, [*variables, *unused], strict=False))
