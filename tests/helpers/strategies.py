"""Random expressions for tests: a fast seeded generator, and hypothesis strategies that shrink."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from treesmu.expr.leaves import CONSTANTS, GREEK
from treesmu.expr.ops import FUNCTIONS
from treesmu.expr.tree import Expr, equation, leaf, node

UNARY = [f for f in FUNCTIONS if f.arity == 1]
BINARY = [f for f in FUNCTIONS if f.arity == 2]

VARIABLES = [leaf(name) for name in (*"xyzwuvabcdfgXE", "x_0", "x_1", "y_12", "theta_3", "x_i", "y_max", "a_theta", *GREEK)]
NUMBERS = [
    *(leaf(str(n)) for n in (*range(-12, 13), 100, 10**20)),
    *(leaf(q) for q in ("1/2", "-1/2", "2/5", "-3/4", "1/3", "10/7", "123/1000")),
    *(leaf(d) for d in ("0.7", "-0.7", "0.0", "-0.0", "1.50", "3.14159", "-12.25")),
]
LEAVES = [*VARIABLES, *NUMBERS, *(leaf(c) for c in CONSTANTS)]
COMMON = [leaf(t) for t in ("x", "y", "-1", "1", "2", "1/2", "e", "pi", "-2")]  # the leaves that notations treat specially
BLANK = leaf("_")
MAX_DEPTH = 19


def random_leaf(rng: random.Random) -> Expr:
    return rng.choice(COMMON if rng.random() < 0.4 else LEAVES)


def random_tree(rng: random.Random, depth: int) -> Expr:
    """Return an expression of exactly this depth: one path of that length, with shallow trees beside it."""
    e = random_leaf(rng)
    for height in range(depth):
        if rng.random() < 0.5:
            e = node(rng.choice(UNARY), e)
        else:
            beside = random_tree(rng, rng.choice((0, 0, 0, 0, 1, 1, 2)) if height > 2 else rng.randint(0, height))
            e = node(rng.choice(BINARY), *((e, beside) if rng.random() < 0.5 else (beside, e)))
    return e


def with_blank(rng: random.Random, e: Expr) -> Expr:
    """Return the expression with a blank instead of one of its leaves."""
    path: tuple[int, ...] = ()
    while not (here := e.at(path)).is_leaf:
        path = (*path, rng.randrange(len(here.children)))
    return e.replace(path, BLANK)


def random_expr(rng: random.Random, depth: int) -> Expr:
    """Return an expression (with probability 1/5 an equation) of exactly this depth; one in ten has a blank."""
    if depth and rng.random() < 0.2:
        sides = [random_tree(rng, depth - 1), random_tree(rng, rng.randint(0, depth - 1))]
        e = equation(*(sides if rng.random() < 0.5 else reversed(sides)))
    else:
        e = random_tree(rng, depth)
    return with_blank(rng, e) if rng.random() < 0.1 else e


def random_exprs(seed: int, count: int) -> Iterator[Expr]:
    """Yield mostly small expressions; every fifth one is deeper, with each depth in turn."""
    rng = random.Random(seed)
    for i in range(count):
        yield random_expr(rng, rng.choice((1, 1, 2, 2, 3, 3, 4)) if i % 5 else 1 + i // 5 % MAX_DEPTH)


leaves = st.sampled_from([*COMMON, *LEAVES])


@st.composite
def blanked(draw: st.DrawFn, source: st.SearchStrategy[Expr]) -> Expr:
    e = draw(source)
    places = [path for path, sub in e.paths() if sub.is_leaf]
    return e.replace(draw(st.sampled_from(places)), BLANK)


def _grow(children: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    unary = st.builds(node, st.sampled_from(UNARY), children)
    return unary | st.builds(node, st.sampled_from(BINARY), children, children)


trees = st.recursive(leaves, _grow, max_leaves=40)
expressions = trees | st.builds(equation, trees, trees) | blanked(trees)
