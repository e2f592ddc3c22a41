"""Fingerprints of equations: hashes that ignore the names of variables, the order of terms and factors, and that of sides.

The tree is hashed from the leaves up. The hashes of terms (or factors) are added, so their order and grouping do not matter.
The tree is hashed once for every assignment of hashes to the variables, and the results are added, so names do not matter.
More than four variables have too many assignments: each then tells apart two variables (of more than twelve, one) and treats
the others alike. Rarely, two different equations then have the same fingerprint; the same equations always do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, permutations
from typing import Any

import numpy as np

from treesmu.data import CorpusPlan, Vocab
from treesmu.expr import VARIABLES, Expr, from_prefix, leaf, op
from treesmu.expr.leaves import leaf_kind
from treesmu.expr.numeric.numbering import NumberedGroup, Numbering, enlarged, token_hash
from treesmu.expr.ops import ADD, EQUALITY, MUL, Array

MAX_VARIABLES = 4  # different ones in an equation: x, y, z, w
_NAMES = VARIABLES[:MAX_VARIABLES]
_MOST_PAIRED = 12  # variables of which every pair is told apart
_MIX = np.uint64(0x9E3779B97F4A7C15)
_CHUNK = 20_000  # equations that share one memory of their parts
_PLANNED = 5_000  # the same for plans, which have all parts at once


class Fingerprints:
    """Computes fingerprints of equations in these variables (x, y, z, w), and remembers those of their parts."""

    def __init__(self, names: Sequence[str] = _NAMES) -> None:
        self.assigned = dict(zip(names, _assignments(len(names)).T, strict=True))  # name -> its hash in every assignment
        self.columns = len(next(iter(self.assigned.values())))  # number of assignments
        self.rows = Numbering()
        self.hashes: Array = np.empty((0, self.columns), np.uint64)
        self.terms: Array = np.empty((0, self.columns), np.uint64)  # for sums and products: the sum of their parts' hashes
        self.kind: Array = np.empty(0, np.int8)  # 1 a sum, 2 a product, else 0

    def of(self, equations: Sequence[Expr]) -> Array:
        """Return the fingerprints. (equations,) uint64"""
        groups = [group for level in self.rows.add(equations) for group in level.groups]
        self.hashes, self.terms = enlarged(self.hashes, len(self.rows)), enlarged(self.terms, len(self.rows))
        self.kind = enlarged(self.kind, len(self.rows))
        for group in groups:
            self._fill(group)
        return np.asarray(_mixed(self.hashes[self.rows.of(equations)]).sum(axis=1, dtype=np.uint64))

    def of_plan(self, plan: CorpusPlan) -> Array:
        """Return the fingerprints of the equations of a plan, in an object that has computed none before. (rows,)"""
        self.hashes, self.terms = (enlarged(array, len(plan.children)) for array in (self.hashes, self.terms))
        self.kind = enlarged(self.kind, len(plan.children))
        self._fill(NumberedGroup(None, [leaf(t) for t in plan.leaf_tokens], slice(0, len(plan.leaf_tokens)), []))
        for _, name, start, stop in plan.groups.tolist():
            function, here = op(plan.vocab.functions[name]), slice(start, stop)
            self._fill(NumberedGroup(function, [], here, [plan.children[here, k] for k in range(function.arity)]))
        left, right = (_mixed(self.hashes[side]) for side in plan.roots.T)
        return np.asarray(_mixed(left + right).sum(axis=1, dtype=np.uint64))

    def _fill(self, group: NumberedGroup) -> None:
        function, here = group.function, group.here
        self.kind[here] = 1 if function is ADD else 2 if function is MUL else 0
        if function is None:
            self.hashes[here] = [self._leaf_hashes(e) for e in group.members]
        elif function in (ADD, MUL):
            first, second = (self._part(c, 1 if function is ADD else 2) for c in group.children)
            self.terms[here] = first + second
            self.hashes[here] = _mixed(self.terms[here] ^ token_hash(function.name))
        elif function is EQUALITY:
            left, right = group.children
            self.hashes[here] = _mixed(self.hashes[left]) + _mixed(self.hashes[right])
        else:
            value = np.full((here.stop - here.start, self.columns), token_hash(function.name))
            for c in group.children:
                value = _mixed(value ^ self.hashes[c])
            self.hashes[here] = value

    def _part(self, rows: Array, kind: int) -> Array:
        """Return the hash of a term or factor; a nested sum counts as its terms, so grouping does not matter."""
        return np.where((self.kind[rows] == kind)[:, None], self.terms[rows], _mixed(self.hashes[rows]))

    def _leaf_hashes(self, e: Expr) -> Array:
        if not e.is_variable:
            return np.full(self.columns, token_hash(e.token))
        if e.token not in self.assigned:
            raise ValueError(f"fingerprints are defined for the variables {', '.join(self.assigned)}, not {e.token}")
        return np.asarray(self.assigned[e.token])


def fingerprints(equations: Iterable[Expr]) -> Array:
    """Return the fingerprints of any number of equations in any variables, in limited memory. (equations,)"""
    remaining, found = iter(equations), [np.empty(0, np.uint64)]
    while chunk := list(islice(remaining, _CHUNK)):
        found.append(_of_chunk(chunk))
    return np.concatenate(found)


def prefix_fingerprints(texts: Any) -> Array:
    """Return the fingerprints of equations as prefix strings, a pyarrow array, without making expressions of most. (texts,)"""
    vocab, found = Vocab.default().extended(texts), [np.empty(0, np.uint64)]
    for start in range(0, len(texts), _PLANNED):
        plan = CorpusPlan.from_prefix(texts.slice(start, _PLANNED), vocab)
        if all(token in _NAMES for token in plan.leaf_tokens if leaf_kind(token) == "variable"):
            found.append(Fingerprints().of_plan(plan))
        else:
            found.append(fingerprints(from_prefix(text.split()) for text in texts.slice(start, _PLANNED).to_pylist()))
    return np.concatenate(found)


def _of_chunk(equations: Sequence[Expr]) -> Array:
    """Return the fingerprints of equations, those with the same names of variables together."""
    together: dict[tuple[str, ...], list[tuple[int, Expr]]] = {}
    for place, e in enumerate(equations):
        variables = e.variables()
        renamed = e if all(v.token in _NAMES for v in variables) else e.canonical()
        names = _NAMES if len(variables) <= MAX_VARIABLES else tuple(v.token for v in renamed.variables())
        together.setdefault(names, []).append((place, renamed))
    found = np.empty(len(equations), np.uint64)
    for names, members in together.items():
        found[[place for place, _ in members]] = Fingerprints(names).of([e for _, e in members])
    return found


def _assignments(variables: int) -> Array:
    """Return the hash of each variable in every assignment. (assignments, variables)"""
    if variables <= MAX_VARIABLES:
        hashes = np.array([token_hash(f"variable {i}") for i in range(variables)])
        return hashes[list(permutations(range(variables)))]
    first, second, other = (token_hash(f"variable {name}") for name in ("first", "second", "other"))
    told_apart = list(permutations(range(variables), 2 if variables <= _MOST_PAIRED else 1))
    hashes = np.full((len(told_apart), variables), other)
    for row, chosen in enumerate(told_apart):
        hashes[row, list(chosen)] = (first, second)[: len(chosen)]
    return hashes


def _mixed(values: Array) -> Array:
    values = (values ^ (values >> np.uint64(31))) * _MIX
    return np.asarray(values ^ (values >> np.uint64(29)))
