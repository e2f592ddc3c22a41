"""From settings to the rows of a corpus: shards grown wherever the engine likes, taken in order, balanced, without duplicates.

Every shard has a seed of its own and they are consumed in a fixed order, so the same settings give the same rows for any
number of jobs. No equation is in two splits, up to names of variables, order and sides: fingerprints see to that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from .axioms import read_files
from .numeric import numeric_rows
from .quotas import row_quotas, shift_missing_rows
from .settings import CorpusSettings
from .shard import EquationColumns, ShardSettings, grow_shard

Run = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Generator[Any, None, None]]
Progress = Callable[[str, int, int], None]  # split, rows so far, rows wanted

SPLITS = ("train", "validation", "test")
_SHARED_DEPTH = 3  # so shallow that chains meet: which split may have an equation is decided by its fingerprint
_SHARES = {"train": range(33), "validation": range(33, 40), "test": range(40, 100)}  # of fingerprints, in percent
_MOST_PAIRS = 1000  # of chains in a shard


@dataclass
class GeneratedSplit:
    """The rows that were taken for a split, and what is wanted."""

    name: str
    wanted: Counter[tuple[int, str]]  # (depth, slot) -> rows; a slot is 'correct' or a kind of negative
    rows: EquationColumns = field(default_factory=EquationColumns)
    taken: Counter[tuple[int, str]] = field(default_factory=Counter)

    def missing(self, depth: int) -> int:
        return sum(n - self.taken[key] for key, n in self.wanted.items() if key[0] == depth)

    def slot(self, depth: int, label: int, kind: str) -> tuple[int, str]:
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
    proposed: Counter[int] = field(default_factory=Counter)  # by depth, what was put to the check
    undecided: Counter[int] = field(default_factory=Counter)  # by depth, what it could not decide
    seen: set[int] = field(default_factory=set)  # fingerprints
    chains: int = 0


def generate_corpus(settings: CorpusSettings, run: Run, progress: Progress = lambda *_: None) -> GeneratedCorpus:
    """Grow every split until it has what the settings ask for, or no more can be found (there are few shallow equations)."""
    own = read_files(settings.axiom_files)
    corpus = GeneratedCorpus(settings)
    for name in SPLITS:
        negatives = settings.test_negatives if name == "test" else settings.negatives
        recipe = ShardSettings(settings.families, settings.weights, own, negatives, settings.first_occurrence)
        split = corpus.splits[name] = GeneratedSplit(name, row_quotas(settings, name, negatives))
        share = 0.5 if name == "test" else settings.correct_share
        for attempt in ("first", "second", "third"):
            for depth in sorted({d for d, _ in split.wanted}, reverse=True):
                _fill_depth(corpus, split, recipe, depth, attempt, run, progress)
            _balance(split, share)
            if name == "test" or split.taken == split.wanted:
                break
            split.wanted = shift_missing_rows(split.wanted, split.taken)
        _add_numeric(corpus, split, recipe)
    return corpus


def _add_numeric(corpus: GeneratedCorpus, split: GeneratedSplit, recipe: ShardSettings) -> None:
    """Numeric equations beside the others, of the split's depths."""
    settings = corpus.settings
    amount = round(settings.numeric / (1 - settings.numeric) * len(split.rows))
    if not amount:
        return
    depths = settings.test_depths if split.name == "test" else settings.depths
    rows = numeric_rows(Random(f"{settings.seed}/{split.name}/numeric"), 10 * amount, recipe.axioms(), depths)
    new: dict[tuple[int, int], list[int]] = {}
    for i, (depth, label, mark) in enumerate(zip(rows.depth, rows.label, rows.fingerprint, strict=True)):
        if mark not in corpus.seen:
            corpus.seen.add(mark)
            new.setdefault((depth, label), []).append(i)
    pairs = [p for d in sorted({d for d, _ in new}) for p in zip(new.get((d, 1), []), new.get((d, 0), []), strict=False)]
    Random(settings.seed).shuffle(pairs)
    _append(corpus, split, rows, sorted(i for pair in pairs[: amount // 2] for i in pair))  # as many of each label


def _fill_depth(
    corpus: GeneratedCorpus,
    split: GeneratedSplit,
    recipe: ShardSettings,
    depth: int,
    attempt: str,
    run: Run,
    progress: Progress,
) -> None:
    """Shards of chains up to this depth, until it has what is wanted. Shallower depths get theirs on the way."""
    if split.missing(depth) <= 0:
        return
    pairs = max(40, min(_MOST_PAIRS, split.missing(depth)))
    seeds = (f"{corpus.settings.seed}/{split.name}/{attempt}/{depth}/{i}" for i in count())
    results = run(grow_shard, ((recipe, seed, pairs, depth) for seed in seeds))
    idle = 0
    try:
        while split.missing(depth) > 0 and idle < 3:  # after that, what is left at this depth is not worth finding
            before = split.missing(depth)
            _take(corpus, split, next(results))
            idle = idle + 1 if before - split.missing(depth) < 0.03 * pairs else 0
            progress(split.name, len(split.rows), sum(split.wanted.values()))
    finally:
        results.close()  # stop the shards that are still under way


def _take(corpus: GeneratedCorpus, split: GeneratedSplit, rows: EquationColumns) -> None:
    """Take the rows of a shard that are wanted and new."""
    corpus.proposed.update(rows.proposed)
    corpus.undecided.update(rows.undecided)
    chosen: list[int] = []
    for i, (depth, label, kind, mark) in enumerate(zip(rows.depth, rows.label, rows.kind, rows.fingerprint, strict=True)):
        key = split.slot(depth, label, kind)
        foreign = depth <= _SHARED_DEPTH and mark % 100 not in _SHARES[split.name]
        if split.taken[key] < split.wanted[key] and mark not in corpus.seen and not foreign:
            corpus.seen.add(mark)
            split.taken[key] += 1
            chosen.append(i)
    _append(corpus, split, rows, chosen)


def _append(corpus: GeneratedCorpus, split: GeneratedSplit, rows: EquationColumns, chosen: list[int]) -> None:
    """The chosen rows, their chains numbered anew in the corpus."""
    numbers: dict[int, int] = {}
    for i in chosen:
        numbers.setdefault(rows.chain[i], corpus.chains + len(numbers))
    split.rows.extend(rows, chosen)
    split.rows.chain[len(split.rows) - len(chosen) :] = [numbers[rows.chain[i]] for i in chosen]
    corpus.chains += len(numbers)


def _balance(split: GeneratedSplit, correct_share: float) -> None:
    """Where a depth has not enough of one label, take less of the other, so that depth does not tell the label."""
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
