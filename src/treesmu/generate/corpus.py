"""Generate the rows of a corpus: shards are grown in parallel and merged in order, balanced by label, without duplicates.

Every shard has its own seed, and shards are used in a fixed order, so the same settings give the same rows for any number of
jobs. No equation is in two splits, not even with other names of variables, another order of terms or exchanged sides:
equations with the same fingerprint count as the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from .axioms import read_files
from .columns import EquationColumns
from .numeric import numeric_rows
from .settings import CorpusSettings, row_quotas, shift_missing_rows
from .shard import ShardSettings, grow_shard

RunInOrder = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Generator[Any, None, None]]  # Executor.in_order
ProgressCallback = Callable[[str, int, int], None]  # called with the split, its number of rows and the number wanted

SPLITS = ("train", "validation", "test")
_SHARED_DEPTH = 3  # up to here different chains give the same equations, so the fingerprint decides the split
_SHARES = {"train": range(33), "validation": range(33, 40), "test": range(40, 100)}  # fingerprints modulo 100
_MAX_PAIRS = 1000  # of chains in a shard


@dataclass
class GeneratedSplit:
    """The rows of a split so far, and its quotas."""

    name: str
    wanted: Counter[tuple[int, str]]  # (depth, slot) -> rows; a slot is 'correct' or a kind of negative
    rows: EquationColumns = field(default_factory=EquationColumns)
    taken: Counter[tuple[int, str]] = field(default_factory=Counter)

    def missing(self, depth: int) -> int:
        """Return how many rows a depth still needs."""
        return sum(n - self.taken[key] for key, n in self.wanted.items() if key[0] == depth)

    def slot(self, depth: int, label: int, kind: str) -> tuple[int, str]:
        """Return the slot that a row counts for; a kind of negative without a quota counts for another kind."""
        if label:
            return depth, "correct"
        return next(
            (key for key in ((depth, kind), (depth, "near-miss"), (depth, "mutation")) if key in self.wanted), (depth, kind)
        )


@dataclass
class GeneratedCorpus:
    """All splits in memory, before they are written."""

    settings: CorpusSettings
    splits: dict[str, GeneratedSplit] = field(default_factory=dict)
    proposed: Counter[int] = field(default_factory=Counter)  # by depth, the equations that were checked
    undecided: Counter[int] = field(default_factory=Counter)  # by depth, those that the check could not decide
    seen: set[int] = field(default_factory=set)  # fingerprints of all rows
    chains: int = 0  # number of chains


def generate_corpus(settings: CorpusSettings, run: RunInOrder, progress: ProgressCallback = lambda *_: None) -> GeneratedCorpus:
    """Fill every split until it meets its quotas, or no more can be found (there are few shallow equations)."""
    extra_axioms = read_files(settings.axiom_files)
    corpus = GeneratedCorpus(settings)
    for name in SPLITS:
        negatives = settings.test_negatives if name == "test" else settings.negatives
        shard = ShardSettings(settings.families, settings.weights, extra_axioms, negatives, settings.first_occurrence)
        split = corpus.splits[name] = GeneratedSplit(name, row_quotas(settings, name, negatives))
        share = 0.5 if name == "test" else settings.correct_share
        for attempt in ("first", "second", "third"):
            for depth in sorted({d for d, _ in split.wanted}, reverse=True):
                _fill_depth(corpus, split, shard, depth, attempt, run, progress)
            _balance(split, share)
            if name == "test" or split.taken == split.wanted:
                break
            split.wanted = shift_missing_rows(split.wanted, split.taken)
        _add_numeric(corpus, split, shard)
    return corpus


def _add_numeric(corpus: GeneratedCorpus, split: GeneratedSplit, shard: ShardSettings) -> None:
    """Add numeric equations of the split's depths, half of them correct."""
    settings = corpus.settings
    amount = round(settings.numeric / (1 - settings.numeric) * len(split.rows))
    if not amount:
        return
    depths = settings.test_depths if split.name == "test" else settings.depths
    rows = numeric_rows(Random(f"{settings.seed}/{split.name}/numeric"), 10 * amount, shard.axioms(), depths)
    new: dict[tuple[int, int], list[int]] = {}
    for i, (depth, label, fingerprint) in enumerate(zip(rows.depth, rows.label, rows.fingerprint, strict=True)):
        if fingerprint not in corpus.seen:
            corpus.seen.add(fingerprint)
            new.setdefault((depth, label), []).append(i)
    pairs = [p for d in sorted({d for d, _ in new}) for p in zip(new.get((d, 1), []), new.get((d, 0), []), strict=False)]
    Random(settings.seed).shuffle(pairs)
    _append(corpus, split, rows, sorted(i for pair in pairs[: amount // 2] for i in pair))


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
    """Add those rows of a shard to the split that are new and within its quotas."""
    corpus.proposed.update(rows.proposed)
    corpus.undecided.update(rows.undecided)
    chosen: list[int] = []
    for i, (depth, label, kind, fingerprint) in enumerate(
        zip(rows.depth, rows.label, rows.kind, rows.fingerprint, strict=True)
    ):
        key = split.slot(depth, label, kind)
        is_of_another_split = depth <= _SHARED_DEPTH and fingerprint % 100 not in _SHARES[split.name]
        if split.taken[key] < split.wanted[key] and fingerprint not in corpus.seen and not is_of_another_split:
            corpus.seen.add(fingerprint)
            split.taken[key] += 1
            chosen.append(i)
    _append(corpus, split, rows, chosen)


def _append(corpus: GeneratedCorpus, split: GeneratedSplit, rows: EquationColumns, chosen: list[int]) -> None:
    """Append the chosen rows, with new numbers for their chains."""
    numbers: dict[int, int] = {}
    for i in chosen:
        numbers.setdefault(rows.chain[i], corpus.chains + len(numbers))
    split.rows.extend(rows, chosen)
    split.rows.chain[len(split.rows) - len(chosen) :] = [numbers[rows.chain[i]] for i in chosen]
    corpus.chains += len(numbers)


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
