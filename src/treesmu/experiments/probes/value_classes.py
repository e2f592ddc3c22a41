"""ValueClasses: expressions grouped by value, and how well a model's states separate the groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.expr import from_prefix

from .equal_rewrites import EqualRewrites

Array = NDArray[Any]

HEIGHTS = (1, 3)  # of the expressions, as in the paper
MOST_FREQUENT = 200  # values among which 0 and 1 are looked for
FIRST_NAMES = ("0", "1")  # values that the paper marks in its figures


@dataclass(frozen=True)
class ValueClasses:
    """Expressions with the most frequent values of a set of equations; the same for every model that is probed."""

    names: list[str]  # of the values: the simplest expression with that value
    texts: list[str]  # the expressions as prefix strings
    height: list[int]
    number: Array  # (expressions,) the index of each expression's value in names

    @classmethod
    def select(cls, rewrites: EqualRewrites, classes: int, per_class: int) -> ValueClasses:
        """Select the values 0 and 1 and then the most frequent ones, with at most ``per_class`` expressions each."""
        code, height = rewrites.values.code, rewrites.height
        eligible = np.flatnonzero((height >= HEIGHTS[0]) & (height <= HEIGHTS[1]) & (code >= 0))
        codes, first, counts = np.unique(code[eligible], return_index=True, return_counts=True)
        frequent = np.argsort(-counts, kind="stable")[:MOST_FREQUENT].tolist()
        names = {int(codes[i]): _name(rewrites, int(eligible[first[i]])) for i in frequent}
        rank = {name: i for i, name in enumerate(FIRST_NAMES)}
        chosen = sorted(names, key=lambda c: rank.get(names[c], len(rank)))[:classes]  # stable: the others by frequency
        rng = np.random.default_rng(0)
        members = [np.sort(rng.permutation(eligible[code[eligible] == c])[:per_class]) for c in chosen]
        nodes = np.concatenate(members).tolist() if members else []
        number = np.repeat(np.arange(len(members)), [len(some) for some in members])
        return cls([names[c] for c in chosen], [rewrites.text(n) for n in nodes], [int(height[n]) for n in nodes], number)

    def to_json(self) -> list[dict[str, Any]]:
        """Return one dictionary per expression."""
        return [
            {"text": str(from_prefix(text.split())), "height": height, "class": number}
            for text, height, number in zip(self.texts, self.height, self.number.tolist(), strict=True)
        ]

    def chance(self) -> float | None:
        """Return the purity to expect of states that do not depend on the value."""
        size, total = np.bincount(self.number), len(self.number)
        return float((size * (size - 1)).sum() / (total * (total - 1))) if total > 1 else None


def _name(rewrites: EqualRewrites, node: int) -> str:
    values = rewrites.values.value[node]
    for name in FIRST_NAMES:
        if (values == float(name)).all():
            return name
    return str(from_prefix(rewrites.text(rewrites.simplest(node)).split()))


def purity(states: Array, number: Array, neighbours: int) -> float | None:
    """Return the mean share of equal values among the nearest neighbours of an expression. states: (expressions, n)."""
    count = min(neighbours, len(states) - 1)
    if count < 1:
        return None
    distance = _distances(states)
    np.fill_diagonal(distance, np.inf)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :count]
    return float((number[nearest] == number[:, None]).mean())


def silhouette(states: Array, number: Array) -> float | None:
    """Return the silhouette score of the values: from -1 (mixed) to 1 (well separated). states: (expressions, n)."""
    from sklearn.metrics import silhouette_score

    if not 1 < len(set(number.tolist())) < len(number):
        return None
    distance = _distances(states)
    np.fill_diagonal(distance, 0)
    return float(silhouette_score(distance, number, metric="precomputed"))


def _distances(states: Array) -> Array:
    squares = (states**2).sum(1)
    found: Array = np.sqrt(np.maximum(squares[:, None] + squares - 2 * states @ states.T, 0))
    return found
