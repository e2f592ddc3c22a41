"""Propositional logic (Bowman, Manning and Potts, 2015): the relation between two formulas over six variables, one of seven.

The relations are those of MacCartney and Manning (2009), between the sets of truth assignments that satisfy the formulas:
``=`` equal, ``<`` and ``>`` one in the other, ``^`` complements, ``|`` disjoint, ``v`` together everything, ``#`` none of
these. Labels are computed exactly, by truth tables. The number of operators (not, and, or) of a pair is that of the formula
with more of them. Formulas are about at most four of the six variables at a time: otherwise nearly all pairs would be ``#``.
What differs from the original: at most a third of the pairs are ``#``, and there are as many pairs of every number of
operators.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from .values import value_of
from .write import Row, split_of, to_text

VARIABLES = tuple("abcdef")
ASSIGNMENTS = 1 << len(VARIABLES)
EVERYTHING = (1 << ASSIGNMENTS) - 1
NOT_SHARE = 1 / 3  # of operators
INDEPENDENT_SHARE = 1 / 3  # the largest, of pairs in the class #
MOST_TRIES = 20_000  # in vain, before there are no more pairs


@dataclass(frozen=True)
class LogicSettings:
    """How many pairs there are for each number of operators, and which numbers.

    train_operators: of training and validation; test_operators: of the test.
    """

    train: int = 12_000  # for each number of operators
    validation: int = 500
    test: int = 500
    train_operators: tuple[int, int] = (1, 4)
    test_operators: tuple[int, int] = (1, 12)
    seed: int = 0


def rows(settings: LogicSettings) -> Iterator[Row]:
    """Yield the rows of all splits, by number of operators (``depth``); no pair is in two of them, or twice in one."""
    rng, seen = Random(f"logic {settings.seed}"), set[str]()
    trained = range(settings.train_operators[0], settings.train_operators[1] + 1)
    tested = range(settings.test_operators[0], settings.test_operators[1] + 1)
    for split, count, numbers in (
        ("train", settings.train, trained),
        ("validation", settings.validation, trained),
        ("test", settings.test, tested),
    ):
        for operators in numbers:
            yield from _pairs(rng, split, count, operators, seen, is_shared=operators in trained)


def _pairs(rng: Random, split: str, count: int, operators: int, seen: set[str], is_shared: bool) -> Iterator[Row]:
    """Yield pairs of which the larger formula has this many operators; fewer than asked for where there are not enough.

    is_shared: other splits have pairs of this size too, so that each takes its part.
    """
    found = independent = failed = 0
    while found < count and failed < MOST_TRIES:
        variables = rng.sample(VARIABLES, rng.randint(1, min(4, operators + 1)))
        sizes = [operators, rng.randint(0, operators)]
        rng.shuffle(sizes)
        left, right = (random_formula(rng, size, variables) for size in sizes)
        label = relation(truth(left), truth(right))
        text = " ".join(sorted((to_text(left), to_text(right))))  # the other way round it is the same pair
        is_elsewhere = text in seen or (is_shared and split_of(text) != split)
        if label is None or is_elsewhere or (label == "#" and independent >= count * INDEPENDENT_SHARE):
            failed += 1
            continue
        seen.add(text)
        found, independent, failed = found + 1, independent + (label == "#"), 0
        yield {"left": left, "right": right, "label": label, "depth": operators, "split": split}


def random_formula(rng: Random, operators: int, variables: list[str]) -> Any:
    """Return a formula with this many operators over some of the variables, as nested lists."""
    root: list[Any] = []
    stack = [(root, operators)]
    while stack:
        holder, count = stack.pop()
        if not count:
            holder.append(rng.choice(variables))
            continue
        node: list[Any] = []
        holder.append(node)
        if rng.random() < NOT_SHARE:
            node.append("not")
            stack.append((node, count - 1))
            continue
        node.append(rng.choice(("and", "or")))
        left = rng.randrange(count)
        stack.append((node, count - 1 - left))
        stack.append((node, left))
    return root[0]


def truth(formula: Any) -> int:
    """Return the set of truth assignments that satisfy a formula, as the bits of a number."""
    return value_of(formula, _VARIABLE_BITS.__getitem__, _apply)


def _apply(operator: str, arguments: list[int]) -> int:
    if operator == "not":
        return EVERYTHING ^ arguments[0]
    return arguments[0] & arguments[1] if operator == "and" else arguments[0] | arguments[1]


_VARIABLE_BITS = {
    name: sum(1 << assignment for assignment in range(ASSIGNMENTS) if assignment >> place & 1)
    for place, name in enumerate(VARIABLES)
}


def relation(left: int, right: int) -> str | None:
    """Return the relation of two sets of assignments; None where one is empty or everything, for which it is not defined."""
    if left in (0, EVERYTHING) or right in (0, EVERYTHING):
        return None
    if left == right:
        return "="
    is_disjoint, is_all = not left & right, (left | right) == EVERYTHING
    if is_disjoint or is_all:
        return "^" if is_disjoint and is_all else "|" if is_disjoint else "v"
    return "<" if left & right == left else ">" if left & right == right else "#"
