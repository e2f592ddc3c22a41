"""Templates of textbook equations: lines of ``identities.txt`` and ``slips.txt``, in which letters stand for whole numbers.

``x^m*x^n = x^{m + n}``: m, n and k are whole numbers, and ``{...}`` is a number computed from them. ``f(x + x) = f(2*x) for sin
cos``: f is each of these functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from itertools import product

from treesmu.data.trees.vocab import DEFAULT_LEAVES
from treesmu.expr import Expr, leaf, parse
from treesmu.expr.ops import ADD, MUL

WHOLE_NUMBERS = range(2, 7)  # what m, n and k stand for
_LETTERS = tuple(leaf(name) for name in "mnk")
_KNOWN = frozenset(DEFAULT_LEAVES)  # numbers that every model knows


@dataclass(frozen=True)
class Template:
    """An equation, or another expression, in which letters stand for numbers."""

    equation: Expr
    letters: tuple[Expr, ...]  # of m, n and k, those that occur
    computed: tuple[tuple[Expr, Expr], ...]  # (the leaf in its place, what is computed)

    def with_numbers(self, numbers: Sequence[int]) -> Expr | None:
        """Return the equation for these values of the letters; None if a number is one that models do not know, or 0 or 1."""
        values = dict(zip(self.letters, map(Fraction, numbers), strict=True))
        found = {**values, **{place: _exact(e, values) for place, e in self.computed}}
        if any(str(value) not in _KNOWN or value in (0, 1) for value in found.values()):
            return None
        return self.equation.substitute({place: leaf(str(value)) for place, value in found.items()})

    def all(self) -> Iterator[Expr]:
        """Yield the equation for all numbers that fit."""
        for numbers in product(WHOLE_NUMBERS, repeat=len(self.letters)):
            if (found := self.with_numbers(numbers)) is not None:
                yield found


@cache
def read_templates(name: str) -> tuple[tuple[Template, ...], ...]:
    """Return the templates of each line of ``identities.txt`` or ``slips.txt``: one, or one for each function."""
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return tuple(_read_line(line) for line in lines if line)


def _read_line(line: str) -> tuple[Template, ...]:
    pattern, _, functions = line.partition(" for ")
    return tuple(read_template(re.sub(r"\bf\(", f"{name}(", pattern)) for name in functions.split() or ["f"])


def read_template(text: str) -> Template:
    """Return the template of a text without functions to choose from."""
    parts = re.split(r"\{([^}]*)\}", text)  # texts, and between them what is computed
    computed = tuple((leaf(f"c_{i}"), parse(part)) for i, part in enumerate(parts[1::2]))
    places = [f"({place})" for place, _ in computed] + [""]
    e = parse("".join(f"{before}{place}" for before, place in zip(parts[::2], places, strict=True)))
    used = {v for each in (e, *(part for _, part in computed)) for v in each.variables()}
    return Template(e, tuple(letter for letter in _LETTERS if letter in used), computed)


def _exact(e: Expr, values: dict[Expr, Fraction]) -> Fraction:
    """Return the exact value of an expression of sums, products and powers with whole exponents."""
    if e.is_leaf:
        found = values.get(e, e.number)
        assert found is not None, f"{e} is no number"
        return found
    first, second = (_exact(c, values) for c in e.children)
    if e.op in (ADD, MUL):
        return first + second if e.op is ADD else first * second
    assert second.denominator == 1
    return first**second.numerator
