"""Rewrite expressions: one side of an identity is matched at a node and replaced by the other side.

Each direction of an identity is compiled once into closures, and indexed by the function at its root and its children.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from random import Random

from treesmu.expr import Expr, node

from .axioms import Axiom

Bindings = list[Expr | None]
Matcher = Callable[[Expr, Bindings], bool]
Builder = Callable[[Bindings], Expr]

# Weights of the kinds of rewrites. Padding and rewrites that narrow the domain are rare: they are for variety only.
PLAIN, NARROWING, CANCELLING, PADDING = 1.0, 0.05, 0.05, 0.012


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One direction of an identity."""

    pattern: Expr
    result: Expr
    family: str
    weight: float
    match: Matcher
    build: Builder
    slots: int  # number of variables
    free: tuple[int, ...]  # variables that occur only in the result: the caller chooses their values
    depths: tuple[tuple[int, int], ...]  # (variable, the depth of its deepest occurrence in the result)
    counts: tuple[tuple[int, int], ...]  # (variable, how often it occurs in the result)
    base_depth: int  # depth of the result with leaves for its variables
    base_size: int  # nodes of the result without its variables
    grows: bool  # the result is deeper than the pattern
    narrows: bool  # the result may be undefined where the pattern is not

    def depth(self, bound: Bindings) -> int:
        """Return the depth of the expression that build() would return."""
        deepest = self.base_depth
        for i, above in self.depths:
            e = bound[i]
            assert e is not None
            if e.depth + above > deepest:  # noqa: PLR1730 (max() costs three times as much)
                deepest = e.depth + above
        return deepest

    def size(self, bound: Bindings) -> int:
        """Return the size of the expression that build() would return."""
        size = self.base_size
        for i, count in self.counts:
            e = bound[i]
            assert e is not None
            size += count * e.size
        return size


def compile_axiom(axiom: Axiom, is_loose: bool = False) -> list[Rewrite]:
    """Return the rewrites of an identity: one for each direction in which it may be used.

    is_loose: a variable that occurs twice in a pattern may stand for two expressions; the first one counts. That is unsound.
    """
    pairs = [(axiom.left, axiom.right)] + ([(axiom.right, axiom.left)] if axiom.both_ways else [])
    return [_compile(pattern, result, axiom, is_loose) for pattern, result in pairs if pattern is not result]


def _compile(pattern: Expr, result: Expr, axiom: Axiom, is_loose: bool) -> Rewrite:
    bound_by_match = pattern.variables()
    names = {v: i for i, v in enumerate(dict.fromkeys([*bound_by_match, *result.variables()]))}
    deepest: dict[int, int] = {}
    counts: dict[int, int] = {}
    for path, e in result.paths():
        if e in names:
            deepest[names[e]] = max(len(path), deepest.get(names[e], 0))
            counts[names[e]] = counts.get(names[e], 0) + 1
    return Rewrite(
        pattern=pattern,
        result=result,
        family=axiom.family,
        weight=_weight(pattern, result, axiom),
        match=_matcher(pattern, names, is_loose),
        build=builder(result, names),
        slots=len(names),
        free=tuple(range(len(bound_by_match), len(names))),
        depths=tuple(deepest.items()),
        counts=tuple(counts.items()),
        base_depth=result.depth,
        base_size=result.size - sum(counts.values()),
        grows=result.depth > pattern.depth,
        narrows=not axiom.both_ways,
    )


def _weight(pattern: Expr, result: Expr, axiom: Axiom) -> float:
    if axiom.is_padding:
        return PADDING * axiom.weight
    if not axiom.both_ways:
        return NARROWING * axiom.weight
    return (CANCELLING if pattern.is_leaf or result.is_leaf else PLAIN) * axiom.weight


def _matcher(pattern: Expr, names: dict[Expr, int], is_loose: bool) -> Matcher:
    """Return a function that tests whether an expression has this form, and binds the variables."""
    if pattern in names:
        slot = names[pattern]

        def variable(e: Expr, bound: Bindings) -> bool:
            known = bound[slot]
            if known is None:
                bound[slot] = e
                return True
            return is_loose or known is e  # a repeated variable stands for the same expression

        return variable
    if pattern.is_leaf:
        return lambda e, bound: e is pattern  # noqa: ARG005
    function = pattern.op
    first = _matcher(pattern.children[0], names, is_loose)
    if len(pattern.children) == 1:
        return lambda e, bound: e.op is function and first(e.children[0], bound)
    second = _matcher(pattern.children[1], names, is_loose)
    return lambda e, bound: e.op is function and first(e.children[0], bound) and second(e.children[1], bound)


def builder(result: Expr, names: dict[Expr, int]) -> Builder:
    """Return a function that builds the expression from the values of its variables."""
    if result in names:
        slot = names[result]
        return lambda bound: bound[slot]  # type: ignore[return-value]
    function = result.op
    if function is None or result.is_constant:
        return lambda bound: result  # noqa: ARG005
    parts = [builder(c, names) for c in result.children]
    if len(parts) == 1:
        only = parts[0]
        return lambda bound: node(function, only(bound))
    first, second = parts
    return lambda bound: node(function, first(bound), second(bound))


class WeightedRewrites:
    """Rewrites that may match, to be drawn by weight."""

    __slots__ = ("_cumulative", "rewrites")

    def __init__(self, rewrites: Iterable[Rewrite]) -> None:
        self.rewrites = list(rewrites)
        self._cumulative = list(accumulate(r.weight for r in self.rewrites))

    def draw(self, rng: Random) -> Rewrite | None:
        if not self.rewrites:
            return None
        return self.rewrites[bisect(self._cumulative, rng.random() * self._cumulative[-1])]


class RewriteIndex:
    """All rewrites, indexed by the function at the root of an expression and those of its children."""

    def __init__(self, axioms: Iterable[Axiom]) -> None:
        self._by_root: dict[str, list[Rewrite]] = {}
        self._child_tokens: set[str] = set()  # tokens that patterns require of children; all others are equivalent
        for rewrite in (r for a in axioms for r in compile_axiom(a)):
            pattern = rewrite.pattern
            self._by_root.setdefault("" if pattern.is_variable else pattern.token, []).append(rewrite)
            self._child_tokens.update(c.token for c in pattern.children if not c.is_variable)
        self._weighted: dict[tuple[bool, str, tuple[str, ...]], WeightedRewrites] = {}

    def matching(self, e: Expr, growing: bool) -> WeightedRewrites:
        """Return the rewrites that may match an expression; with ``growing`` only those that make it deeper."""
        below = tuple([c.token if c.token in self._child_tokens else "" for c in e.children])
        key = (growing, e.token, below)
        found = self._weighted.get(key)
        if found is None:
            near = [r for root in (e.token, "") for r in self._by_root.get(root, ())]
            found = WeightedRewrites(r for r in near if (r.grows or not growing) and _may_match(r.pattern, below))
            self._weighted[key] = found
        return found


@cache
def index_of(axioms: tuple[Axiom, ...]) -> RewriteIndex:
    """Return the index of some identities, which is made once per process."""
    return RewriteIndex(axioms)


def _may_match(pattern: Expr, below: tuple[str, ...]) -> bool:
    """Return whether a pattern may match, judged only by the tokens of the children."""
    return all(c.is_variable or c.token == token for c, token in zip(pattern.children, below, strict=False))
