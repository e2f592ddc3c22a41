"""Fill the splits of a corpus with chains: shards are grown in parallel and merged in order, balanced by label.

No equation is in two splits, not even with other names of variables, another order of terms or exchanged sides: equations
with the same fingerprint count as the same.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from random import Random

from ..axioms import read_files
from ..columns import EquationColumns
from ..numeric import numeric_rows
from ..settings import row_quotas, shift_missing_rows
from ..splits import SPLITS, GeneratedCorpus, GeneratedSplit, ProgressCallback, RunInOrder
from .shard import ShardSettings, grow_shard

_SHARED_DEPTH = 3  # up to here different chains give the same equations, so the fingerprint decides the split
_SHARES = {"train": range(33), "validation": range(33, 40), "test": range(40, 100)}  # fingerprints modulo 100
_MAX_PAIRS = 1000  # of chains in a shard


def fill_splits(corpus: GeneratedCorpus, run: RunInOrder, progress: ProgressCallback) -> None:
    """Fill every split until it meets its quotas, or no more can be found (there are few shallow equations)."""
    settings = corpus.settings
    extra_axioms = read_files(settings.axiom_files)
    for name in SPLITS:
        negatives = settings.test_negatives if name == "test" else settings.negatives
        shard = ShardSettings(settings.families, settings.weights, extra_axioms, negatives, settings.first_occurrence)
        split = corpus.splits[name] = GeneratedSplit(name, row_quotas(settings, name, negatives))
        fill_split(corpus, split, shard, 0.5 if name == "test" else settings.correct_share, run, progress)
        _add_numeric(corpus, split, shard)


def fill_split(
    corpus: GeneratedCorpus,
    split: GeneratedSplit,
    shard: ShardSettings,
    correct_share: float,
    run: RunInOrder,
    progress: ProgressCallback = lambda *_: None,
) -> None:
    """Fill one split until it meets its quotas, or no more can be found; all but the test then take deeper equations."""
    for attempt in ("first", "second", "third"):
        for depth in sorted({d for d, _ in split.wanted}, reverse=True):
            _fill_depth(corpus, split, shard, depth, attempt, run, progress)
        _balance(split, correct_share)
        if split.name == "test" or split.taken == split.wanted:
            break
        split.wanted = shift_missing_rows(split.wanted, split.taken)


def _add_numeric(corpus: GeneratedCorpus, split: GeneratedSplit, shard: ShardSettings) -> None:
    """Add numeric equations of the split's depths, half of them correct."""
    settings = corpus.settings
    amount = round(settings.numeric / (1 - settings.numeric) * len(split.rows))
    if not amount:
        return
    depths = settings.test_depths if split.name == "test" else settings.depths
    rows = numeric_rows(Random(f"{settings.seed}/{split.name}/numeric"), 10 * amount, shard.axioms(), depths)
    corpus.take_pairs(split, rows, rows.fingerprint, amount // 2, Random(settings.seed))
    corpus.seen.update(rows.fingerprint)  # those that were not taken are for no other split either


def _fill_depth(
    corpus: GeneratedCorpus,
    split: GeneratedSplit,
    shard: ShardSettings,
    depth: int,
    attempt: str,
    run: RunInOrder,
    progress: ProgressCallback,
) -> None:
    """Generate shards of chains up to this depth until its quotas are met. Shallower depths are filled along with it."""
    if split.missing(depth) <= 0:
        return
    pairs = max(40, min(_MAX_PAIRS, split.missing(depth)))
    seeds = (f"{corpus.settings.seed}/{split.name}/{attempt}/{depth}/{i}" for i in count())
    results = run(grow_shard, ((shard, seed, pairs, depth) for seed in seeds))
    poor_shards = 0  # in a row
    try:
        while split.missing(depth) > 0 and poor_shards < 3:  # after that, the rest of this depth would take too long to find
            before = split.missing(depth)
            _take(corpus, split, next(results))
            poor_shards = poor_shards + 1 if before - split.missing(depth) < 0.03 * pairs else 0
            progress(split.name, len(split.rows), sum(split.wanted.values()))
    finally:
        results.close()  # stop the shards that are still running


def _take(corpus: GeneratedCorpus, split: GeneratedSplit, rows: EquationColumns) -> None:
    """Add those rows of a shard to the split that are new, within its quotas, and not for another split."""
    share = _SHARES.get(split.name, range(100))

    def may_take(i: int) -> bool:
        return rows.depth[i] > _SHARED_DEPTH or rows.fingerprint[i] % 100 in share

    corpus.take(split, rows, rows.fingerprint, may_take)


def _balance(split: GeneratedSplit, correct_share: float) -> None:
    """Where a depth has too few rows of one label, remove some of the other, so that depth does not reveal the label."""
    rows = split.rows
    counts = Counter(zip(rows.depth, rows.label, strict=True))
    ratio = {1: correct_share, 0: 1 - correct_share}
    room = {
        (d, label): round(min(counts[d, 0] / ratio[0], counts[d, 1] / ratio[1]) * ratio[label]) if split.missing(d) else n
        for (d, label), n in counts.items()
    }
    keep: list[int] = []
    for i, (depth, label, kind) in enumerate(zip(rows.depth, rows.label, rows.kind, strict=True)):
        if room[depth, label] > 0:
            room[depth, label] -= 1
            keep.append(i)
        else:
            split.taken[split.slot(depth, label, kind)] -= 1
    rows.keep(keep)
