"""Fill the splits of a corpus with pools, in the way of the original generator.

The test set comes from other seeds than the training set and, unless ``test_pools`` says otherwise, from other settings: from
larger pools, which seek deep equations.
Equations that are exactly the same are in one split only. That is less than chains promise: an equation of the test set may be
one of the training set with its terms in another order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import count

from treesmu.expr.sides import split_sides

from ..columns import EquationColumns
from ..settings import CorpusSettings, Slot, apportion, row_quotas
from ..splits import SPLITS, GeneratedCorpus, GeneratedSplit, ProgressCallback, RunInOrder
from .pool import GrowthSettings
from .shard import PoolSettings, grow_pool

_PATIENCE = 12  # pools in a row that may bring little
_LITTLE = 0.004  # of the rows of a pool
_GROUPS = ((1, 7), (8, 30))  # depths; rows that cannot be found at one are made at others of its group


def fill_splits(corpus: GeneratedCorpus, run: RunInOrder, progress: ProgressCallback) -> None:
    """Fill every split until it meets its quotas, or no more can be found."""
    settings = corpus.settings
    for name in SPLITS:
        negatives = settings.test_negatives if name == "test" else settings.negatives
        split = corpus.splits[name] = GeneratedSplit(name, row_quotas(settings, name, negatives))
        for attempt in ("first", "second", "third"):
            _fill(corpus, split, attempt, run, progress)
            if name == "test" or split.taken == split.wanted:
                break
            split.wanted = _shift_missing_rows(split.wanted, split.taken)


def pool_settings(settings: CorpusSettings, split: str) -> PoolSettings:
    """Return the settings of the pools of a split."""
    seeks_depth = split == "test" and settings.test_pools == "larger"
    growth = GrowthSettings(
        steps=settings.test_pool_size if seeks_depth else settings.pool_size,
        has_padding="padding" not in settings.closed,
        is_lopsided="lopsided" not in settings.closed,
        causes=settings.wrong_causes,
        seeks_depth=seeks_depth,
    )
    return PoolSettings(growth, settings.labels == "checked", "functions" not in settings.closed)


def _fill(corpus: GeneratedCorpus, split: GeneratedSplit, attempt: str, run: RunInOrder, progress: ProgressCallback) -> None:
    """Generate pools until all quotas are met, or a dozen pools in a row have brought little."""
    ceiling = max(d for d, _ in split.wanted)
    pools = pool_settings(corpus.settings, split.name)
    seeds = (f"{corpus.settings.seed}/{split.name}/{attempt}/{i}" for i in count())
    results = run(grow_pool, ((pools, seed, ceiling) for seed in seeds))
    sides = (
        _sides_of(corpus.splits["train"].rows) if split.name != "train" and "seen-sides" in corpus.settings.closed else set()
    )
    poor_pools = 0  # in a row
    try:
        while split.taken != split.wanted and poor_pools < _PATIENCE:
            rows, before = next(results), len(split.rows)
            corpus.take(split, rows, rows.prefix, _unseen(rows, sides))
            poor_pools = poor_pools + 1 if len(split.rows) - before < _LITTLE * len(rows) else 0
            progress(split.name, len(split.rows), sum(split.wanted.values()))
    finally:
        results.close()  # stop the pools that are still growing


def _unseen(rows: EquationColumns, sides: set[str]) -> Callable[[int], bool]:
    """Return a function that says whether neither side of a row is one of these."""
    return lambda i: not sides or sides.isdisjoint(split_sides(rows.prefix[i]))


def _sides_of(rows: EquationColumns) -> set[str]:
    return {side for prefix in rows.prefix for side in split_sides(prefix)}


def _shift_missing_rows(wanted: Counter[Slot], taken: Counter[Slot]) -> Counter[Slot]:
    """Move the rows that are missing at some depths to the other depths of the group, slot by slot."""
    found = Counter(wanted)
    for low, high in _GROUPS:
        for kind in {kind for _, kind in wanted}:
            here = [d for d, k in wanted if k == kind and low <= d <= high]
            missing = {d: wanted[d, kind] - taken[d, kind] for d in here}
            rich = [d for d in here if not missing[d] and d > 2]
            if rich and any(missing.values()):
                more = apportion(sum(missing.values()), {d: float(wanted[d, kind]) for d in rich})
                found.update({(d, kind): more.get(d, 0) - missing[d] for d in here})
    return found
