"""HeldOut: the equations that a stream leaves out, such as those of validation and test, in whatever way they are written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.data import Dataset
from treesmu.expr import Expr, from_prefix

from ..columns import EquationColumns
from ..fingerprint import fingerprints, prefix_fingerprints
from ..textbook.spelling import PlainMemo, plain_spelling

_DEEPER = 2  # levels by which another spelling can be deeper than the plain one: 1/x^2 and x^(-2)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Fingerprints of equations. Those that a user names are left out in other spellings too: 1/x for x^(-1)."""

    fingerprints: NDArray[np.uint64]  # ascending
    plain: NDArray[np.uint64]  # ascending, of the plain spellings of those that a user names
    deepest: int  # depth of these

    @classmethod
    def of(cls, corpus: Iterable[Dataset], named: Iterable[Expr] = ()) -> HeldOut:
        """Return the fingerprints of equations of a corpus, in some splits, and of those that a user names."""
        memo: PlainMemo = {}
        given = [e for e in named if e.is_equation]
        plain = [plain_spelling(e, memo) for e in given]
        exact = np.concatenate([fingerprints(given), *(prefix_fingerprints(rows.prefix) for rows in corpus)])
        return cls(np.unique(exact), np.unique(fingerprints(plain)), max((e.depth for e in plain), default=0))

    def __len__(self) -> int:
        return len(self.fingerprints)

    def identity(self) -> dict[str, Any]:
        """Return how many fingerprints there are, and their checksum."""
        digest = hashlib.sha256(self.fingerprints.tobytes() + self.plain.tobytes()).hexdigest()
        return {"equations": len(self), "sha256": digest}

    def allowed(self, rows: EquationColumns) -> NDArray[np.bool_]:
        """Return for each row whether it is none of these equations, (rows,)."""
        allowed = ~_contained(np.array(rows.fingerprint, np.uint64), self.fingerprints)
        if len(self.plain):
            near = np.flatnonzero(allowed & (np.array(rows.depth) <= self.deepest + _DEEPER)).tolist()
            memo: PlainMemo = {}
            plain = fingerprints(plain_spelling(from_prefix(rows.prefix[i].split()), memo) for i in near)
            allowed[near] = ~_contained(plain, self.plain)
        return allowed


def _contained(values: NDArray[np.uint64], ordered: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which values are among the ordered ones."""
    if not len(ordered):
        return np.zeros(len(values), bool)
    places = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    return np.asarray(ordered[places] == values)
