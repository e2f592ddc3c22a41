"""Grow a pool of equations in the way of the original generator.

A pool begins with the basic identities. A step takes a random equation of the pool and rewrites a node (sometimes a few) of
one side by random identities, applies the same operation to both sides, or substitutes a leaf for a variable; the new equation
joins the pool. So equations grow a little at a time, mostly on the side that is already the larger one, and mostly by padding.
The shares below were chosen so that the statistics are those of the original's equations (docs/explanation/published.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from treesmu.expr import VARIABLES, Expr, TreePath, equation, leaf, node
from treesmu.expr.ops import ADD, MUL, POW

from ..fingerprint import MAX_VARIABLES
from ..rewrite import Bindings, Rewrite, compile_axiom
from .identities import WRONG_CAUSES, basic_identities

MAX_NODES = 250  # of an equation; the formulas for sums of angles double their arguments
_TRIES = 200  # identities that are tried on an equation
_BOTH_SIDES, _SUBSTITUTE = 0.15, 0.06  # shares of these steps; the others rewrite
_AGAIN = 0.3  # how often a step rewrites one more node of the same side
_OFFSET, _POWER = 6, 6  # a side is rewritten in proportion to (its size + offset)^power: mostly the larger one
_PADDING = 0.35  # share of rewriting steps that draw among the padding; the others draw among all identities
_UNSOUND = 0.75  # how often an identity that is wrong on half of the line is used when it is drawn
_DEEPER = 0.5  # where depth is sought: how often a step takes the deeper of two equations
_DEEPEST = 0.8  # the same: how often it rewrites one of the deepest nodes of a side
_LOOSE = 0.02  # how often a pattern is matched without comparing repeated variables
_KINDS = ("variable",) * 5 + ("-1", "1/2", "pi", "1", "0", "0.7", "2/5", "integer")  # of leaves, equally frequent
_INTEGERS = ("2", "3", "4", "10")


@dataclass(frozen=True)
class GrowthSettings:
    """How a pool grows."""

    steps: int  # equations that are added to the basic identities
    has_padding: bool = True
    is_lopsided: bool = True  # False: a step rewrites the smaller side
    causes: tuple[str, ...] = WRONG_CAUSES  # of wrong equations
    seeks_depth: bool = False  # prefer deep equations and deep nodes, so that deep equations are found


class Pool:
    """Equations that were derived from the basic identities. All randomness comes from ``rng``."""

    def __init__(self, settings: GrowthSettings, rng: Random, ceiling: int) -> None:
        self.settings, self.rng, self.ceiling = settings, rng, ceiling
        identities = basic_identities(settings.has_padding, settings.causes)
        self._rewrites = _compiled(settings.has_padding, settings.causes, is_loose=False)
        self._loose = _compiled(settings.has_padding, settings.causes, is_loose=True)
        self._padding = [r for r in self._rewrites if r.family == "padding"]
        self._known: set[Expr] = set()
        self.equations: list[Expr] = []
        for a in identities:
            self._add(a.equation)

    def grow(self) -> None:
        """Add equations to the pool."""
        wanted = len(self.equations) + self.settings.steps
        for _ in range(20 * self.settings.steps):
            new = self._step(self._draw())
            if new is not None:
                self._add(with_first_names(new))
            if len(self.equations) == wanted:
                return

    def _add(self, e: Expr) -> None:
        if e not in self._known and e.depth <= self.ceiling and e.size <= MAX_NODES:
            self._known.add(e)
            self.equations.append(e)

    def _draw(self) -> Expr:
        """Draw an equation of the pool; with ``seeks_depth`` often the deeper of two."""
        first = self.rng.choice(self.equations)
        if not self.settings.seeks_depth or self.rng.random() > _DEEPER:
            return first
        second = self.rng.choice(self.equations)
        return first if first.depth >= second.depth else second

    # -- steps -------------------------------------------------------------------------------------------------------

    def _step(self, e: Expr) -> Expr | None:
        draw = self.rng.random()
        if draw < _BOTH_SIDES:
            return self._apply_to_both_sides(e)
        if draw < _BOTH_SIDES + _SUBSTITUTE:
            return self._substitute(e)
        return self._rewrite_side(e)

    def _apply_to_both_sides(self, e: Expr) -> Expr:
        """Turn l = r into l + c = r + c, l*c = r*c, l^c = r^c or c^l = c^r."""
        operand, function = self._leaf(e), self.rng.choice((ADD, MUL, POW))
        if self.rng.random() < 0.5:
            return equation(node(function, operand, e.left), node(function, operand, e.right))
        return equation(node(function, e.left, operand), node(function, e.right, operand))

    def _substitute(self, e: Expr) -> Expr | None:
        variables = e.variables()
        return e.substitute({self.rng.choice(variables): self._leaf(e)}) if variables else None

    def _leaf(self, e: Expr) -> Expr:
        """Return a random leaf; a variable is mostly one that the equation does not have yet."""
        kind = self.rng.choice(_KINDS)
        if kind == "integer":
            return leaf(self.rng.choice(_INTEGERS))
        if kind != "variable":
            return leaf(kind)
        variables = e.variables()
        if variables and (len(variables) >= MAX_VARIABLES or self.rng.random() < 0.1):
            return self.rng.choice(variables)
        return next(v for v in map(leaf, VARIABLES) if v not in variables)

    def _rewrite_side(self, e: Expr) -> Expr | None:
        """Rewrite one node of a side; sometimes some more of the same side."""
        side = self._side(e)
        new = self._rewrite(e, side)
        while new is not None and self.rng.random() < _AGAIN:
            new = self._rewrite(new, side)
        return new

    def _rewrite(self, e: Expr, side: int) -> Expr | None:
        """Rewrite one node by a random identity, at a random place where one side of the identity matches."""
        rng = self.rng
        everywhere = self._places(e, side)
        places: dict[str, list[tuple[TreePath, Expr]]] = {}
        for place in everywhere:
            places.setdefault(place[1].token, []).append(place)
        rewrites = self._identities()
        for _ in range(_TRIES):
            rewrite = rng.choice(rewrites)
            near = everywhere if rewrite.pattern.is_variable else places.get(rewrite.pattern.token, [])
            matches = [(path, bound) for path, here in near if (bound := _match(rewrite, here)) is not None]
            if matches and (rewrite.family != "half_line" or rng.random() < _UNSOUND):
                path, bound = rng.choice(matches)
                for slot in rewrite.free:
                    bound[slot] = rng.choice(e.variables() or [leaf("x")])
                return e.replace(path, rewrite.build(bound))
        return None

    def _identities(self) -> list[Rewrite]:
        """Return the identities that a step draws from."""
        draw = self.rng.random()
        if draw < _LOOSE and "loose" in self.settings.causes:
            return self._loose
        return self._padding if draw > 1 - _PADDING and self._padding else self._rewrites

    def _places(self, e: Expr, side: int) -> list[tuple[TreePath, Expr]]:
        """Return the nodes of a side that a step may rewrite, with their paths; with ``seeks_depth`` often the deepest ones."""
        found = [place for place in e.paths() if place[0] and place[0][0] == side]
        if self.settings.seeks_depth and self.rng.random() < _DEEPEST:
            deepest = max(len(path) for path, _ in found)
            return [place for place in found if len(place[0]) >= deepest - 1]
        return found

    def _side(self, e: Expr) -> int:
        """Draw the side that a step rewrites: by size, or the smaller one."""
        if self.settings.is_lopsided:
            left, right = ((side.size + _OFFSET) ** _POWER for side in e.children)
            return int(self.rng.random() * (left + right) >= left)
        return int(e.right.size < e.left.size or (e.right.size == e.left.size and self.rng.random() < 0.5))


@cache
def _compiled(has_padding: bool, causes: tuple[str, ...], is_loose: bool) -> list[Rewrite]:
    return [r for a in basic_identities(has_padding, causes) for r in compile_axiom(a, is_loose)]


def _match(rewrite: Rewrite, e: Expr) -> Bindings | None:
    bound: Bindings = [None] * rewrite.slots
    return bound if rewrite.match(e, bound) else None


def with_first_names(e: Expr) -> Expr:
    """Return the equation with its variables renamed to the first names, x, y, z, ..., in the order of their names."""
    variables = sorted(e.variables(), key=lambda v: VARIABLES.index(v.token))
    if all(v.token == name for v, name in zip(variables, VARIABLES, strict=False)):
        return e
    return e.substitute({v: leaf(name) for v, name in zip(variables, VARIABLES, strict=False)})
