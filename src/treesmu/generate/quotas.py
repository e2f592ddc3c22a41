"""How many equations of each depth and label a split is to have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from .settings import CorpusSettings

Slot = tuple[int, str]  # a depth, and 'correct' or a kind of negative

FINDABLE = {1: 200, 2: 2_000, 3: 10_000, 4: 50_000}  # about so many different equations can be asked for at these depths


def apportion(total: int, weights: Mapping[int, float]) -> dict[int, int]:
    """A total dealt out in whole numbers by weight; remainders are spread, so that no place gets them all."""
    whole = sum(weights.values())
    found: dict[int, int] = {}
    so_far, given = 0.0, 0
    for key, weight in weights.items():
        so_far += weight
        found[key] = round(total * so_far / whole) - given
        given += found[key]
    return found


def row_quotas(settings: CorpusSettings, split: str, negatives: tuple[str, ...]) -> Counter[Slot]:
    """How many rows of each depth and slot a split is to have."""
    if split == "test":
        low, high = settings.test_depths
        share, sizes = 0.5, dict.fromkeys(range(low, high + 1), settings.per_depth)
    else:
        total = settings.train_size if split == "train" else settings.validation_size
        share, sizes = settings.correct_share, _sizes(total, settings.depths, settings.shallow_share)
    correct = apportion(round(share * sum(sizes.values())), sizes)
    slots: Counter[Slot] = Counter()
    for depth, size in sizes.items():
        slots[depth, "correct"] = correct[depth]
        for i, kind in enumerate(negatives):
            slots[depth, kind] = (size - correct[depth] + i) // len(negatives)
    return slots


def _sizes(total: int, depths: tuple[int, int], shallow_share: float | None) -> dict[int, int]:
    """Rows by depth. Shallow depths have few different equations, so they get little and the rest is spread evenly."""
    low, high = depths
    weights = {d: min(1.0, FINDABLE.get(d, total) * (high - low + 1) / total) for d in range(low, high + 1)}
    if shallow_share is not None and low <= 7 < high:
        shallow, deep = (sum(w for d, w in weights.items() if (d <= 7) == is_shallow) for is_shallow in (True, False))
        weights = {d: w * (shallow_share / shallow if d <= 7 else (1 - shallow_share) / deep) for d, w in weights.items()}
    return apportion(total, weights)


def shift_missing_rows(slots: Counter[Slot], taken: Counter[Slot]) -> Counter[Slot]:
    """What is missing at depth 1-4 is asked for at depth 5-7 instead (or at what there is), label by label."""
    depths = sorted({d for d, _ in slots})
    rich = [d for d in depths if d not in FINDABLE][:3] or [d for d in depths if d > 2]
    scarce = [d for d in depths if d in FINDABLE and d not in rich]
    missing: Counter[str] = Counter()
    found = Counter(slots)
    for depth, kind in slots:
        if depth in scarce:
            missing[kind] += slots[depth, kind] - taken[depth, kind]
            found[depth, kind] = taken[depth, kind]
    for kind, number in missing.items():
        for depth, more in apportion(number, dict.fromkeys(rich, 1.0)).items():
            found[depth, kind] += more
    return found
