"""Expressions by value, and how well a model's states keep the values apart: a picture and two numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.expr import from_prefix

from .equal_rewrites import EqualRewrites

Array = NDArray[Any]

HEIGHTS = (1, 3)  # of the expressions, as in the paper
LOOKED_AT = 200  # most frequent values among which 0 and 1 are sought
MARKED = ("0", "1")  # values that the paper marks in its pictures


@dataclass(frozen=True)
class ValueClasses:
    """Expressions of the most frequent values of a set of equations; the same for every model that is asked about them."""

    names: list[str]  # of the values: the simplest expression of each
    texts: list[str]  # of the expressions, prefix strings
    height: list[int]
    number: Array  # (expressions,) which value each has

    @classmethod
    def of(cls, equals: EqualRewrites, classes: int, per_class: int) -> ValueClasses:
        kind, height = equals.values.code, equals.height
        eligible = np.flatnonzero((height >= HEIGHTS[0]) & (height <= HEIGHTS[1]) & (kind >= 0))
        kinds, first, counts = np.unique(kind[eligible], return_index=True, return_counts=True)
        frequent = np.argsort(-counts, kind="stable")[:LOOKED_AT].tolist()
        names = {int(kinds[i]): _name(equals, int(eligible[first[i]])) for i in frequent}
        marked = {name: place for place, name in enumerate(MARKED)}
        chosen = sorted(names, key=lambda k: marked.get(names[k], len(marked)))[:classes]  # then the most frequent
        rng = np.random.default_rng(0)
        members = [np.sort(rng.permutation(eligible[kind[eligible] == k])[:per_class]) for k in chosen]
        nodes = np.concatenate(members).tolist() if members else []
        number = np.repeat(np.arange(len(members)), [len(some) for some in members])
        return cls([names[k] for k in chosen], [equals.text(n) for n in nodes], [int(height[n]) for n in nodes], number)

    def rows(self) -> list[dict[str, Any]]:
        """For JSON."""
        return [
            {"text": str(from_prefix(text.split())), "height": height, "class": number}
            for text, height, number in zip(self.texts, self.height, self.number.tolist(), strict=True)
        ]

    def chance(self) -> float | None:
        """The purity to expect of states that know nothing."""
        size, every = np.bincount(self.number), len(self.number)
        return float((size * (size - 1)).sum() / (every * (every - 1))) if every > 1 else None


def _name(equals: EqualRewrites, node: int) -> str:
    values = equals.values.value[node]
    for name in MARKED:
        if (values == float(name)).all():
            return name
    return str(from_prefix(equals.text(equals.simplest(node)).split()))


def purity(states: Array, number: Array, neighbours: int) -> float | None:
    """The mean share of the same value among the nearest neighbours of an expression. states: (expressions, n)."""
    count = min(neighbours, len(states) - 1)
    if count < 1:
        return None
    distance = _distances(states)
    np.fill_diagonal(distance, np.inf)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :count]
    return float((number[nearest] == number[:, None]).mean())


def silhouette(states: Array, number: Array) -> float | None:
    """From -1 to 1: how much nearer an expression is to its own value's than to those of the next value, on average."""
    from sklearn.metrics import silhouette_score

    if not 1 < len(set(number.tolist())) < len(number):
        return None
    distance = _distances(states)
    np.fill_diagonal(distance, 0)
    return float(silhouette_score(distance, number, metric="precomputed"))


def tsne_layout(states: Array, perplexity: float) -> list[list[float]]:
    """(expressions, 2) by t-SNE, the same every time."""
    from openTSNE import TSNE

    if len(states) < 4:
        return [[0.0, 0.0] for _ in states]
    perplexity = min(perplexity, (len(states) - 1) / 3)
    found = TSNE(perplexity=perplexity, neighbors="exact", n_jobs=1, random_state=0).fit(states)
    places: list[list[float]] = np.round(np.asarray(found, float), 3).tolist()
    return places


def _distances(states: Array) -> Array:
    squares = (states**2).sum(1)
    found: Array = np.sqrt(np.maximum(squares[:, None] + squares - 2 * states @ states.T, 0))
    return found
