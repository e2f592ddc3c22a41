"""Assign rows to splits by seed: equations that are the same up to names, order and sides are always in the same split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError

from .columns import SPLITS
from .settings import ImportSettings

Array = NDArray[Any]
TRAIN, VALIDATION, TEST = range(3)
DROPPED, NOT_GIVEN = -2, -1


@dataclass(frozen=True)
class Assignment:
    """The split of every row."""

    split: Array  # (rows,) int8: a place in SPLITS, or DROPPED
    group: Array  # (rows,) int64: rows with the same number are the same equation; numbered by first occurrence
    drawn: tuple[str, ...]  # splits that were drawn by the seed
    are_names_ignored: bool  # whether no file was for training, so that all rows were divided
    overlap: int  # training rows whose equation is in a validation or test file too


def assign_splits(fingerprint: Array, label: Array, depth: Array, given: Array, settings: ImportSettings) -> Assignment:
    """Return the split of every row. given: (rows,) the split that its file or column names, or NOT_GIVEN.

    Rows that are not given for validation or test are training rows, and the splits that are not given are drawn from them,
    evenly by label and depth.
    """
    group = _group(fingerprint)
    are_names_ignored = bool(len(given)) and not np.isin(given, (NOT_GIVEN, TRAIN)).any()
    split = np.where(given == NOT_GIVEN, TRAIN, given).astype(np.int8)
    if are_names_ignored:
        split[:] = TRAIN
    held_out = np.isin(group, group[split != TRAIN])  # the equation is in a validation or test file
    overlap = (split == TRAIN) & held_out
    if settings.overlap == "drop":
        split[overlap] = DROPPED
    shares = {VALIDATION: settings.validation, TEST: settings.test}
    shares = {number: share for number, share in shares.items() if share and not (split == number).any()}
    pool = np.flatnonzero((split == TRAIN) & ~held_out)
    if shares:
        split[pool] = _draw(fingerprint[pool], label[pool], depth[pool], shares, settings.seed)
    drawn = tuple(SPLITS[number] for number in shares)
    return Assignment(split, group, drawn, are_names_ignored, int(overlap.sum()))


def _group(fingerprint: Array) -> Array:
    """Return the number of each row's equation, counted by first occurrence."""
    _, first, inverse = np.unique(fingerprint, return_index=True, return_inverse=True)
    number = np.empty(len(first), np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    return number[inverse]


def _draw(fingerprint: Array, label: Array, depth: Array, shares: dict[int, float], seed: int) -> Array:
    """Return the split of every row of the pool. Equations are taken in a random order within each label and depth, and each
    goes to the split that lacks most, so that all splits have about the same mixture."""
    _, first, inverse, sizes = np.unique(fingerprint, return_index=True, return_inverse=True, return_counts=True)
    if len(first) <= len(shares):
        names = ", ".join(("train", *(SPLITS[number] for number in shares)))
        raise DataError(f"too few different equations for {names}: {len(first)}; give at least {len(shares) + 1}")
    shuffled = np.random.default_rng(seed).permutation(len(first))  # of the fingerprints in their order, whatever the rows'
    order = shuffled[np.lexsort((depth[first][shuffled], label[first][shuffled]))]
    wanted = {TRAIN: 1 - sum(shares.values()), **shares}
    lacking = dict.fromkeys(wanted, 0.0)
    chosen = np.empty(len(first), np.int8)
    for place, size in zip(order.tolist(), sizes[order].tolist(), strict=True):
        for number, share in wanted.items():
            lacking[number] += share * size
        poorest = max(lacking, key=lacking.__getitem__)
        lacking[poorest] -= size
        chosen[place] = poorest
    _fill_empty(chosen, sizes, wanted, shuffled)
    return chosen[inverse]


def _fill_empty(chosen: Array, sizes: Array, wanted: dict[int, float], shuffled: Array) -> None:
    """Move one equation to each split that got none, as happens with few equations: a small one of the largest split."""
    for number in wanted:
        if not (chosen == number).any():
            counts = np.bincount(chosen, minlength=len(SPLITS))  # of equations
            candidates = shuffled[chosen[shuffled] == counts.argmax()]
            chosen[candidates[np.argmin(sizes[candidates])]] = number
