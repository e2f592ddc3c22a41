"""Leak probes: how well simple counts predict the label of an equation, by logistic regression.

A probe is trained on the train split and measured on the test split, in groups of depth. Its features (counts or frequencies)
and the strength of regularisation are chosen on a held-out fifth of the training rows, never on the test rows: the best of
several choices on a small test set would be too optimistic. For depths outside those of the training rows, another choice might
be better.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from treesmu.errors import DataError
from treesmu.expr import EQUALITY, FUNCTIONS

from ..corpus.dataset import NO_CHAIN, Array, Dataset
from .text_table import Cell, TextTable

GROUPS = ((1, 3), (4, 7), (8, 13), (14, 19), None)  # depths; None: all
MOST_ROWS = 40_000  # of either split; more do not change the numbers
_STRENGTHS = (1.0, 0.01, 0.0001)  # scikit-learn's C: the smaller, the stronger the regularisation
_ARITY = {f.name: f.arity for f in (*FUNCTIONS, EQUALITY)}


def probe_leaks(train: Dataset, test: Dataset, seed: int = 0, progress: Callable[[str], None] = lambda _: None) -> TextTable:
    """Return a table of the accuracy of the probes on the test set, next to the fraction of its larger class."""
    rng = np.random.default_rng(seed)
    train, test = (data.select(labels=(0, 1)).sample(MOST_ROWS, rng) for data in (train, test))
    for data in (train, test):
        if len(np.unique(data.label)) < 2:
            raise DataError(f"{data.source}: a probe needs correct and incorrect equations; take other filters")
    fit, held = _held_out(train, rng)
    correct: dict[str, Array] = {}
    for name, features in (("tokens", _bags), ("bigrams", _bigrams), ("size, depth", _sizes)):
        progress(name)
        correct[name] = _guessed(train, test, _choice(fit, held, features), features)
    rows: list[tuple[Cell, ...]] = []
    for group in GROUPS:
        here = np.ones(len(test), bool) if group is None else (group[0] <= test.depth) & (test.depth <= group[1])
        if here.any():
            share = float((test.label[here] == 1).mean())
            found = [float(c[here].mean()) for c in correct.values()]
            rows.append(("all" if group is None else f"{group[0]}-{group[1]}", int(here.sum()), max(share, 1 - share), *found))
    depths = f"{train.depth.min()}-{train.depth.max()}"
    title = f"Leak probes: accuracy on the test set after {len(train):,} training equations of depth {depths}"
    return TextTable(title, ("depth", "rows", "larger class", *correct), rows)


Features = Callable[[Dataset, Dataset], Iterator[tuple[Any, Any]]]


def guessed_from_tokens(train: Dataset, test: Dataset, rng: np.random.Generator) -> Array:
    """Return which test rows a bag of tokens labels as they are labelled, after training on the others. (rows,) bool"""
    return _guessed(train, test, _choice(*_held_out(train, rng), _bags), _bags)


def _guessed(train: Dataset, test: Dataset, choice: tuple[int, float], features: Features) -> Array:
    form, strength = choice
    known, asked = list(features(train, test))[form]
    return np.asarray(_predict(known, train.label, asked, strength) == test.label)


def _held_out(train: Dataset, rng: np.random.Generator) -> tuple[Dataset, Dataset]:
    """Divide the rows: four fifths for fitting, one fifth for choosing. A chain is never divided.

    With too few rows, all of them are used for both.
    """
    chains = np.where(train.chain == NO_CHAIN, -1 - np.arange(len(train)), train.chain)  # a row without a chain is its own
    names, chain = np.unique(chains, return_inverse=True)
    held = (rng.permutation(len(names)) < len(names) / 5)[chain]
    fit = train.take(~held)
    return (fit, train.take(held)) if len(np.unique(fit.label)) == 2 else (train, train)


def _choice(fit: Dataset, held: Dataset, features: Features) -> tuple[int, float]:
    """Return the form of features (by its number) and the strength that are best on the held-out rows; the first wins a tie."""
    forms = list(features(fit, held))
    score = {
        (form, strength): float((_predict(known, fit.label, asked, strength) == held.label).mean())
        for (form, (known, asked)), strength in product(enumerate(forms), _STRENGTHS)
    }
    return max(score, key=score.__getitem__)


def _predict(known: Any, labels: Array, asked: Any, strength: float) -> Array:
    """Return the labels that logistic regression predicts for the rows ``asked``."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler(with_mean=False).fit(known)
    model = LogisticRegression(C=strength, max_iter=200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # an approximate fit is enough for a probe
        model.fit(scaler.transform(known), labels)
    return np.asarray(model.predict(scaler.transform(asked)))


def _bags(train: Dataset, test: Dataset) -> Iterator[tuple[Any, Any]]:
    """Yield counts and frequencies of tokens."""
    return _counted(train, test, str.split)


def _bigrams(train: Dataset, test: Dataset) -> Iterator[tuple[Any, Any]]:
    """Yield counts and frequencies of pairs of a function and a child."""
    return _counted(train, test, pairs)


def pairs(prefix: str) -> list[str]:
    """Return every pair of a function and one of its children, which may be a leaf."""
    found: list[str] = []
    waiting: list[str] = []  # functions, once for each child that is still to come
    for token in prefix.split():
        if waiting:
            found.append(f"{waiting.pop()} {token}")
        waiting += [token] * _ARITY.get(token, 0)
    return found


def _counted(train: Dataset, test: Dataset, words: Callable[[str], list[str]]) -> Iterator[tuple[Any, Any]]:
    """Yield counts, then frequencies (counts divided by size), for the train and the test rows."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = CountVectorizer(analyzer=words, dtype=np.float64)
    known = vectorizer.fit_transform(train.prefix.to_pylist())
    asked = vectorizer.transform(test.prefix.to_pylist())
    yield known, asked
    yield normalize(known, "l1"), normalize(asked, "l1")


def _sizes(train: Dataset, test: Dataset) -> Iterator[tuple[Any, Any]]:
    """Yield size and depth with their squares and their product; then the same for their logarithms."""
    for scale in (np.asarray, np.log1p):
        both = []
        for data in (train, test):
            s, d = scale(data.size.astype(float)), scale(data.depth.astype(float))
            both.append(np.column_stack([s, d, s * s, d * d, s * d]))
        yield both[0], both[1]
