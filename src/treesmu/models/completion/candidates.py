"""The candidates for a blank that a model's vocabulary offers, and the names under which the model reads variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treesmu.data.augment.variable_names import VariableNames
from treesmu.data.trees.expr_nodes import first_occurrences
from treesmu.errors import DataError
from treesmu.expr import BLANK, EQUALITY, Expr, Op, leaf, op
from treesmu.expr.notation.names import shorten
from treesmu.expr.numeric.equal_classes import FILLER_LEAVES

from ..verifier import Verifier


@dataclass(frozen=True)
class Offer:
    """What fillers of one question may be made of."""

    leaves: list[Expr]
    functions: list[Op]
    numbers: list[Expr]  # the other numbers and constants of the vocabulary, for the search by value

    @classmethod
    def of(cls, model: Verifier, question: Expr, any_variable: bool, all_leaves: bool) -> Offer:
        """Return the offer of a vocabulary. any_variable, all_leaves: as in ``completions.complete``."""
        leaves, functions = vocabulary(model)
        in_question = {e for e in question.subexpressions() if e.is_leaf}

        def is_wanted(e: Expr) -> bool:
            return e in in_question or (any_variable if e.is_variable else all_leaves or e.token in FILLER_LEAVES)

        wanted = [e for e in leaves if is_wanted(e)]
        return cls(wanted, functions, [e for e in leaves if not e.is_variable and not is_wanted(e)])


def vocabulary(model: Verifier) -> tuple[list[Expr], list[Op]]:
    """Return the leaves of a model's vocabulary that have a value, and its functions."""
    try:
        leaves = [leaf(token) for token in model.vocab.leaves if token not in ("nan", "inf")]
        functions = [op(name) for name in model.vocab.functions]
    except ValueError as error:
        raise DataError(f"the model's vocabulary is not that of mathematics ({error}); give a list of candidates") from error
    return leaves, [f for f in functions if f is not EQUALITY]


def known_names(model: Verifier, question: Expr, given: Sequence[Expr]) -> tuple[dict[Expr, Expr], dict[Expr, Expr]]:
    """Return a map from unknown variables to known ones, so that theta is read as x, and the map back."""
    names = VariableNames(model.vocab)
    tokens = [e.token for e in first_occurrences((question, *given)) if e.token != BLANK]
    if reason := names.why_unreadable(tokens):
        raise DataError(f"the model cannot read {shorten(str(question))}: {reason}")
    to_known = {leaf(old): leaf(new) for old, new in names.replacements(tokens).items()}
    return to_known, {new: old for old, new in to_known.items()}
