"""Screen: which fillers of a blank are worth reading at all points, for a model that reads variables at many points.

All fillers are read at the first few of the model's points, the best of them at some more. Of the best of these a few of each
value are chosen: a person sees one filler of each value, and equal ones would leave no place for others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from treesmu.data import Forest
from treesmu.data.corpus.blanks import path_of_blank
from treesmu.expr import Expr
from treesmu.expr.numeric.value_hashes import hash_expressions

from ..verifier import Verifier, as_numpy
from .path import FillerPaths, PathStep
from .scoring import first_leaf

FIRST, MORE = 2, 12  # points at which all fillers are read, and the best of them
TIMES = 5  # as many fillers as are chosen are read at more points
PER_VALUE = 4  # fillers of one value that are chosen

Numbers = NDArray[np.int64]
Floats = NDArray[np.floating[Any]]


class Screen:
    """Some fillers with their states at the first points of a tree model. It is valid until the weights change."""

    def __init__(self, model: Verifier, fillers: Sequence[Expr]) -> None:
        self.model, self.fillers = model, tuple(fillers)
        self.lock = Lock()  # for the threads of a server, because all questions use the same buffers
        with model.evaluation_mode():
            self.paths = FillerPaths(model.encoder, self._forest(self.fillers))
        self.values = hash_expressions(self.fillers).tolist()  # equal for fillers of equal value

    def _forest(self, exprs: Sequence[Expr]) -> Forest:
        forest: Forest = self.model.encoder.at_points(Forest.from_exprs(exprs, self.model.vocab), MORE)
        return forest

    def best(self, question: Expr, bonus: Floats, most: int) -> Numbers:
        """Return the numbers of the best fillers, at most ``most``. bonus: (fillers,) what is added to their logits."""
        side, *path = path_of_blank(question)
        forest = self._forest([question.replace((side, *path), first_leaf(self.fillers[0]))])
        roots = forest.roots[0]  # (2, points)
        with self.lock, self.model.evaluation_mode():
            known = self.model.encoder.states_and_memories(forest)
            steps = [self.paths.steps(forest, known, root, tuple(path)) for root in roots[side].tolist()]
            other = known[0][torch.from_numpy(roots[1 - side])]  # (points, n)
            chosen, states = np.arange(len(self.fillers)), other.new_empty(len(self.fillers), 0)
            for points, kept in ((range(FIRST), TIMES * most), (range(FIRST, MORE), len(self.fillers))):
                states = torch.cat([states, *(self._up(steps[k], k, chosen) for k in points)], dim=1)
                logits = self._logits(states, other[: points.stop].flatten(), is_left=side == 0)
                order = np.argsort(-(logits + bonus[chosen]), kind="stable")[:kept]
                chosen, states = chosen[order], states[torch.from_numpy(order)]
        return self._few_of_each_value(chosen)[:most]

    def _up(self, steps: list[PathStep], point: int, chosen: Numbers) -> Tensor:
        """Return the states of the side with each of the chosen fillers at a point, (chosen, n)."""
        only = torch.from_numpy(self.paths.place[chosen]).to(self.paths.h.device)
        portions = self.paths.up(steps, self.paths.implementation(1), point, only)
        return torch.cat([states.clone() for states in portions])

    def _logits(self, states: Tensor, other: Tensor, is_left: bool) -> Floats:
        pair = states, other.expand_as(states)
        return as_numpy(self.model.head(*(pair if is_left else pair[::-1])))

    def _few_of_each_value(self, chosen: Numbers) -> Numbers:
        seen: Counter[int] = Counter()
        found = []
        for i in chosen.tolist():
            seen[self.values[i]] += 1
            if seen[self.values[i]] <= PER_VALUE:
                found.append(i)
        return np.array(found)
