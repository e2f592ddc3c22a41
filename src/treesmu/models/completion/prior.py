"""ValuePrior: how often the values of fillers occur in training equations, which counts beside the logit of a model.

Bayes: how likely a filler is, given an equation with a blank, is how well it fits (the logit of the filled equation) and how
common it is. Counted are values, so that ``x + x`` counts for ``2*x``, whatever the variables are called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.data.corpus.blanks import Candidates
from treesmu.errors import DataError
from treesmu.expr import Expr, from_prefix
from treesmu.expr.numeric.value_hashes import hash_expressions

CACHED = 32  # lists of fillers whose counts are remembered
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ValuePrior:
    """A ranking adds to the logit of a filler: weight * log(1 + how often its value occurs in training)."""

    weight: float
    counts: Mapping[str, int]  # a filler of each value, in prefix form with its variables named by first occurrence -> count

    @classmethod
    def count(cls, candidates: Candidates, weight: float = 0.0) -> ValuePrior:
        """Return the prior of a corpus, from how often each class of its candidates occurs in the training equations."""
        if candidates.count is None:
            raise DataError(f"{candidates.source}: there are no counts of training equations (column 'train_count')")
        fillers = [e.canonical() for e in candidates.fillers]
        hashes = hash_expressions(fillers).tolist()
        name: dict[int, str] = {}
        for filler, value in zip(fillers, hashes, strict=True):
            name.setdefault(value, " ".join(filler.prefix()))
        # All candidates of a class have the count of the class; x and y are two classes of one value up to names.
        classes = dict(zip(zip(candidates.class_of.tolist(), hashes, strict=True), candidates.count.tolist(), strict=True))
        total: Counter[str] = Counter()
        for (_, value), count in classes.items():
            total[name[value]] += count
        return cls(weight, {prefix: count for prefix, count in total.items() if count})

    def with_weight(self, weight: float) -> ValuePrior:
        return ValuePrior(weight, self.counts)

    def bonus(self, question: Expr, fillers: Sequence[Expr]) -> Floats:
        """Return what is added to the logits of fillers in the blank of a question, (fillers,).

        A filler with a variable that does not occur in the question counts as one that does not occur in training.
        """
        log_counts, variables, used = _described(self, tuple(fillers))
        known = {v.token for v in question.variables()}
        is_new = np.array([token not in known for token in variables], bool)
        return np.where(used[:, is_new].any(axis=1), 0.0, self.weight * log_counts)

    def log_counts(self, fillers: Sequence[Expr]) -> Floats:
        """Return log(1 + count) of the value of each filler, (fillers,)."""
        hashes = hash_expressions([e.canonical() for e in fillers]).tolist()
        found: Floats = np.log1p(np.array([self._count_of.get(value, 0) for value in hashes], float))
        return found

    @cached_property
    def _count_of(self) -> dict[int, int]:
        fillers = [from_prefix(prefix.split()) for prefix in self.counts]
        return dict(zip(hash_expressions(fillers).tolist(), self.counts.values(), strict=True)) if fillers else {}

    def to_dict(self) -> dict[str, Any]:
        return {"weight": self.weight, "counts": dict(self.counts)}

    @classmethod
    def from_dict(cls, data: Any) -> ValuePrior:
        """Return the prior of a file; raise a DataError if it is damaged."""
        remedy = "fit it again with treesmu fit-prior"
        weight, counts = (data.get("weight"), data.get("counts")) if isinstance(data, dict) else (None, None)
        if not isinstance(weight, int | float) or isinstance(weight, bool) or not 0 <= weight < 1e300:  # JSON has larger ones
            raise DataError(f"the prior: its weight must be a number of at least 0; {remedy}")
        if not isinstance(counts, dict) or not all(type(n) is int and 0 < n < 2**53 for n in counts.values()):
            raise DataError(f"the prior: its counts must be whole numbers above 0; {remedy}")
        try:
            for prefix in counts:
                from_prefix(prefix.split())
        except ValueError as error:
            raise DataError(f"the prior: {error}; {remedy}") from error
        return cls(float(weight), counts)


@lru_cache(maxsize=CACHED)
def _described(prior: ValuePrior, fillers: tuple[Expr, ...]) -> tuple[Floats, list[str], NDArray[np.bool_]]:
    """Return the log counts of fillers, the variables that occur in them, and which occur in which: (fillers, variables)."""
    of_fillers = [{v.token for v in e.variables()} for e in fillers]
    variables = sorted(set().union(*of_fillers))
    used = np.array([[token in tokens for token in variables] for tokens in of_fillers], bool)
    return prior.log_counts(fillers), variables, used.reshape(len(fillers), len(variables))
