"""Reading: how the labels of trees become symbols of a vocabulary, as learned from training rows; stored with the weights."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError

from ..trees.vocab import Vocab, shorten_list
from .table import PAIR, TreeTable

Array = NDArray[Any]
Numbers = Literal["auto", "symbols", "values"]

UNKNOWN = "<unknown>"
EQUALITY = "<pair>"  # the node above two trees
PART = " <part>"  # after the name of a function: the node that holds some of many children
LARGEST_NUMBER = 1e100  # of a leaf that is read as a value; squares of larger ones could overflow
FEW_NUMBERS = 64  # different numbers among the leaves of training, up to which they are symbols
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def number_of(label: str) -> float | None:
    """Return the value of a label that is a finite number, otherwise None."""
    value = float(label) if _NUMBER.fullmatch(label) else math.nan
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class Reading:
    """The vocabulary, and the rules for labels that it does not have.

    mean, scale: of numbers, which are standardised before the number encoder; used if the vocabulary has numbers.
    """

    vocab: Vocab
    mean: float = 0.0
    scale: float = 1.0

    @classmethod
    def learn(cls, table: TreeTable, numbers: Numbers = "auto", rare: int = 2, most_children: int = 8) -> Reading:
        """Make the reading of training rows.

        numbers: whether leaves that are numbers are symbols or values. rare: labels that occur less often are unknown.
        most_children: a node with more is folded.
        """
        _refuse_reserved(table)
        is_leaf = table.arity == 0
        labels, values = table.labels, np.array([number_of(label) for label in table.labels], float)
        leaves = np.bincount(table.token[is_leaf], minlength=len(labels))
        is_number = (leaves > 0) & ~np.isnan(values)
        by_value = numbers == "values" or (numbers == "auto" and int(is_number.sum()) > FEW_NUMBERS)
        as_value = is_number & by_value
        known = [label for label, count, other in zip(labels, leaves, as_value, strict=True) if count >= rare and not other]
        some_are_rare = bool(((leaves > 0) & (leaves < rare) & ~as_value).any())
        kept = (*sorted(known), *([UNKNOWN] if some_are_rare or not known else []))
        functions = _functions(table, rare, most_children)
        equality = EQUALITY if table.is_pairs else None  # variadic: other rows may have nodes with fewer children
        vocab = Vocab(tuple(functions), tuple(functions.values()), kept, equality, bool(by_value), variadic=True)
        if not as_value.any():
            return cls(vocab)
        weights = leaves[as_value] / leaves[as_value].sum()
        if float(np.abs(values[as_value]).max()) > LARGEST_NUMBER:
            remedy = "divide all of them, or read them as symbols: --set numbers=symbols"
            raise DataError(f"{table.source}: leaves have numbers larger than {LARGEST_NUMBER:g}; {remedy}")
        mean = float((weights * values[as_value]).sum())
        spread = float((weights * (values[as_value] - mean) ** 2).sum()) ** 0.5
        return cls(vocab, mean, spread or 1.0)

    def to_dict(self) -> dict[str, Any]:
        """Return what is stored beside the vocabulary, as plain JSON."""
        return {"mean": self.mean, "scale": self.scale}

    @classmethod
    def from_dict(cls, vocab: Vocab, data: Mapping[str, Any]) -> Reading:
        """Make a reading from what :meth:`to_dict` returns. A faulty record is a ValueError."""
        mean, scale = float(data["mean"]), float(data["scale"])
        if not (math.isfinite(mean) and math.isfinite(scale) and scale > 0):
            raise ValueError(f"the mean {mean} and the scale {scale} of numbers are not usable")
        return cls(vocab, mean, scale)

    # -- symbols ---------------------------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> tuple[dict[str, int], dict[str, int]]:
        return tuple({name: i for i, name in enumerate(names)} for names in (self.vocab.functions, self.vocab.leaves))  # type: ignore[return-value]

    def part_of(self, function: int) -> int:
        """Return the function that holds some of the children of a node of this function."""
        return self._places[0].get(self.vocab.functions[function] + PART, function)

    def symbols(self, table: TreeTable) -> tuple[Array, list[str]]:
        """Return the symbol of each node, (nodes,) int32, and the tokens of leaves by symbol minus the number of functions.

        -1 is the node above two trees, then come functions, leaves, and the numbers of this table. A label that cannot be read
        is a DataError.
        """
        functions, leaves = self._places
        tokens = list(self.vocab.leaves)
        is_leaf, used = table.arity == 0, np.zeros((2, len(table.labels)), bool)
        used[1, table.token[is_leaf]] = True
        used[0, table.token[~is_leaf & (table.token != PAIR)]] = True
        symbol = np.full((2, len(table.labels) + 1), PAIR, np.int64)  # of functions and of leaves; the last one is that of PAIR
        for label in np.flatnonzero(used[0]).tolist():
            found = functions.get(table.labels[label], functions.get(UNKNOWN))
            symbol[0, label] = self._raise(table, label, False, "") if found is None else found
        for label in np.flatnonzero(used[1]).tolist():
            name = table.labels[label]
            place = leaves.get(name)
            if place is None and self.vocab.numbers and (value := number_of(name)) is not None:
                place = len(tokens)
                tokens.append(np.format_float_positional(value, trim="0"))
            place = leaves.get(UNKNOWN) if place is None else place
            symbol[1, label] = self._raise(table, label, True, "") if place is None else len(functions) + place
        found = symbol[is_leaf.astype(int), table.token]
        arities = np.array([*self.vocab.arities, 0, 0])  # leaves share an entry, the last one is that of a pair
        is_narrow = (arities[np.minimum(found, len(functions))] == 1) & (table.arity > 1)  # which cannot be folded
        if is_narrow.any():
            first = int(table.token[np.flatnonzero(is_narrow)[0]])
            unknown = functions.get(UNKNOWN)
            found[is_narrow] = self._raise(table, first, False, " with several children") if unknown is None else unknown
        return found.astype(np.int32), tokens

    def _raise(self, table: TreeTable, label: int, is_leaf: bool, what: str) -> int:
        is_here = (table.token == label) & ((table.arity == 0) == is_leaf) & ((table.arity > 1) | (what == ""))
        where = table.where(int(np.searchsorted(table.starts, np.flatnonzero(is_here)[0], side="right")) - 1)
        kind, names = ("leaf", self.vocab.leaves) if is_leaf else ("function", self.vocab.functions)
        remedy = "training had no rare labels to learn unknown ones from; leave the row out, or train with such labels"
        raise DataError(f"{where}: unknown {kind} {table.labels[label]!r}{what}; known: {shorten_list(names)}; {remedy}")


def _refuse_reserved(table: TreeTable) -> None:
    """Raise a DataError for a label that has a meaning of its own in a vocabulary."""
    for place, label in enumerate(table.labels):
        if label in (UNKNOWN, EQUALITY) or label.endswith(PART):
            nodes = np.flatnonzero(table.token == place)
            if len(nodes):
                where = table.where(int(np.searchsorted(table.starts, nodes[0], side="right")) - 1)
                raise DataError(f"{where}: the label {label!r} is reserved for labels that treesmu makes; rename it")


def _functions(table: TreeTable, rare: int, most_children: int) -> dict[str, int]:
    """Return the functions of training rows with their largest numbers of children, but at most most_children."""
    inner = (table.arity > 0) & (table.token != PAIR)
    count = np.bincount(table.token[inner], minlength=len(table.labels))
    most = np.zeros(len(table.labels), np.int64)
    np.maximum.at(most, table.token[inner], table.arity[inner])
    found: dict[str, int] = {}
    for label in sorted(np.flatnonzero(count >= rare).tolist(), key=table.labels.__getitem__):
        name = table.labels[label]
        found[name] = min(int(most[label]), most_children)
        if most[label] > most_children:
            found[name + PART] = most_children
    if ((count > 0) & (count < rare)).any():
        found[UNKNOWN] = most_children
    return found
