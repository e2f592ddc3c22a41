"""Leak probes: how well a label can be guessed without understanding an equation, by logistic regression on what is countable.

Trained on the train split and measured on the test split, in groups of depth. Every probe gets its best chance: counts and
frequencies, weak and strong regularisation, and of these the best on the very rows that are reported.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..expr import EQUALITY, FUNCTIONS
from .dataset import Array, Dataset
from .errors import DataError
from .tables import Cell, Table

GROUPS = ((1, 3), (4, 7), (8, 13), (14, 19), None)  # depths; None: all
MOST_ROWS = 40_000  # of either split; more do not change the figures
_STRENGTHS = (1.0, 0.01, 0.0001)  # sklearn's C: the smaller, the stronger the regularisation
_ARITY = {f.name: f.arity for f in (*FUNCTIONS, EQUALITY)}


def probe(train: Dataset, test: Dataset, seed: int = 0, progress: Callable[[str], None] = lambda _: None) -> Table:
    """The accuracy of the probes on the test set, beside the share of its larger class."""
    rng = np.random.default_rng(seed)
    train, test = (data.select(labels=(0, 1)).sample(MOST_ROWS, rng) for data in (train, test))
    for data in (train, test):
        if len(np.unique(data.label)) < 2:
            raise DataError(f"{data.source}: a probe needs correct and incorrect equations; take other filters")
    correct: dict[str, list[Array]] = {}
    for name, features in (("tokens", _bags), ("bigrams", _bigrams), ("size, depth", _sizes)):
        progress(name)
        correct[name] = [prediction == test.label for prediction in _predictions(train, test, features)]
    rows: list[tuple[Cell, ...]] = []
    for group in GROUPS:
        here = np.ones(len(test), bool) if group is None else (group[0] <= test.depth) & (test.depth <= group[1])
        if here.any():
            share = float((test.label[here] == 1).mean())
            best = [max(float(c[here].mean()) for c in candidates) for candidates in correct.values()]
            rows.append(("all" if group is None else f"{group[0]}-{group[1]}", int(here.sum()), max(share, 1 - share), *best))
    depths = f"{train.depth.min()}-{train.depth.max()}"
    title = f"Leak probes: accuracy on the test set after {len(train):,} training equations of depth {depths}"
    return Table(title, ("depth", "rows", "larger class", *correct), rows)


Features = Callable[[Dataset, Dataset], Iterator[tuple[Any, Any]]]


def _predictions(train: Dataset, test: Dataset, features: Features) -> Iterator[Array]:
    """What logistic regression says of the test rows, for each form of the features and each strength."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    for known, asked in features(train, test):
        scaler = StandardScaler(with_mean=False).fit(known)
        for strength in _STRENGTHS:
            model = LogisticRegression(C=strength, max_iter=200)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # close is close enough for a probe
                model.fit(scaler.transform(known), train.label)
            yield np.asarray(model.predict(scaler.transform(asked)))


def _bags(train: Dataset, test: Dataset) -> Iterator[tuple[Any, Any]]:
    """How often each token occurs."""
    return _counted(train, test, str.split)


def _bigrams(train: Dataset, test: Dataset) -> Iterator[tuple[Any, Any]]:
    """How often each token occurs as a child of each function."""
    return _counted(train, test, pairs)


def pairs(prefix: str) -> list[str]:
    """Every parent with each of its children, leaves too."""
    found: list[str] = []
    waiting: list[str] = []  # parents, once for each child that is still to come
    for token in prefix.split():
        if waiting:
            found.append(f"{waiting.pop()} {token}")
        waiting += [token] * _ARITY.get(token, 0)
    return found


def _counted(train: Dataset, test: Dataset, words: Callable[[str], list[str]]) -> Iterator[tuple[Any, Any]]:
    """Counts, and frequencies: counts by size."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = CountVectorizer(analyzer=words, dtype=np.float64)
    known = vectorizer.fit_transform(train.prefix.to_pylist())
    asked = vectorizer.transform(test.prefix.to_pylist())
    yield known, asked
    yield normalize(known, "l1"), normalize(asked, "l1")


def _sizes(train: Dataset, test: Dataset) -> Iterator[tuple[Any, Any]]:
    """Size and depth, their squares and their product; the same of their logarithms."""
    for scale in (np.asarray, np.log1p):
        both = []
        for data in (train, test):
            s, d = scale(data.size.astype(float)), scale(data.depth.astype(float))
            both.append(np.column_stack([s, d, s * s, d * d, s * d]))
        yield both[0], both[1]
