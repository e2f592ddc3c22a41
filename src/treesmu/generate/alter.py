"""Make incorrect equations from correct ones: near misses, which resemble human mistakes, and mutations, as in the paper.

Neither guarantees an incorrect equation: the numeric check decides the label, and an equation that is still true after the
change is labelled correct.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import cache
from random import Random

from treesmu.expr import FUNCTIONS, VARIABLES, Expr, Op, distinct, leaf, node
from treesmu.expr.ops import ADD, MUL

from .axioms import FAMILIES, axioms_of

_MINUS_ONE = leaf("-1")
_LEAVES = "x y z 0 1 2 3 4 10 -1 -2 1/2 pi".split()
_FAMILY: dict[Op, list[Op]] = {
    f: [g for g in FUNCTIONS if g.family == f.family and g.arity == f.arity and g is not f] for f in FUNCTIONS
}


def near_miss(e: Expr, rng: Random) -> Expr | None:
    """Return the equation with one small change at a random node; None if the kind of change drawn is not possible there."""
    path, here = rng.choice([pair for pair in e.paths() if pair[0]])
    changed = rng.choice(list(CHANGES.values()))(here, e, rng)
    return e.replace(path, changed) if changed is not None and changed is not here else None


def _sign(e: Expr, _: Expr, rng: Random) -> Expr | None:
    """Change a sign: a -> -a and back, a + b -> a - b."""
    if e.op is MUL and e.left is _MINUS_ONE:
        return e.right
    if e.op is ADD:
        other = e.right.right if e.right.op is MUL and e.right.left is _MINUS_ONE else node(MUL, _MINUS_ONE, e.right)
        return node(ADD, e.left, other)
    return node(MUL, _MINUS_ONE, e) if rng.random() < 0.3 else None


def _constant(e: Expr, _: Expr, rng: Random) -> Expr | None:
    """Change a number to a close one that occurs in the identities, 2 -> 3, 1/2 -> 2/3: others would reveal the change."""
    if not (e.is_leaf and e.is_constant):
        return None
    value = {"pi": Fraction(22, 7), "e": Fraction(19, 7)}.get(e.token, e.number)
    if value is None:
        return None
    pool = [n for n in _numbers() if n.denominator == 1 or value.denominator > 1]  # an integer becomes an integer
    place = bisect_left(pool, value)
    near = [n for n in pool[max(0, place - 2) : place + 3] if n != value]
    return leaf(str(rng.choice(near)))


@cache
def _numbers() -> list[Fraction]:
    """Return the numbers that occur in the identities, in ascending order."""
    sides = [side for family in FAMILIES for axiom in axioms_of(family) for side in (axiom.left, axiom.right)]
    return sorted({e.number for e in distinct(sides) if e.number is not None})


def _function(e: Expr, _: Expr, rng: Random) -> Expr | None:
    """Change a function to another one of its family: sin -> cos."""
    others = _FAMILY[e.op] if e.op is not None else []
    return node(rng.choice(others), *e.children) if others else None


def _swap(e: Expr, _: Expr, rng: Random) -> Expr | None:  # noqa: ARG001
    """Swap arguments: a^b -> b^a, log(a, b) -> log(b, a), a - b -> b - a."""
    if e.op is ADD and e.right.op is MUL and e.right.left is _MINUS_ONE:
        return node(ADD, e.right.right, node(MUL, _MINUS_ONE, e.left))
    if e.op in (ADD, MUL) or len(e.children) != 2:
        return None
    assert e.op is not None
    return node(e.op, e.right, e.left)


def _variable(e: Expr, whole: Expr, rng: Random) -> Expr | None:
    """Change one occurrence of a variable: x -> y."""
    if not e.is_variable:
        return None
    others = [v for v in whole.variables() if v is not e]
    return rng.choice(others) if others else leaf(next(v for v in VARIABLES if v != e.token))


def _drop(e: Expr, _: Expr, rng: Random) -> Expr | None:
    """Drop a term, a factor or a function: a + b -> a, a*b -> b, f(a) -> a."""
    if e.op in (ADD, MUL):
        return rng.choice(e.children)
    return e.left if len(e.children) == 1 else None


CHANGES: dict[str, Callable[[Expr, Expr, Random], Expr | None]] = {  # what each returns for a node of an equation; None: cannot
    "sign": _sign,
    "constant": _constant,
    "function": _function,
    "swap": _swap,
    "variable": _variable,
    "drop": _drop,
}


class Mutator:
    """Mutates equations as in the paper: a random node gets a function above it, becomes one of its children, or is relabelled.

    functions: those that are inserted; functions that no identity in use has reveal the label. leaves: the same for leaves, of
    which one that is named twice is drawn twice as often.
    """

    def __init__(self, functions: Collection[Op], rng: Random, leaves: Sequence[str] = _LEAVES) -> None:
        self.rng, self.leaves = rng, leaves
        self.unary = [f for f in FUNCTIONS if f.arity == 1 and f in functions]
        self.binary = [f for f in FUNCTIONS if f.arity == 2 and f in functions]

    def mutate(self, e: Expr) -> Expr:
        """Return the equation changed at one random node."""
        path, here = self.rng.choice([pair for pair in e.paths() if pair[0]])
        return e.replace(path, self.rng.choice((self._grow, self._shrink, self._relabel))(here))

    def _grow(self, e: Expr) -> Expr:
        rng = self.rng
        if self.unary and rng.random() < 0.5:
            return node(rng.choice(self.unary), e)
        other = leaf(rng.choice(self.leaves))
        return node(rng.choice(self.binary), *((e, other) if rng.random() < 0.5 else (other, e)))

    def _shrink(self, e: Expr) -> Expr:
        return self.rng.choice(e.children) if e.children else self._relabel(e)

    def _relabel(self, e: Expr) -> Expr:
        if e.op is None:
            return leaf(self.rng.choice([t for t in self.leaves if t != e.token]))
        others = [f for f in (self.unary if e.op.arity == 1 else self.binary) if f is not e.op]
        return node(self.rng.choice(others), *e.children) if others else self._grow(e)
