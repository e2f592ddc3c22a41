"""Exchange: the smallest sub-expression of an equation whose exchange for an equal one changes a model's verdict.

Where a model errs, this is what it does not know: had the equation been written in another way, it would have been right.
Equal expressions come from the identities that ship with treesmu, applied once at the node, and from the stored expressions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treesmu.expr import Expr, TreePath, check_many
from treesmu.expr.numeric.equal_classes import equal_classes
from treesmu.generate.axioms import FAMILIES, collect_axioms
from treesmu.generate.rewrite import Bindings, index_of
from treesmu.models.model import Model

from .stored_expressions import MOST_VARIABLES, stored_expressions

MOST = 600  # exchanges that are tried, those of the smallest sub-expressions first
LONGEST = 12  # nodes that an exchange may add: an answer has to be read


@dataclass(frozen=True)
class Exchange:
    """One sub-expression exchanged for an equal one, and what the model says then."""

    path: TreePath
    before: Expr
    after: Expr
    equation: Expr  # after the exchange
    probability: float  # that it is correct, by the model

    @property
    def is_on_left(self) -> bool:
        return self.path[0] == 0


def find_exchange(model: Model, equation: Expr) -> tuple[Exchange | None, int]:
    """Return the exchange of the smallest sub-expression that changes the model's verdict, and how many were tried.

    Among those of equal size, the exchange whose result is smallest. The exchanged equation has the same numeric verdict.
    """
    tried = _exchanges(equation)
    unreadable = model.unreadable([e for _, _, e in tried])
    tried = [exchange for i, exchange in enumerate(tried) if i not in unreadable]
    if not tried:
        return None, 0
    first, *probabilities = model.verify([equation, *(e for _, _, e in tried)]).tolist()
    changed = [
        Exchange(path, equation.at(path), after, e, p)
        for (path, after, e), p in zip(tried, probabilities, strict=True)
        if (p >= 0.5) != (first >= 0.5)
    ]
    label, *labels = (verdict.label for verdict in check_many([equation, *(x.equation for x in changed)]))
    return next((x for x, found in zip(changed, labels, strict=True) if found == label), None), len(tried)


def _exchanges(equation: Expr) -> list[tuple[TreePath, Expr, Expr]]:
    """Return places, new sub-expressions and new equations; the smallest sub-expressions first, then the smallest results.

    Equations that become a = a are left out: to see that they are correct, nothing has to be known about a.
    """
    places = [(path, e) for path, e in equation.paths() if path and not e.is_leaf]
    stored = _equal_stored([e for _, e in places])
    found = [
        (path, after)
        for path, e in places
        for after in dict.fromkeys([*_rewritten(e), *stored[e]])
        if after is not e and after.size <= e.size + LONGEST
    ]
    found.sort(key=lambda exchange: (equation.at(exchange[0]).size, exchange[1].size))
    exchanged = [(path, after, equation.replace(path, after)) for path, after in found]
    return [exchange for exchange in exchanged if exchange[2].left is not exchange[2].right][:MOST]


def _rewritten(e: Expr) -> Iterator[Expr]:
    """Yield what an identity makes of an expression, at its root. Only identities that keep the domain count."""
    for rewrite in index_of(collect_axioms(FAMILIES)).matching(e, growing=False).rewrites:
        bound: Bindings = [None] * rewrite.slots
        is_usable = not (rewrite.narrows or rewrite.free or rewrite.pattern.is_variable)
        if is_usable and rewrite.match(e, bound):
            yield rewrite.build(bound)


def _equal_stored(expressions: list[Expr]) -> dict[Expr, list[Expr]]:
    """Return for each expression the stored ones of equal value, with the names of its variables."""
    stored = stored_expressions().expressions
    canonical = {e: e.canonical() for e in dict.fromkeys(expressions)}
    small = [c for c in dict.fromkeys(canonical.values()) if len(c.variables()) <= MOST_VARIABLES]
    classes = equal_classes([*stored, *small])
    of_class: dict[int, list[Expr]] = {}
    for number, e in zip(classes, stored, strict=False):
        of_class.setdefault(number, []).append(e)
    found = {c: of_class.get(number, []) for c, number in zip(small, classes[len(stored) :], strict=True)}
    return {e: list(_with_names(found.get(c, []), c.variables(), e.variables())) for e, c in canonical.items()}


def _with_names(equal: list[Expr], before: list[Expr], after: list[Expr]) -> Iterator[Expr]:
    """Yield the expressions that have no other variables than these, with the other names."""
    names = dict(zip(before, after, strict=True))
    for e in equal:
        if names.keys() >= set(e.variables()):
            yield e.substitute(names)
