"""Vocab: the functions and the leaves that a model knows, and their ids; labels and arities are arbitrary.

Functions and leaves are numbered separately, each from 0. A decimal that is not a leaf of the vocabulary has the id after the
last leaf, ``<number>``; its value goes to the number encoder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Any

from treesmu.errors import DataError
from treesmu.expr import EQUALITY, FUNCTIONS, VARIABLES, leaf

from .nested_tuples import label_of, list_of_trees
from .prefix_strings import pieces_of, split_tokens

NUMBER = "<number>"
RATIONALS = (
    "1/2 -1/2 1/3 -1/3 2/3 -2/3 1/4 -1/4 3/4 -3/4 3/2 -3/2 4/3 5/2 5/3 5/4 1/5 2/5 3/5 4/5 1/6 5/6 1/8 1/9 1/10 1/12"
).split()
DEFAULT_LEAVES = (*VARIABLES, *map(str, range(-10, 13)), "16", "100", *RATIONALS, "pi", "e")
MATHEMATICS = {f.name: f.arity for f in FUNCTIONS}
SHOWN = 12  # known names in an error message


@dataclass(frozen=True)
class Vocab:
    """Ids of functions and leaves. ``functions[i]`` takes ``arities[i]`` arguments; functions are sorted by arity.

    equality: the function that only occurs at a root and pairs the two sides of an equation. It has no weights, hence no id.
    numbers: whether decimals that are not leaves are read, as ``<number>``.
    variadic: a function may have fewer arguments than its arity, such as ``MAX`` in ListOps; absent arguments have states of
    zeros.
    """

    functions: tuple[str, ...]
    arities: tuple[int, ...]
    leaves: tuple[str, ...]
    equality: str | None = None
    numbers: bool = False
    variadic: bool = False

    def __post_init__(self) -> None:
        for name in ("functions", "arities", "leaves"):
            given, type_ = getattr(self, name), int if name == "arities" else str
            if isinstance(given, str) or not isinstance(given, Iterable) or not all(type(x) is type_ for x in given):
                what = "whole numbers" if name == "arities" else "strings"
                raise ValueError(f"the {name} of a vocabulary are a tuple of {what}, not {given!r:.60}")
            object.__setattr__(self, name, tuple(given))
        if not isinstance(self.equality, str | None):
            raise ValueError(f"the equality of a vocabulary is the name of a function, or None, not {self.equality!r:.60}")
        for name in ("numbers", "variadic"):
            if type(getattr(self, name)) is not bool:
                raise ValueError(f"{name} must be True or False, not {getattr(self, name)!r:.60}")
        if len(self.functions) != len(self.arities) or any(a < 1 for a in self.arities):
            raise ValueError("every function needs an arity of at least 1; what has no arguments is a leaf")
        for kind, names in (("function", self.functions), ("leaf", self.leaves)):
            if len(set(names)) < len(names):
                twice = next(name for i, name in enumerate(names) if name in names[:i])
                raise ValueError(f"the {kind} {twice!r} is in the vocabulary twice")
        if NUMBER in self.leaves:
            raise ValueError(f"{NUMBER} cannot be a leaf of a vocabulary: it stands for decimals")
        if self.equality in self.functions:
            raise ValueError(f"{self.equality!r} cannot be the equality and an ordinary function too")
        # In the order of arity, the nodes of one height that have a k-th child are consecutive, as a pass over a forest needs.
        pairs = sorted(zip(self.functions, self.arities, strict=True), key=lambda pair: pair[1])
        object.__setattr__(self, "functions", tuple(name for name, _ in pairs))
        object.__setattr__(self, "arities", tuple(arity for _, arity in pairs))

    # -- construction and storage ------------------------------------------------------------------------------------

    @classmethod
    def default(cls) -> Vocab:
        """Return the vocabulary of mathematics: all functions, the equality, ten variables, small numbers, pi, e, decimals."""
        return cls(tuple(MATHEMATICS), tuple(MATHEMATICS.values()), DEFAULT_LEAVES, EQUALITY.name, numbers=True)

    @classmethod
    def from_tokens(
        cls,
        tokens: Iterable[str],
        functions: Mapping[str, int] | None = None,  # name -> arity; None: those of mathematics
        equality: str | None = EQUALITY.name,
        numbers: bool = True,
    ) -> Vocab:
        """Make leaves of all tokens that are neither functions nor decimals, in the order of first occurrence."""
        if isinstance(tokens, str) or not isinstance(tokens, Iterable):
            raise ValueError(f"tokens must be a list of strings, not {tokens!r:.60}")
        functions = MATHEMATICS if functions is None else functions
        if not isinstance(functions, Mapping):
            raise ValueError(f"functions must be a dictionary of names to arities, such as {{'MAX': 2}}, not {functions!r:.60}")
        equality = None if equality in functions else equality
        found = dict.fromkeys(t for t in tokens if t not in functions and t != equality)
        leaves = tuple(t for t in found if not (numbers and decimal_value(t) is not None))
        return cls(tuple(functions), tuple(functions.values()), leaves, equality, numbers)

    @classmethod
    def from_prefix(cls, texts: Any, functions: Mapping[str, int] | None = None, numbers: bool = True) -> Vocab:
        """Make the vocabulary of the prefix strings of a corpus (a pyarrow array or a list), with sorted leaves."""
        found: set[str] = set()
        for _, piece in pieces_of(texts):
            found.update(split_tokens(piece)[0])
        return cls.from_tokens(sorted(found - {""}), functions, numbers=numbers)

    def extended(self, texts: Any) -> Vocab:
        """Return the vocabulary with the leaves of prefix strings that it lacks, sorted, after its own; decimals need none."""
        found = type(self).from_prefix(texts, dict(zip(self.functions, self.arities, strict=True)), self.numbers)
        new = [leaf for leaf in found.leaves if leaf not in self._leaves and leaf != self.equality]
        return replace(self, leaves=(*self.leaves, *new)) if new else self

    @classmethod
    def from_trees(cls, trees: Iterable[Any], numbers: bool = False) -> Vocab:
        """Make the vocabulary of nested tuples such as ``("MAX", "2", ("MIN", "4", "7"))``.

        A label with children is a function; its arity is the largest number of its children. If the number of children of a
        function varies, the vocabulary is variadic.
        """
        arities: dict[str, set[int]] = {}
        leaves: dict[str, None] = {}
        for row, tree in enumerate(list_of_trees(trees)):
            stack = [tree]
            while stack:
                label, children = label_of(stack.pop(), row)
                if children:
                    arities.setdefault(label, set()).add(len(children))
                elif not (numbers and decimal_value(label) is not None):
                    leaves[label] = None
                stack.extend(reversed(children))
        variadic = any(len(found) > 1 for found in arities.values())
        return cls(tuple(arities), tuple(map(max, arities.values())), tuple(leaves), None, numbers, variadic)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and strings for JSON. Functions are a list of pairs, because their order gives the ids."""
        functions = [list(pair) for pair in zip(self.functions, self.arities, strict=True)]
        data: dict[str, Any] = {"functions": functions, "leaves": list(self.leaves)}
        return data | {"equality": self.equality, "numbers": self.numbers, "variadic": self.variadic}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Vocab:
        """Make a vocabulary from what :meth:`to_dict` returns."""
        names, arities = [str(name) for name, _ in data["functions"]], [int(arity) for _, arity in data["functions"]]
        flags = bool(data["numbers"]), bool(data.get("variadic", False))
        return cls(tuple(names), tuple(arities), tuple(data["leaves"]), data["equality"], *flags)

    # -- lookup ------------------------------------------------------------------------------------------------------

    @cached_property
    def _functions(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.functions)}

    @cached_property
    def _leaves(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.leaves)}

    @property
    def number_id(self) -> int:
        """The leaf id of ``<number>``, one after the last leaf; an embedding has ``len(leaves)`` rows."""
        return len(self.leaves)

    def arity(self, function: str) -> int:
        """Return the number of arguments of a function."""
        return self.arities[self.function_id(function)]

    def function_id(self, name: str) -> int:
        """Return the id of a function."""
        if name not in self._functions:
            raise DataError(f"unknown function {name!r}; known: {shorten_list(self.functions)}")
        return self._functions[name]

    def leaf_id(self, token: str) -> int:
        """Return the id of a leaf; :attr:`number_id` for a decimal that is not a leaf of the vocabulary."""
        if token in self._leaves:
            return self._leaves[token]
        if self.number_value(token) is None:
            raise DataError(f"unknown leaf {token!r}; known: {shorten_list(self.leaves)}{', and decimals' * self.numbers}")
        return self.number_id

    def number_value(self, token: str) -> float | None:
        """Return the value of a decimal that is not a leaf, for the number encoder; None for anything else."""
        return decimal_value(token) if self.numbers and token not in self._leaves else None


def decimal_value(token: str) -> float | None:
    """Return the value of a decimal such as ``-0.25``; None for other tokens and for values too large for a float."""
    if "." not in token:
        return None
    try:
        value = float(leaf(token).token)  # leaf() is strict about the notation: no "1e5", no "nan"
    except ValueError:
        return None
    return value if isfinite(value) else None


def shorten_list(names: tuple[str, ...]) -> str:
    """Return the first names and how many there are, for an error message."""
    more = f", ... ({len(names)} in all)" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def check_vocab(vocab: object) -> Vocab:
    """Return a vocabulary; raise a TypeError if it is something else."""
    if not isinstance(vocab, Vocab):
        raise TypeError(f"vocab must be a Vocab, such as Vocab.from_trees(trees), not {vocab!r:.60}")
    return vocab
