"""A shard: some hundred chains grown side by side, level by level, every equation checked. The unit of work.

Chains come in pairs from the same start: one stays correct; the other suffers one small change early and then goes through
the same process, so that both labels look alike. What the check cannot decide is dropped, and the chain tries another way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from treesmu.expr import Expr, equation, leaf
from treesmu.expr.node import missing_from
from treesmu.expr.notation.infix import InfixMemo, infix_with_memo
from treesmu.expr.numeric.verdict import Checker
from treesmu.expr.padding import Memo, count_padding

from .alter import Mutator, near_miss
from .axioms import Axiom, collect_axioms, functions_of
from .fingerprint import Fingerprints
from .grow import MAX_VARIABLES, Grower, largest_size

_TRIES = 2  # a chain that cannot go on is given up
_DEPTH_ONE = "x y 0 1 2 3 4 5 6 7 8 9 10 -1 -2 -3 1/2 -1/2 1/3 2/3 1/4 2/5 pi e".split()


@dataclass(frozen=True)
class ShardSettings:
    """What equations are made of, and how wrong ones are made."""

    families: tuple[str, ...]
    weights: tuple[tuple[str, float], ...] = ()  # how often a family is used, where it is not 1
    own_axioms: tuple[tuple[str, str], ...] = ()  # (name, text) of files of one's own
    negatives: tuple[str, ...] = ("near-miss",)  # of near-miss, mutation
    first_occurrence: bool = False  # name the variables x, y, z, ... by first occurrence

    def axioms(self) -> tuple[Axiom, ...]:
        return collect_axioms(self.families, self.own_axioms, self.weights)


@dataclass
class EquationColumns:
    """Columns of checked equations."""

    prefix: list[str] = field(default_factory=list)
    infix: list[str] = field(default_factory=list)
    label: list[int] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    size: list[int] = field(default_factory=list)
    chain: list[int] = field(default_factory=list)  # within the shard
    kind: list[str] = field(default_factory=list)
    padding: list[int] = field(default_factory=list)  # nodes that are padding
    fingerprint: list[int] = field(default_factory=list)
    proposed: Counter[int] = field(default_factory=Counter)  # by depth, what was put to the check
    undecided: Counter[int] = field(default_factory=Counter)  # by depth, what it could not decide

    def __len__(self) -> int:
        return len(self.prefix)

    def columns(self) -> list[list[Any]]:
        return [
            self.prefix,
            self.infix,
            self.label,
            self.depth,
            self.size,
            self.chain,
            self.kind,
            self.padding,
            self.fingerprint,
        ]

    def extend(self, other: EquationColumns, chosen: list[int]) -> None:
        """Add some rows of another table."""
        for mine, theirs in zip(self.columns(), other.columns(), strict=True):
            mine.extend([theirs[i] for i in chosen])

    def keep(self, chosen: list[int]) -> None:
        for column in self.columns():
            column[:] = [column[i] for i in chosen]


@dataclass(slots=True)
class _Chain:
    number: int
    kind: str
    equation: Expr
    failures: int = 0


Found = tuple[Expr, int, int, str]  # an equation, its label, its chain, its kind


def grow_shard(recipe: ShardSettings, seed: str, pairs: int, ceiling: int) -> EquationColumns:
    """The equations of some pairs of chains up to a depth. The same seed gives the same rows."""
    shard = _Shard(recipe, Random(seed), ceiling)
    rows = make_rows(shard.found(pairs), recipe.first_occurrence)
    rows.proposed, rows.undecided = shard.proposed, shard.undecided
    return rows


def grow_chains(recipe: ShardSettings, seed: str, pairs: int, ceiling: int) -> list[Found]:
    """The same as expressions: what is grown and checked, without text and fingerprints."""
    return _Shard(recipe, Random(seed), ceiling).found(pairs)


@cache
def _checker() -> Checker:
    """One for all shards of a process: its tables are large, and fresh memory is slow."""
    return Checker()


class _Shard:
    def __init__(self, recipe: ShardSettings, rng: Random, ceiling: int) -> None:
        self.recipe, self.rng, self.ceiling = recipe, rng, ceiling
        axioms = recipe.axioms()
        self.grower = Grower(axioms, rng)
        self.mutator = Mutator(functions_of(axioms), rng)
        self.checker = _checker()
        self.checker.clear()
        self.proposed: Counter[int] = Counter()
        self.undecided: Counter[int] = Counter()

    def found(self, pairs: int) -> list[Found]:
        return self.depth_one(pairs) if self.ceiling == 1 else self.chains(pairs)

    def labels(self, equations: list[Expr]) -> list[int]:
        """Checked: 1 correct, 0 incorrect, -1 undecided."""
        found: list[int] = self.checker.labels(equations).tolist()
        self.proposed.update(e.depth for e in equations)
        self.undecided.update(e.depth for e, label in zip(equations, found, strict=True) if label < 0)
        return found

    def depth_one(self, count: int) -> list[Found]:
        """A leaf equals a leaf: the few equations of depth 1."""
        pairs = [self.rng.choices(_DEPTH_ONE, k=2) for _ in range(count)]
        found = [equation(leaf(a), leaf(b)) for a, b in pairs] + [equation(leaf(a), leaf(a)) for a, _ in pairs]
        labels = self.labels(found)
        kinds = {1: "rewrite", 0: self.recipe.negatives[0]}  # a leaf for another is a small change, and a mutation
        return [(e, label, i, kinds[label]) for i, (e, label) in enumerate(zip(found, labels, strict=True)) if label >= 0]

    def chains(self, pairs: int) -> list[Found]:
        starts = [e for e in (self.grower.start(self.ceiling) for _ in range(pairs)) if e is not None]
        found = [
            (e, 1, i, "rewrite") for i, (e, label) in enumerate(zip(starts, self.labels(starts), strict=True)) if label == 1
        ]
        if "near-miss" in self.recipe.negatives:
            found += self.slips(starts)
        alive = [_Chain(number, kind, e) for e, _, number, kind in found]
        while alive:
            alive = self.advance(alive, found)
        if "mutation" in self.recipe.negatives:
            found += self.mutations([row for row in found if row[3] == "rewrite"])
        return found

    def slips(self, starts: list[Expr]) -> list[Found]:
        """For each start the first of a few small changes that makes it wrong."""
        tries = [(i, e) for i, start in enumerate(starts) for e in self.changed(start)]
        labels = self.labels([e for _, e in tries])
        first: dict[int, Expr] = {}
        for (i, e), label in zip(tries, labels, strict=True):
            if label == 0:
                first.setdefault(i, e)
        return [(e, 0, i, "near-miss") for i, e in first.items()]

    def changed(self, start: Expr, most: int = 3) -> list[Expr]:
        found = (near_miss(start, self.rng) for _ in range(2 * most))
        return [e for e in found if e is not None and e.depth <= self.ceiling and e.left is not e.right][:most]

    def advance(self, alive: list[_Chain], found: list[Found]) -> list[_Chain]:
        """One step deeper for every chain; those that can go on."""
        grown = [
            (chain, self.grower.grow(chain.equation, self.ceiling)) for chain in alive if chain.equation.depth < self.ceiling
        ]
        proposals = [(chain, e) for chain, e in grown if e is not None]
        going: list[_Chain] = []
        for (chain, e), label in zip(proposals, self.labels([e for _, e in proposals]), strict=True):
            if label < 0 or (label == 0 and chain.kind == "rewrite"):  # the latter: joined over a gap in the domain
                chain.failures += 1
                if chain.failures < _TRIES:
                    going.append(chain)
                continue
            found.append((e, label, chain.number, chain.kind))
            chain.equation, chain.failures = e, 0
            going.append(chain)
        return going

    def mutations(self, correct: list[Found]) -> list[Found]:
        """A mutation of each correct equation, if the check can decide it."""
        tries = [(self.mutator.mutation(e), number) for e, _, number, _ in correct]
        fit = [(e, number) for e, number in tries if e.depth <= self.ceiling and e.size <= largest_size(e.depth) + 8]
        labels = self.labels([e for e, _ in fit])
        return [(e, label, number, "mutation") for (e, number), label in zip(fit, labels, strict=True) if label >= 0]


def make_rows(found: Sequence[Found], first_occurrence: bool) -> EquationColumns:
    """The rows of some equations: text, size and fingerprint beside what is known of them."""
    rows = EquationColumns()
    prefixes: dict[Expr, str] = {}
    texts: InfixMemo = {}
    idle: Memo = {}
    named = [
        (e.canonical() if first_occurrence else e, label, number, kind)
        for e, label, number, kind in found
        if len(e.variables()) <= MAX_VARIABLES
    ]
    rows.fingerprint = Fingerprints().of([e for e, *_ in named]).tolist()
    for e, label, number, kind in named:
        rows.prefix.append(_prefix(e, prefixes))
        rows.infix.append(infix_with_memo(e, texts))
        rows.label.append(label)
        rows.depth.append(e.depth)
        rows.size.append(e.size)
        rows.chain.append(number)
        rows.kind.append(kind)
        rows.padding.append(count_padding(e, idle))
    return rows


def _prefix(e: Expr, memo: dict[Expr, str]) -> str:
    for here in missing_from(memo, e):
        memo[here] = " ".join([here.token, *(memo[c] for c in here.children)])
    return memo[e]
