"""Make one part of a stream: as many equations as it has rows, from every source by its weight, about half of them correct.

A part depends on the settings, the held-out equations and its number only, so it does not matter who makes it, and when.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa

from treesmu.data import DataError, Dataset, Vocab
from treesmu.data.augment.planned_rows import PlannedRows, Planner
from treesmu.data.corpus.dataset import NO_CHAIN

from ..chains.fill import fill_split
from ..chains.shard import ShardSettings
from ..columns import EquationColumns
from ..numeric import numeric_rows
from ..pools.fill import pool_settings
from ..pools.shard import grow_pool
from ..settings import Slot, apportion, with_shallow_share
from ..splits import GeneratedCorpus, GeneratedSplit
from ..textbook.rows import textbook_rows
from .held_out import HeldOut
from .settings import Source, StreamSettings

_PATIENCE = 8  # shards in a row that may bring little
_LITTLE = 0.01  # of the rows of a shard
_RARE = {1: 0.02, 2: 0.1}  # weights of depths with few different equations: as many as are found in passing
_FEWEST, _MOST = 100, 2_000  # textbook or numeric equations that are tried at a time


def make_part(settings: StreamSettings, planner: Planner, held_out: HeldOut, number: int) -> PlannedRows:
    """Return a part of a stream, planned. The same settings, held-out equations and number give the same part."""
    rows = _Part(settings, planner.vocab, held_out, number).make()
    return planner.plan(_dataset(rows, f"part {number} of a stream"))


def _dataset(rows: EquationColumns, source: str) -> Dataset:
    size = len(rows)
    return Dataset(
        source,
        prefix=pa.array(rows.prefix, pa.large_string()),
        label=np.array(rows.label, np.int8),
        depth=np.array(rows.depth, np.int16),
        size=np.array(rows.size, np.int32),
        chain=np.full(size, NO_CHAIN, np.int64),
        kind=np.array(rows.kind),
        split=np.full(size, "train"),
        row=np.arange(size),
    )


class _Part:
    """A part while it is filled."""

    def __init__(self, settings: StreamSettings, vocab: Vocab, held_out: HeldOut, number: int) -> None:
        self.settings, self.vocab, self.held_out, self.number = settings, vocab, held_out, number
        self.name = f"{settings.seed}/stream/{number}"
        self.tokens = {vocab.equality, *vocab.functions, *vocab.leaves}
        self.corpus = GeneratedCorpus(settings.corpus)
        self.rows = EquationColumns()

    def make(self) -> EquationColumns:
        """Fill the part; what a source cannot give comes from the next, and in the end from all of them once more."""
        mixture, rows = self.settings.mixture, self.settings.rows
        wanted = apportion(-(-rows // 2), {place: weight for place, (_, weight) in enumerate(mixture)})  # pairs
        missing = 0
        for place, (source, _) in enumerate(mixture):
            missing = self._fill(source, missing + wanted[place], "first")
        for source, _ in reversed(mixture):
            missing = self._fill(source, missing, "again")
        if len(self.rows) < rows:
            depths, remedy = "-".join(map(str, self.settings.depths)), "give fewer --rows, more depths or more sources"
            found = f"{len(self.rows):,} different equations of depth {depths}, not {rows:,}"
            raise DataError(f"part {self.number} of the stream has {found}; {remedy}")
        self.rows.keep(list(range(rows)))
        return self.rows

    def _fill(self, source: Source, pairs: int, attempt: str) -> int:
        """Add pairs of a correct and an incorrect equation from a source; return how many are missing."""
        if not pairs:
            return 0
        split = GeneratedSplit(f"{self.name}/{source}/{attempt}", self._quotas(source, pairs))
        if source in ("numeric", "textbook", "published"):
            shards = self._allowed(self._shards(source, split.name, max(_FEWEST, min(_MOST, 6 * pairs))))
            self._fill_pairs(split, shards, pairs, has_spellings=source == "textbook")
        else:
            own = self.settings.corpus
            shard = ShardSettings(own.families, own.weights, self.settings.extra_axioms, (source,), own.first_occurrence)
            fill_split(self.corpus, split, shard, 0.5, self._run)
        self.rows.extend(split.rows, list(range(len(split.rows))))
        return max(0, pairs - len(split.rows) // 2)

    def _quotas(self, source: Source, pairs: int) -> Counter[Slot]:
        """Return how many equations of each depth a source of chains is to give: equally many, but few of depth 1 and 2."""
        lowest, highest = self.settings.depths
        weights = {depth: _RARE.get(depth, 1.0) for depth in range(lowest, highest + 1)}
        by_depth = apportion(pairs, with_shallow_share(weights, self.settings.corpus.shallow_share))
        return Counter({(depth, slot): n for depth, n in by_depth.items() for slot in ("correct", source)})

    def _fill_pairs(self, split: GeneratedSplit, shards: Iterator[EquationColumns], pairs: int, has_spellings: bool) -> None:
        """Take pairs of the same depth from shards, until there are enough or eight shards in a row have brought little.

        has_spellings: an equation may come again in another spelling, with its terms in another order.
        """
        poor_shards = 0
        for number, rows in enumerate(shards):
            before = len(split.rows)
            identities = rows.prefix if has_spellings else rows.fingerprint
            self.corpus.take_pairs(split, rows, identities, pairs - before // 2, Random(f"{split.name}/{number}"))
            poor_shards = poor_shards + 1 if len(split.rows) - before <= _LITTLE * len(rows) else 0
            if len(split.rows) >= 2 * pairs or poor_shards == _PATIENCE:
                return

    def _shards(self, source: Source, name: str, proposals: int) -> Iterator[EquationColumns]:
        """Yield shards of a source without end. proposals: numeric or textbook equations that are tried for one."""
        settings, own = self.settings, self.settings.corpus
        axioms, (_, highest) = settings.axioms(), settings.depths
        pool = replace(pool_settings(own, "train"), has_checked_labels=True)
        make: dict[str, Callable[[str], EquationColumns]] = {
            "numeric": lambda seed: numeric_rows(Random(seed), proposals, axioms, settings.depths),
            "textbook": lambda seed: textbook_rows(Random(seed), proposals, axioms, settings.depths, own.first_occurrence),
            "published": lambda seed: grow_pool(pool, seed, highest),
        }
        for i in count():
            yield make[source](f"{name}/{i}")

    def _run(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Generator[Any, None, None]:
        """Run the tasks in this process, as an executor would, without the rows that are not allowed."""
        yield from self._allowed(function(*task) for task in tasks)

    def _allowed(self, shards: Iterable[EquationColumns]) -> Generator[EquationColumns, None, None]:
        """Yield shards without held-out equations, other depths, and leaves that the vocabulary lacks."""
        lowest, highest = self.settings.depths
        for rows in shards:
            depth = np.array(rows.depth)
            allowed = np.flatnonzero((lowest <= depth) & (depth <= highest) & self.held_out.allowed(rows)).tolist()
            rows.keep([i for i in allowed if self._knows(rows.prefix[i])])
            yield rows

    def _knows(self, prefix: str) -> bool:
        unknown = set(prefix.split()) - self.tokens
        return not unknown or all(self.vocab.number_value(token) is not None for token in unknown)
