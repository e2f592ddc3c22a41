"""The figures of two sets of equations side by side: whether one was made like the other.

What a test set would reveal is measured in the same way for both: 80% of the equations of depth 1-7 are for training, the
others and all deeper ones for the test. Labels are compared with the numeric check, on a sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from treesmu.expr import FUNCTIONS, check_many
from treesmu.expr.sides import split_sides

from ..corpus.dataset import Array, Dataset
from .leak_probe import guessed_from_tokens
from .stats import count_tokens
from .text_table import Cell, TextTable

SHALLOW = 7  # depth up to which equations are for training
TRUTH_ROWS = 500  # of each label and group of depths whose labels are checked
FEW = 30  # equations of a depth, below which its sizes are not shown
_GROUPS = (f"1-{SHALLOW}", f"{SHALLOW + 1} and more")
_TRIGONOMETRIC = {f.name for f in FUNCTIONS if f.family == "trigonometric"}
_LABELS = {1: "correct", 0: "incorrect"}

Figures = dict[str, Cell]  # by what was measured; a float is a fraction


def tables_beside(
    first: Dataset, second: Dataset, seed: int = 0, progress: Callable[[str], None] = lambda _: None
) -> dict[str, TextTable]:
    """Return tables of the figures of both, by name."""
    both = [data.select(labels=(0, 1)) for data in (first, second)]
    found: dict[str, TextTable] = {}
    header = ("figure", first.source, second.source if second.source != first.source else f"{second.source} (second)")
    for name, title, measure in (
        ("rows", "Equations", count_rows),
        (
            "sizes",
            f"Median nodes of the smaller and the larger side, by depth (depths with at least {FEW} equations)",
            side_sizes,
        ),
        ("content", "Content", content),
        ("functions", "Equations that have a function, by label", functions),
        ("leaks", f"Leaks, after 80% of the equations of depth 1-{SHALLOW}", leaks),
        ("truth", "Labels by the numeric check", label_truth),
    ):
        progress(name)
        one, other = (measure(data, np.random.default_rng(seed)) for data in both)
        rows: list[tuple[Cell, ...]] = [(k, one.get(k, "-"), other.get(k, "-")) for k in dict.fromkeys([*one, *other])]
        found[name] = TextTable(title, header, rows)
    return found


def _groups(data: Dataset) -> Iterator[tuple[str, int, Dataset]]:
    """Yield the equations of each group of depths and label: the group, the label, the equations; not if there are none."""
    for group, depths in zip(_GROUPS, ((1, SHALLOW), (SHALLOW + 1, 10**4)), strict=True):
        for label in _LABELS:
            part = data.select(depths, (label,))
            if len(part):
                yield group, label, part


def count_rows(data: Dataset, _: np.random.Generator) -> Figures:
    """Return the number of equations, the share of correct ones, and the share of each depth."""
    found: Figures = {"equations": len(data), "correct": float((data.label == 1).mean())}
    for d in np.unique(data.depth).tolist():
        found[f"of depth {d}"] = float((data.depth == d).mean())
    return found


def side_sizes(data: Dataset, _: np.random.Generator) -> Figures:
    """Return the median sizes of the smaller and of the larger sides at each depth."""
    sizes = np.array([[side.count(" ") + 1 for side in split_sides(text)] for text in data.prefix.to_pylist()]).reshape(-1, 2)
    found: Figures = {}
    for d in np.unique(data.depth).tolist():
        here = sizes[data.depth == d]
        if len(here) >= FEW:
            found[f"smaller, depth {d}"] = int(np.median(here.min(axis=1)))
            found[f"larger, depth {d}"] = int(np.median(here.max(axis=1)))
    return found


def content(data: Dataset, _: np.random.Generator) -> Figures:
    """Return the share of nodes that are 0 or 1, and of equations with trigonometric functions, by depth and label."""
    found: Figures = {}
    for group, label, part in _groups(data):
        rows = [text.split() for text in part.prefix.to_pylist()]
        few = sum(tokens.count("0") + tokens.count("1") for tokens in rows)
        name = f"{_LABELS[label]}, depth {group}"
        found[f"nodes that are 0 or 1, {name}"] = few / sum(map(len, rows))
        found[f"with trigonometric functions, {name}"] = sum(not _TRIGONOMETRIC.isdisjoint(tokens) for tokens in rows) / len(
            rows
        )
    return found


def functions(data: Dataset, _: np.random.Generator) -> Figures:
    """Return the share of the equations of each label that have each function."""
    counts = count_tokens(data)
    found: Figures = {}
    for label, name in _LABELS.items():
        total = max(1, int((data.label == label).sum()))
        rows = dict(zip(counts.tokens, counts.rows[:, label].tolist(), strict=True))
        found |= {f"{f.name}, {name}": rows.get(f.name, 0) / total for f in FUNCTIONS}
    return found


def leaks(data: Dataset, rng: np.random.Generator) -> Figures:
    """Return how many test labels a bag of tokens guesses, and how many test equations have a side of a training equation."""
    is_shallow = data.depth <= SHALLOW
    is_train = is_shallow & (rng.random(len(data)) < 0.8)
    train, test = data.take(is_train), data.take(~is_train)
    if len(np.unique(train.label)) < 2 or not len(test):
        return {}
    known = {side for text in train.prefix.to_pylist() for side in split_sides(text)}
    seen = np.array([not known.isdisjoint(split_sides(text)) for text in test.prefix.to_pylist()])
    guessed = guessed_from_tokens(train, test, rng)
    found: Figures = {}
    for group, here in zip(_GROUPS, (test.depth <= SHALLOW, test.depth > SHALLOW), strict=True):
        if here.any():
            share = float((test.label[here] == 1).mean())
            found[f"larger class, depth {group}"] = max(share, 1 - share)
            found[f"bag of tokens, depth {group}"] = _mean(guessed[here])
            found[f"one side seen in training, depth {group}"] = _mean(seen[here])
    return found


def label_truth(data: Dataset, rng: np.random.Generator) -> Figures:
    """Return the verdicts of the numeric check on a sample of the equations of each label."""
    found: Figures = {}
    for group, label, part in _groups(data):
        verdicts = [v.label for v in check_many(part.sample(TRUTH_ROWS, rng).iter_expressions())]
        for verdict in ("correct", "undecided", "incorrect"):
            found[f"called {_LABELS[label]}, depth {group}: {verdict}"] = verdicts.count(verdict) / len(verdicts)
    return found


def _mean(values: Array) -> float:
    return float(values.mean())
