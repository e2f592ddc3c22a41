"""Make the rows of one pool, the unit of parallel work: its equations, and one changed copy of each.

Labels are checked, or derived as in the original generator: what was derived is called correct, what was changed is called
incorrect unless it is proved equal. The proof is weak, and some steps are unsound, so some derived labels are wrong.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from random import Random

from treesmu.expr import FUNCTIONS, Expr, Op
from treesmu.expr.numeric.verdict import Checker
from treesmu.expr.ops import LOG

from ..alter import Mutator
from ..axioms import functions_of
from ..columns import CheckedEquation, EquationColumns, make_columns
from .identities import basic_identities
from .normal_form import Memo, is_proved, normal_form
from .pool import MAX_NODES, GrowthSettings, Pool, with_first_names

# Leaves that a change inserts, in the original's proportions: a kind of leaf is drawn first.
_LEAVES = ("x", "y", "z") * 4 + ("-1", "1/2", "pi", "1", "0", "0.7", "2/5") * 4 + ("2", "3", "4", "10")
_PROVABLE = 48  # nodes of an equation for which the original's proof would succeed


@dataclass(frozen=True)
class PoolSettings:
    """How the equations of a pool are made and labelled."""

    growth: GrowthSettings
    has_checked_labels: bool = False
    has_all_functions: bool = True  # in changes; False: only those of the identities that are not padding

    def functions(self) -> list[Op]:
        """Return the functions that a change may insert. The original's have no logarithm."""
        if self.has_all_functions:
            return [f for f in FUNCTIONS if f is not LOG]
        used = functions_of(basic_identities(False, self.growth.causes))
        return [f for f in FUNCTIONS if f in used]


def grow_pool(settings: PoolSettings, seed: str, ceiling: int) -> EquationColumns:
    """Return the equations of a pool up to a depth, and their changed copies. The same seed gives the same rows."""
    rng = Random(seed)
    pool = Pool(settings.growth, rng, ceiling)
    pool.grow()
    correct = [CheckedEquation(e, 1, 0, "rewrite") for e in pool.equations]
    rows = [*correct, *_changes(settings, pool, rng)]
    proposed, undecided = Counter(row.equation.depth for row in rows), Counter[int]()
    if settings.has_checked_labels:
        labels = _labels([row.equation for row in rows])
        undecided = Counter(row.equation.depth for row, label in zip(rows, labels, strict=True) if label < 0)
        rows = [row._replace(label=label) for row, label in zip(rows, labels, strict=True) if label >= 0]
    columns = make_columns(rows, first_occurrence=False)
    columns.proposed, columns.undecided = proposed, undecided
    return columns


def _changes(settings: PoolSettings, pool: Pool, rng: Random) -> list[CheckedEquation]:
    """Return a changed copy of each equation, without those that are proved equal or are in the pool."""
    mutator = Mutator(settings.functions(), rng, _LEAVES)
    known = set(pool.equations)
    memo: Memo = {}
    found: dict[Expr, None] = {}
    for e in pool.equations:
        changed = mutator.mutate(e)
        if changed.depth > pool.ceiling or changed.size > MAX_NODES or _is_still_correct(e, changed, memo):
            continue
        if (named := with_first_names(changed)) not in known:
            found[named] = None
    return [CheckedEquation(e, 0, 0, "mutation") for e in found]


def _is_still_correct(e: Expr, changed: Expr, memo: Memo) -> bool:
    """Return whether a change is proved to change nothing: by the sides, or in a small equation by those before the change."""
    if is_proved(changed, memo):
        return True
    return changed.size <= _PROVABLE and all(
        normal_form(a, memo) == normal_form(b, memo) for a, b in zip(e.children, changed.children, strict=True)
    )


def _labels(equations: list[Expr]) -> list[int]:
    """Return the labels of the check: 1 correct, 0 incorrect, -1 undecided."""
    checker = _checker()
    checker.clear()
    labels: list[int] = checker.labels(equations).tolist()
    return labels


@cache
def _checker() -> Checker:
    """Return the one checker of this process: its tables are large, and allocating memory anew is slow."""
    return Checker()
