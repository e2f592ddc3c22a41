"""ListOps (Nangia and Bowman, 2018): nested MAX, MIN, MED and SM (the sum modulo 10) of digits; the class is the value.

Trees are drawn as in the original: a list has 2 to 5 arguments, an argument is a list with probability 1/4 and otherwise a
digit, nothing is deeper than 20, no tree occurs twice, and the median of an even number of arguments is rounded down. What
differs: the arguments are the children of their operator, whereas the original trees are binary trees over tokens; single
digits are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from treesmu.errors import DataError

from .values import value_of
from .write import Row, to_text

OPERATORS = ("MAX", "MIN", "MED", "SM")
LIST_SHARE = 0.25
MOST_ARGUMENTS = 5
DEEPEST = 20
MOST_TRIES = 100_000  # draws of one tree, before a depth counts as impossible


@dataclass(frozen=True)
class ListOpsSettings:
    """How many trees of each split there are, and which depths.

    train_depths: of training and validation. test_depths: of the test; (0, 0): as they are drawn, like the original test.
    """

    train: int = 90_000
    validation: int = 5_000
    test: int = 10_000  # in all, or of each depth if test_depths are given
    train_depths: tuple[int, int] = (1, DEEPEST)
    test_depths: tuple[int, int] = (0, 0)
    seed: int = 0


def rows(settings: ListOpsSettings) -> Iterator[Row]:
    """Yield the rows of all splits; no tree is in two of them, or twice in one."""
    rng, seen = Random(f"listops {settings.seed}"), set[str]()
    for split, count in (("train", settings.train), ("validation", settings.validation)):
        for _ in range(count):
            yield _row(rng, split, settings.train_depths, seen)
    low, high = settings.test_depths
    for depths in [(depth, depth) for depth in range(low, high + 1)] if high else [(1, DEEPEST)]:
        for _ in range(settings.test):
            yield _row(rng, "test", depths, seen)


def _row(rng: Random, split: str, depths: tuple[int, int], seen: set[str]) -> Row:
    for _ in range(MOST_TRIES):
        tree = random_tree(rng, depths[1], depths[0] if depths[0] == depths[1] else 0)
        depth = depth_of(tree)
        if depths[0] <= depth <= depths[1] and (text := to_text(tree)) not in seen:
            seen.add(text)
            return {"tree": tree, "label": value(tree), "depth": depth, "split": split}
    raise DataError(f"there are too few different trees of depth {depths[0]}-{depths[1]}; ask for fewer")


def random_tree(rng: Random, deepest: int, height: int = 0) -> list[Any]:
    """Return a list. deepest: its largest depth. height: if it is given, one branch is drawn that is at least so deep."""
    tree: list[Any] = []
    stack = [(tree, 1, True)]  # lists without arguments, their depths, and whether they are on that branch
    while stack:
        node, depth, is_long = stack.pop()
        count = rng.randint(2, MOST_ARGUMENTS)
        long_at = rng.randrange(count) if is_long and depth < height else -1
        node.append(rng.choice(OPERATORS))
        for place in range(count):
            if place == long_at or (depth < deepest and rng.random() < LIST_SHARE):
                below: list[Any] = []
                node.append(below)
                stack.append((below, depth + 1, place == long_at))
            else:
                node.append(rng.randrange(10))
    return tree


def depth_of(tree: Any) -> int:
    """Return the depth of a tree of lists: 0 for a digit."""
    deepest, stack = 0, [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        if isinstance(node, list):
            stack.extend((child, depth + 1) for child in node[1:])
    return deepest


def value(tree: Any) -> int:
    """Return the value of a tree, a digit."""
    return value_of(tree, int, apply)


def apply(operator: str, arguments: list[int]) -> int:
    """Return the digit that an operator makes of digits."""
    if operator == "MAX":
        return max(arguments)
    if operator == "MIN":
        return min(arguments)
    if operator == "SM":
        return sum(arguments) % 10
    ordered, middle = sorted(arguments), len(arguments) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) // 2
