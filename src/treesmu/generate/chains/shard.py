"""Grow a shard, the unit of parallel work: hundreds of chains of equations, with every equation checked.

Chains come in pairs from the same start: one stays correct; the other gets one small change at the start and then goes
through the same process, so that both labels look alike. An equation that the check cannot decide is dropped, and its chain
tries another step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random

from treesmu.expr import Expr, equation, leaf
from treesmu.expr.numeric.verdict import Checker

from ..alter import Mutator, near_miss
from ..axioms import Axiom, collect_axioms, functions_of
from ..columns import CheckedEquation, EquationColumns, make_columns
from ..fillers import Refiller
from ..textbook.slips import slip
from .grow import Grower, largest_size

_TRIES = 2  # failures in a row after which a chain ends
ChangeOfStart = Callable[[Expr, Random], Expr | None]
_CHANGES_OF_STARTS: dict[str, ChangeOfStart] = {"near-miss": near_miss, "slip": slip}
_DEPTH_ONE = "x y 0 1 2 3 4 5 6 7 8 9 10 -1 -2 -3 1/2 -1/2 1/3 2/3 1/4 2/5 pi e".split()


@dataclass(frozen=True)
class ShardSettings:
    """The identities that equations are made from, and how incorrect ones are made."""

    families: tuple[str, ...]
    weights: tuple[tuple[str, float], ...] = ()  # (family, how often it is used), where not 1
    extra_axioms: tuple[tuple[str, str], ...] = ()  # (name, text) of files of further identities
    negatives: tuple[str, ...] = ("near-miss",)  # of near-miss, mutation, slip, filler
    first_occurrence: bool = False  # name the variables x, y, z, ... by first occurrence

    def axioms(self) -> tuple[Axiom, ...]:
        return collect_axioms(self.families, self.extra_axioms, self.weights)


@dataclass(slots=True)
class _Chain:
    """A chain that still grows."""

    number: int
    kind: str
    equation: Expr  # the last one
    failures: int = 0  # in a row


def grow_shard(settings: ShardSettings, seed: str, pairs: int, ceiling: int) -> EquationColumns:
    """Return the equations of some pairs of chains up to a depth. The same seed gives the same rows."""
    shard = _Shard(settings, Random(seed), ceiling)
    rows = make_columns(shard.generate(pairs), settings.first_occurrence)
    rows.proposed, rows.undecided = shard.proposed, shard.undecided
    return rows


def grow_chains(settings: ShardSettings, seed: str, pairs: int, ceiling: int) -> list[CheckedEquation]:
    """Return the equations of :func:`grow_shard` as checked expressions, without text and fingerprints."""
    return _Shard(settings, Random(seed), ceiling).generate(pairs)


@cache
def _checker() -> Checker:
    """Return the one checker of this process: its tables are large, and allocating memory anew is slow."""
    return Checker()


class _Shard:
    def __init__(self, settings: ShardSettings, rng: Random, ceiling: int) -> None:
        self.settings, self.rng, self.ceiling = settings, rng, ceiling
        axioms = settings.axioms()
        self.grower = Grower(axioms, rng)
        self.mutator, self.refiller = Mutator(functions_of(axioms), rng), Refiller(functions_of(axioms), rng)
        self.checker = _checker()
        self.checker.clear()
        self.proposed: Counter[int] = Counter()
        self.undecided: Counter[int] = Counter()

    def generate(self, pairs: int) -> list[CheckedEquation]:
        return self._pairs_of_leaves(pairs) if self.ceiling == 1 else self._chains(pairs)

    def _check(self, equations: list[Expr]) -> list[int]:
        """Return the labels: 1 correct, 0 incorrect, -1 undecided."""
        labels: list[int] = self.checker.labels(equations).tolist()
        self.proposed.update(e.depth for e in equations)
        self.undecided.update(e.depth for e, label in zip(equations, labels, strict=True) if label < 0)
        return labels

    def _pairs_of_leaves(self, count: int) -> list[CheckedEquation]:
        """Return equations of depth 1, which have a leaf on each side. There are few."""
        pairs = [self.rng.choices(_DEPTH_ONE, k=2) for _ in range(count)]
        equations = [equation(leaf(a), leaf(b)) for a, b in pairs] + [equation(leaf(a), leaf(a)) for a, _ in pairs]
        kinds = {1: "rewrite", 0: self.settings.negatives[0]}  # another leaf is both a small change and a mutation
        return [
            CheckedEquation(e, label, i, kinds[label])
            for i, (e, label) in enumerate(zip(equations, self._check(equations), strict=True))
            if label >= 0
        ]

    def _chains(self, pairs: int) -> list[CheckedEquation]:
        starts = [e for e in (self.grower.start(self.ceiling) for _ in range(pairs)) if e is not None]
        labels = self._check(starts)
        checked = [
            CheckedEquation(e, 1, i, "rewrite") for i, (e, label) in enumerate(zip(starts, labels, strict=True)) if label == 1
        ]
        for kind, change in _CHANGES_OF_STARTS.items():
            if kind in self.settings.negatives:
                checked += self._changed_starts(starts, kind, change)
        growing = [_Chain(row.chain, row.kind, row.equation) for row in checked]
        while growing:
            growing = self._advance(growing, checked)
        correct = [row for row in checked if row.kind == "rewrite"]
        if "mutation" in self.settings.negatives:
            checked += self._changed(correct, "mutation", self.mutator.mutate)
        if "filler" in self.settings.negatives:
            checked += self._changed(correct, "filler", self.refiller.refill)
        return checked

    def _changed_starts(self, starts: list[Expr], kind: str, change: ChangeOfStart) -> list[CheckedEquation]:
        """Return for each start the first of a few small changes that makes it incorrect."""
        changed = [(i, e) for i, start in enumerate(starts) for e in self._small_changes(start, change)]
        labels = self._check([e for _, e in changed])
        first: dict[int, Expr] = {}
        for (i, e), label in zip(changed, labels, strict=True):
            if label == 0:
                first.setdefault(i, e)
        return [CheckedEquation(e, 0, i, kind) for i, e in first.items()]

    def _small_changes(self, start: Expr, change: ChangeOfStart, most: int = 3) -> list[Expr]:
        changed = (change(start, self.rng) for _ in range(2 * most))
        return [e for e in changed if e is not None and e.depth <= self.ceiling and e.left is not e.right][:most]

    def _advance(self, chains: list[_Chain], checked: list[CheckedEquation]) -> list[_Chain]:
        """Grow every chain by one step, add the new equations to ``checked``, and return the chains that can go on."""
        steps = [(c, self.grower.grow(c.equation, self.ceiling)) for c in chains if c.equation.depth < self.ceiling]
        proposals = [(chain, e) for chain, e in steps if e is not None]
        growing: list[_Chain] = []
        for (chain, e), label in zip(proposals, self._check([e for _, e in proposals]), strict=True):
            # A rewrite across a gap in the domain can make a correct equation incorrect.
            if label < 0 or (label == 0 and chain.kind == "rewrite"):
                chain.failures += 1
                if chain.failures < _TRIES:
                    growing.append(chain)
                continue
            checked.append(CheckedEquation(e, label, chain.number, chain.kind))
            chain.equation, chain.failures = e, 0
            growing.append(chain)
        return growing

    def _changed(self, correct: list[CheckedEquation], kind: str, change: Callable[[Expr], Expr]) -> list[CheckedEquation]:
        """Return each correct equation with a change, if it is not too large and the check can decide it."""
        changed = [(change(row.equation), row.chain) for row in correct]
        small = [(e, chain) for e, chain in changed if e.depth <= self.ceiling and e.size <= largest_size(e.depth) + 8]
        labels = self._check([e for e, _ in small])
        return [CheckedEquation(e, label, chain, kind) for (e, chain), label in zip(small, labels, strict=True) if label >= 0]
