"""Expressions with parts that are candidates for blanks."""

from __future__ import annotations

from random import Random

from treesmu.expr import FUNCTIONS, Expr, leaf, node, parse
from treesmu.generate.blanks import FILLER_LEAVES

UNARY, BINARY = ([f for f in FUNCTIONS if f.arity == n] for n in (1, 2))


def prefix(text: str) -> str:
    return " ".join(parse(text).prefix())


def tree(rng: Random, depth: int) -> Expr:
    """Return a random expression of this depth; some of its leaves are not among those of candidates."""
    if depth == 0:
        return leaf(rng.choice([*FILLER_LEAVES, "u", "7", "2.5"]))
    deep, other = tree(rng, depth - 1), tree(rng, rng.randrange(min(3, depth)))
    f = rng.choice(rng.choice((UNARY, BINARY)))
    return node(f, deep) if f.arity == 1 else node(f, *rng.sample((deep, other), 2))
