"""Grow correct equations by small sound steps, like the lines of a textbook derivation.

A step rewrites a sub-tree by an identity, applies the same function to both sides, or substitutes an expression for a variable.
"""

from __future__ import annotations

from random import Random

from treesmu.expr import VARIABLES, Expr, equation, leaf, node, op, parse
from treesmu.expr.ops import ADD, MUL

from ..axioms import Axiom
from ..fingerprint import MAX_VARIABLES
from ..rewrite import Bindings, builder, index_of

_LEAVES = [leaf(v) for v in VARIABLES[:MAX_VARIABLES]]
_NUMBERS = [leaf(t) for t in "1 2 3 4 5 -1 -2 1/2 pi e 10".split()]
_X, _Y = _LEAVES[:2]
_SMALL = [
    builder(parse(text), {_X: 0, _Y: 1})
    for text in "2*x; 3*x; x + 1; x + y; x - y; x*y; x/2; x/y; x^2; -x; pi*x; x - 1; x + pi; 1/x; 2*x + y; x^3".split(";")
]
_WRAPPERS = {  # functions to apply to both sides, by family: those that are defined everywhere
    "trigonometry": "sin cos",
    "inverse": "atan",
    "hyperbolic": "sinh cosh tanh sech",
    "inverse_hyperbolic": "asinh",
    "exponential": "exp",
}


def largest_size(depth: int) -> int:
    """Return how many nodes an equation of this depth may have; identities that repeat a variable would double it each time."""
    return 14 + 7 * depth


