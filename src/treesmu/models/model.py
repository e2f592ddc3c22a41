"""Model: verifies, embeds, completes and traces equations; ``treesmu.load`` and ``build`` return one."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu import registry
from treesmu.data import Forest
from treesmu.data.augment.variable_names import apply_with_known_names
from treesmu.errors import DataError
from treesmu.expr import Expr
from treesmu.expr.leaves import leaf_kind
from treesmu.expr.notation.names import shorten
from treesmu.trace import Trace
from treesmu.trace.tree import check_size

from .cells.base import Cell
from .cells.memory import RowMemory
from .completion.completions import complete
from .completion.ranked_fillers import RankedFiller, RankedFillers
from .forest.encoder import TreeEncoder
from .verifier import Verifier, as_expr, as_numpy


class Model(Verifier):
    """A verifier that also completes and traces equations. All models have this interface."""

    def complete(self, question: Expr | str, top: int = 5, **options: Any) -> RankedFillers:
        """Return the best fillers of the blank in ``"tan(x) = sin(x)/_"``, at most ``top``.

        Each is (filler, probability, numeric verdict); of fillers with equal values only the best one is returned. If none
        is correct, those found by a search of values follow, at most ``top``; their attribute ``found_by`` is ``"search"``.
        options: ``candidates``, ``height``, ``any_variable``, ``all_leaves``, ``verified``, ``search``, ``prior`` and
        ``screened``, as in :func:`treesmu.models.completion.completions.complete`, which returns logits and equal fillers too.
        """
        found = complete(self, as_expr(question), top, **options)
        return RankedFillers(RankedFiller(c.filler, c.probability, c.verdict, c.found_by) for c in found)

    def trace(self, expression: Expr | str) -> Trace:
        """Return the state, the memory and the gates of every node of an equation or an expression. Text is parsed.

        A sub-expression that occurs twice has two nodes. A model that reads variables at several points is traced at the
        first of them, which the trace names. In a notebook the result is shown as a drawing. Raises a DataError if
        the model has no states of nodes, such as an LSTM, or cannot read the expression.
        """
        e, encoder = as_expr(expression), self.encoder
        if not isinstance(encoder, TreeEncoder):
            trees = ", ".join(name for name in registry.BUILT_IN if registry.is_tree_model(name))
            raise DataError(f"{self.name} has no states of nodes, so it cannot be traced; trace a tree model: {trees}")
        check_size(e)
        if e.has_blank:
            raise DataError("there is a blank: only a complete equation can be traced")
        if reasons := self.unreadable([e]):
            raise DataError(f"{self.name} cannot read {shorten(str(e))}: {reasons[0]}")
        forest = encoder.one_point_each(apply_with_known_names(encoder.plan_exprs, [e], self.vocab).batch([0]))[0]
        with self.evaluation_mode():
            found = encoder.trace(forest)
        order = forest.preorder()
        values = {name: as_numpy(rows)[order] for name, rows in found.items()}
        probability = float(self.verify([e])[0]) if e.is_equation else None
        untrained = self.untrained([e])
        facts: dict[str, Any] = {"model": self.name, "probability": probability, "normalised": encoder.norm}
        facts |= {"untrained": None if untrained is None else untrained[0]}
        facts |= {"point": _point(e, forest, order) if encoder.points else None}
        rows, memory_name = _drawn_rows(encoder.cell)
        return Trace.from_rows(e, values, rows, memory_name=memory_name, **facts)


def _point(e: Expr, forest: Forest, order: NDArray[np.int64]) -> dict[str, float]:
    """Return the values of the variables of an expression in its forest at a point. order: the nodes in preorder."""
    tokens = e.prefix()[1:] if e.is_equation else e.prefix()  # the equality has no node
    leaves = zip(tokens, order.tolist(), strict=True)
    return {token: float(forest.number[node]) for token, node in leaves if leaf_kind(token) == "variable"}


def _drawn_rows(cell: Cell) -> tuple[int, str]:
    """Return how many rows of a memory hold entries, and what they are; a queue has further rows, how far these are filled."""
    structure = getattr(cell, "structure", None)
    if isinstance(structure, RowMemory):
        return structure.p, type(structure).__name__.lower()
    return prod(cell.memory[:-1]) if cell.memory else 0, "memory"
