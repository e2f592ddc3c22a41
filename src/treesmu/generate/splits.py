"""The splits of a corpus while it is generated: their rows so far, their quotas, and which rows of a shard they take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from .columns import EquationColumns
from .settings import NEGATIVES, CorpusSettings, Slot

RunInOrder = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Generator[Any, None, None]]  # Executor.in_order
ProgressCallback = Callable[[str, int, int], None]  # called with the split, its number of rows and the number wanted

SPLITS = ("train", "validation", "test")


@dataclass
class GeneratedSplit:
    """The rows of a split so far, and its quotas."""

    name: str
    wanted: Counter[Slot]  # (depth, slot) -> rows; a slot is 'correct' or a kind of negative
    rows: EquationColumns = field(default_factory=EquationColumns)
    taken: Counter[Slot] = field(default_factory=Counter)

    def missing(self, depth: int) -> int:
        """Return how many rows a depth still needs."""
        return sum(n - self.taken[key] for key, n in self.wanted.items() if key[0] == depth)

    def slot(self, depth: int, label: int, kind: str) -> Slot:
        """Return the slot that a row counts for; a kind of negative without a quota counts for another kind."""
        if label:
            return depth, "correct"
        return next((key for key in ((depth, k) for k in (kind, *NEGATIVES)) if key in self.wanted), (depth, kind))


@dataclass
class GeneratedCorpus:
    """All splits in memory, before they are written."""

    settings: CorpusSettings
    splits: dict[str, GeneratedSplit] = field(default_factory=dict)
    proposed: Counter[int] = field(default_factory=Counter)  # by depth, the equations that were checked
    undecided: Counter[int] = field(default_factory=Counter)  # by depth, those that the check could not decide
    seen: set[Hashable] = field(default_factory=set)  # what rows with the same content have in common, of all rows
    chains: int = 0  # number of chains

    def take(
        self,
        split: GeneratedSplit,
        rows: EquationColumns,
        identities: Sequence[Hashable],
        may_take: Callable[[int], bool] = lambda _: True,
    ) -> None:
        """Add those rows of a shard to the split that are new, within its quotas and allowed.

        identities: what rows with the same content have in common, one per row. may_take: is called with the number of a row.
        """
        self.proposed.update(rows.proposed)
        self.undecided.update(rows.undecided)
        chosen: list[int] = []
        for i, (depth, label, kind, identity) in enumerate(zip(rows.depth, rows.label, rows.kind, identities, strict=True)):
            key = split.slot(depth, label, kind)
            if split.taken[key] < split.wanted[key] and identity not in self.seen and may_take(i):
                self.seen.add(identity)
                split.taken[key] += 1
                chosen.append(i)
        self.append(split, rows, chosen)

    def take_pairs(
        self, split: GeneratedSplit, rows: EquationColumns, identities: Sequence[Hashable], pairs: int, rng: Random
    ) -> None:
        """Add up to this many correct rows and as many incorrect ones that are new, equally many of both at every depth."""
        new: dict[tuple[int, int], dict[Hashable, int]] = {}
        for i, (depth, label, identity) in enumerate(zip(rows.depth, rows.label, identities, strict=True)):
            if identity not in self.seen:
                new.setdefault((depth, label), {}).setdefault(identity, i)
        depths = sorted({depth for depth, _ in new})
        found = [p for d in depths for p in zip(*(new.get((d, label), {}).values() for label in (1, 0)), strict=False)]
        rng.shuffle(found)
        chosen = sorted(i for pair in found[:pairs] for i in pair)
        self.seen.update(identities[i] for i in chosen)
        self.append(split, rows, chosen)

    def append(self, split: GeneratedSplit, rows: EquationColumns, chosen: list[int]) -> None:
        """Append the chosen rows, with new numbers for their chains."""
        numbers: dict[int, int] = {}
        for i in chosen:
            numbers.setdefault(rows.chain[i], self.chains + len(numbers))
        split.rows.extend(rows, chosen)
        split.rows.chain[len(split.rows) - len(chosen) :] = [numbers[rows.chain[i]] for i in chosen]
        self.chains += len(numbers)