class Grower:
    """Makes equations from identities and grows them. All randomness comes from ``rng``."""

    def __init__(self, axioms: tuple[Axiom, ...], rng: Random) -> None:
        self.rng = rng
        self.index = index_of(axioms)
        families = list(dict.fromkeys(a.family for a in axioms))
        starts = {f: [a for a in axioms if a.family == f and not a.is_padding] for f in families}
        self._starts = [[a.equation for a in family] for family in starts.values() if family]
        self._least_depth = min((e.depth for family in self._starts for e in family), default=0)
        self._weights = [family[0].weight for family in starts.values() if family]
        self._wrappers = [op(name) for f in families for name in _WRAPPERS.get(f, "").split()]

    # -- starting --------------------------------------------------------------------------------------------------

    def start(self, ceiling: int = 19, tries: int = 100) -> Expr | None:
        """Return an identity with small expressions for its variables, no deeper than the ceiling; None if none is found."""
        if ceiling < self._least_depth:  # what stands for a variable makes an identity no shallower: all tries would be in vain
            return None
        for _ in range(tries):
            e = self._start()
            if e.depth <= ceiling and e.left is not e.right:
                return e
        return None

    def _start(self) -> Expr:
        rng = self.rng
        axiom = rng.choice(rng.choices(self._starts, self._weights)[0])
        if rng.random() < 0.5:
            axiom = equation(axiom.right, axiom.left)
        few = _LEAVES[: rng.choice((1, 2, 2, 3, 3, 4))]
        return axiom.substitute({v: self._instance(few) for v in axiom.variables()}).canonical()

    def _instance(self, variables: list[Expr]) -> Expr:
        draw = self.rng.random()
        if draw < 0.7:
            return self.rng.choice(variables)
        if draw < 0.8:
            return self.rng.choice(_NUMBERS)
        return self._small(variables)

    def _small(self, variables: list[Expr]) -> Expr:
        rng = self.rng
        return rng.choice(_SMALL)([rng.choice(variables), rng.choice(variables)])

    # -- growing ---------------------------------------------------------------------------------------------------

    def grow(self, e: Expr, ceiling: int, tries: int = 40) -> Expr | None:
        """Return a deeper equation that follows from this one, at most as deep as the ceiling; None if no try succeeds."""
        depth = e.depth
        for _ in range(tries):
            new = self._step(e, ceiling)
            if new is not None and new.depth <= ceiling and new.size <= largest_size(new.depth) and new.left is not new.right:
                e = new
                if e.depth > depth:
                    return e
        return None

    def _step(self, e: Expr, ceiling: int) -> Expr | None:
        draw = self.rng.random()
        if draw < 0.06:
            return self.apply_to_both_sides(e)
        if draw < 0.1:
            return self.substitute(e)
        if draw < 0.28:
            return self.rewrite(e)
        return self.deepen(e, ceiling)

    def deepen(self, e: Expr, ceiling: int) -> Expr | None:
        """Rewrite a node on the longest path of one side so that the side gets deeper; return None if that fails."""
        rng = self.rng
        left, right = e.children
        higher = left if left.depth > right.depth or (left.depth == right.depth and rng.random() < 0.5) else right
        side = higher if rng.random() < 0.72 else (right if higher is left else left)
        path = _longest_path(side)
        place = self._place(len(path))
        room = largest_size(ceiling) - e.size + path[place].size
        new = self._rewrite_at(path[place], growing=True, room=room)
        if new is None or new.depth + place >= ceiling:
            return None
        for parent, child in zip(reversed(path[:place]), reversed(path[1 : place + 1]), strict=True):
            new = _replace_child(parent, child, new)
        return equation(new, right) if side is left else equation(left, new)

    def _place(self, length: int) -> int:
        """Draw a place on a path of this length: mostly near its end, where a rewrite repeats little, but seldom the leaf."""
        rng = self.rng
        if length == 1 or rng.random() < 0.08:
            return length - 1
        if rng.random() < 0.3:
            return rng.randrange(length - 1)
        return max(0, length - 2 - int(rng.expovariate(0.45)))

    def rewrite(self, e: Expr) -> Expr | None:
        """Rewrite a random node; return None if no identity matches it."""
        path: list[int] = []
        here = e
        while here.children and (not path or self.rng.random() < 0.75):
            i = self.rng.randrange(len(here.children))
            path.append(i)
            here = here.children[i]
        new = self._rewrite_at(here, growing=False, room=largest_size(e.depth) - e.size + here.size)
        return e.replace(tuple(path), new) if new is not None else None

    def _rewrite_at(self, e: Expr, growing: bool, room: int) -> Expr | None:
        """Rewrite an expression at its root, to at most ``room`` nodes."""
        rewrites = self.index.matching(e, growing)
        for _ in range(3):
            rewrite = rewrites.draw(self.rng)
            if rewrite is None:
                return None
            bound: Bindings = [None] * rewrite.slots
            if rewrite.match(e, bound) and not (rewrite.narrows and any(b is not None and b.is_constant for b in bound)):
                for slot in rewrite.free:
                    bound[slot] = self._instance(_LEAVES[:2])
                if rewrite.size(bound) <= room and (not growing or rewrite.depth(bound) > e.depth):
                    return rewrite.build(bound)
        return None

    def apply_to_both_sides(self, e: Expr) -> Expr:
        """Turn l = r into l + c = r + c, l*c = r*c or f(l) = f(r)."""
        rng = self.rng
        if self._wrappers and rng.random() < 0.3:
            wrapper = rng.choice(self._wrappers)
            return equation(node(wrapper, e.left), node(wrapper, e.right))
        variables = e.variables() or _LEAVES[:1]
        operand = self._small(variables) if rng.random() < 0.6 else rng.choice([*variables, *_NUMBERS])
        function = ADD if rng.random() < 0.5 else MUL
        left, right = ((operand, s) if rng.random() < 0.5 else (s, operand) for s in e.children)
        return equation(node(function, *left), node(function, *right))

    def substitute(self, e: Expr) -> Expr | None:
        """Substitute a small expression for all occurrences of a variable; return None if there are no variables."""
        variables = e.variables()
        if not variables:
            return None
        pool = _LEAVES[: min(MAX_VARIABLES, len(variables) + 1)]
        return e.substitute({self.rng.choice(variables): self._small(pool)})


def _longest_path(e: Expr) -> list[Expr]:
    """Return the nodes from the root down to the deepest leaf."""
    path = [e]
    while e.children:
        e = e.children[0] if len(e.children) == 1 or e.children[0].depth >= e.children[1].depth else e.children[1]
        path.append(e)
    return path


def _replace_child(parent: Expr, child: Expr, new: Expr) -> Expr:
    """Return the parent with the first occurrence of a child replaced."""
    assert parent.op is not None
    if len(parent.children) == 1:
        return node(parent.op, new)
    first, second = parent.children
    return node(parent.op, new, second) if first is child else node(parent.op, first, new)
