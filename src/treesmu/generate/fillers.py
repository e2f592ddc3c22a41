"""Wrong fillers: a correct equation in which a leaf or a function of leaves is replaced, as in completion."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from treesmu.expr import FUNCTIONS, Expr, Op, leaf, node
from treesmu.expr.numeric.equal_classes import FILLER_LEAVES

_VARIABLE, _ANY_LEAF = 0.55, 0.65  # how often a leaf is a variable of the equation; up to here, any leaf of a candidate
_LEAF, _UNARY = 0.2, 0.55  # how often a filler is a leaf; up to here, a function of one leaf; else one of two
_LEAVES = [leaf(token) for token in FILLER_LEAVES]
_NUMBERS = [e for e in _LEAVES if e.is_constant]


class Refiller:
    """Replaces a part of height 0 or 1 by a random filler of height 0 or 1. All randomness comes from ``rng``.

    functions: those of fillers. The new filler may have the value of the old one: the numeric check decides the label.
    """

    def __init__(self, functions: Collection[Op], rng: Random) -> None:
        self.rng = rng
        self.unary, self.binary = ([f for f in FUNCTIONS if f.arity == arity and f in functions] for arity in (1, 2))

    def refill(self, e: Expr) -> Expr:
        """Return the equation with one part replaced."""
        path, here = self.rng.choice([pair for pair in e.paths() if pair[0] and pair[1].depth <= 1])
        variables = e.variables()
        filler = here
        while filler is here:
            filler = self._filler(variables)
        return e.replace(path, filler)

    def _filler(self, variables: list[Expr]) -> Expr:
        draw = self.rng.random()
        if draw < _LEAF:
            return self._leaf(variables)
        if self.unary and draw < _UNARY:
            return node(self.rng.choice(self.unary), self._leaf(variables))
        return node(self.rng.choice(self.binary), self._leaf(variables), self._leaf(variables))

    def _leaf(self, variables: list[Expr]) -> Expr:
        draw = self.rng.random()
        if variables and draw < _VARIABLE:
            return self.rng.choice(variables)
        return self.rng.choice(_LEAVES if draw < _ANY_LEAF else _NUMBERS)
