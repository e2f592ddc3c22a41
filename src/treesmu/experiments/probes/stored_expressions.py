"""Stored expressions: a few hundred small ones, many of equal value, with which a model's states are compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

from treesmu.expr import Expr, leaf
from treesmu.expr.leaves import VARIABLES
from treesmu.expr.numeric.equal_classes import equal_classes
from treesmu.generate.axioms import FAMILIES, collect_axioms

DEEPEST = 3
MOST_VARIABLES = 2


@dataclass(frozen=True)
class StoredExpressions:
    """Expressions over x and y, and which of them are equal."""

    expressions: tuple[Expr, ...]
    number: tuple[int, ...]  # the index of each expression's value in names
    names: tuple[str, ...]  # of the values, the most frequent first: the simplest expression with that value


@cache
def stored_expressions() -> StoredExpressions:
    """Return the sides of the identities that ship with treesmu, up to depth 3, and their variables; made once."""
    sides = (side.canonical() for axiom in collect_axioms(FAMILIES) for side in (axiom.left, axiom.right))
    found = dict.fromkeys(e for e in sides if e.depth <= DEEPEST and len(e.variables()) <= MOST_VARIABLES)
    expressions = tuple(dict.fromkeys([*map(leaf, VARIABLES[:MOST_VARIABLES]), *found]))
    classes = equal_classes(expressions)
    by_frequency = [number for number, _ in Counter(classes).most_common()]
    place = {number: i for i, number in enumerate(by_frequency)}
    simplest = sorted(zip(classes, expressions, strict=True), key=lambda pair: pair[1].size, reverse=True)
    name = {number: str(e) for number, e in simplest}  # the last one of each class counts
    return StoredExpressions(expressions, tuple(place[c] for c in classes), tuple(name[c] for c in by_frequency))
