"""Arithmetic: the value of a boolean formula (and, or, xor, not of 0 and 1) or of sums and products modulo a number.

Trees of any depth, with as many of each class at every depth. Networks on trees have been asked to evaluate nested arithmetic
since Hupkes, Veldhoen and Zuidema (2018) at least; the generator and its settings are our own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from treesmu.errors import DataError

from .values import value_of
from .write import Row, split_of, to_text

MOST_TRIES = 3_000  # in vain, before there are no more trees
BRANCH_SHARE = 0.5  # of the arguments beside the longest branch that are no leaves
BOOLEAN: dict[str, tuple[int, Callable[..., int]]] = {
    "and": (2, lambda a, b: a & b),
    "or": (2, lambda a, b: a | b),
    "xor": (2, lambda a, b: a ^ b),
    "not": (1, lambda a: 1 - a),
}


@dataclass(frozen=True)
class ArithmeticSettings:
    """How many trees of each depth there are, and which depths.

    modulus: 2 for boolean formulas; otherwise the number of digits of sums, differences and products modulo it.
    """

    modulus: int = 2
    train: int = 4_000  # of each depth
    validation: int = 200
    test: int = 500
    train_depths: tuple[int, int] = (1, 6)
    test_depths: tuple[int, int] = (1, 14)
    seed: int = 0


def operators(modulus: int) -> dict[str, tuple[int, Callable[..., int]]]:
    """Return the operators with their numbers of arguments and what they compute."""
    if modulus == 2:
        return BOOLEAN
    return {
        "+": (2, lambda a, b: (a + b) % modulus),
        "-": (2, lambda a, b: (a - b) % modulus),
        "*": (2, lambda a, b: (a * b) % modulus),
    }


def rows(settings: ArithmeticSettings) -> Iterator[Row]:
    """Yield the rows of all splits, depth by depth, with the classes in turn; no tree is in two of them, or twice in one."""
    if settings.modulus < 2:
        raise DataError(f"modulus is at least 2, not {settings.modulus}")
    rng, seen = Random(f"arithmetic {settings.modulus} {settings.seed}"), set[str]()
    trained = range(settings.train_depths[0], settings.train_depths[1] + 1)
    tested = range(settings.test_depths[0], settings.test_depths[1] + 1)
    for split, count, depths in (
        ("train", settings.train, trained),
        ("validation", settings.validation, trained),
        ("test", settings.test, tested),
    ):
        for depth in depths:
            yield from _trees(rng, settings.modulus, split, count, depth, seen, is_shared=depth in trained)


def _trees(rng: Random, modulus: int, split: str, count: int, depth: int, seen: set[str], is_shared: bool) -> Iterator[Row]:
    """Yield as many trees of every class; at depths with few different ones fewer than asked for.

    is_shared: other splits have trees of this depth too, so that each takes its part.
    """
    known = operators(modulus)
    for _ in range(count // modulus):
        found = []
        for wanted in range(modulus):
            for _ in range(MOST_TRIES):
                tree = random_tree(rng, known, modulus, depth)
                text = to_text(tree)
                if text in seen or (is_shared and split_of(text) != split):
                    continue
                if value(tree, known) == wanted:
                    seen.add(text)
                    found.append({"tree": tree, "label": wanted, "depth": depth, "split": split})
                    break
        if len(found) < modulus:  # not enough: the classes stay balanced
            return
        yield from found


def random_tree(rng: Random, known: dict[str, Any], modulus: int, depth: int) -> Any:
    """Return a tree of exactly this depth, as nested lists; other branches are at most as deep."""
    if not depth:
        return rng.randrange(modulus)
    root: list[Any] = []
    stack = [(root, depth, True)]
    names = list(known)
    while stack:
        holder, height, is_long = stack.pop()
        if not height or (not is_long and rng.random() > BRANCH_SHARE):
            holder.append(rng.randrange(modulus))
            continue
        name = rng.choice(names)
        node: list[Any] = [name]
        holder.append(node)
        arity = known[name][0]
        long_at = rng.randrange(arity) if is_long else -1
        stack.extend((node, height - 1, place == long_at) for place in reversed(range(arity)))
    return root[0]


def value(tree: Any, known: dict[str, Any]) -> int:
    """Return the value of a tree."""
    return value_of(tree, int, lambda name, arguments: int(known[name][1](*arguments)))
