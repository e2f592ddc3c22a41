"""Scorer: the logits of an equation with each of many fillers in its blank, for every kind of model.

Tree models compute each filler once and then only the path from the blank to the root (path.py). All other models read the
filled equations completely; within a batch the side without the blank is computed once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from treesmu.data import Forest
from treesmu.data.corpus.blanks import path_of_blank
from treesmu.errors import DataError
from treesmu.expr import BLANK, Expr, TreePath

from ..forest.encoder import TreeEncoder
from ..forest.implementation import Implementation
from ..verifier import Verifier, as_numpy
from .path import FillerPaths, Portions

Scores = NDArray[np.floating[Any]]
QUESTIONS = 128  # questions whose sub-trees beside the path are computed together
ROWS = 512  # filled equations per batch, where they are read completely


class Scorer(ABC):
    """Scores fillers in the blanks of any number of questions. It is valid until the weights of the model change."""

    def __init__(self, model: Verifier, fillers: Sequence[Expr]) -> None:
        if not fillers:
            raise DataError("there are no candidates to fill the blank; give at least one")
        self.model, self.fillers = model, tuple(fillers)

    @abstractmethod
    def scores(self, questions: Sequence[Expr]) -> Iterator[Scores]:
        """Yield the logits of all fillers, (fillers,), for each question in order."""


class WholeEquationScorer(Scorer):
    """Reads every filled equation completely; identical fillers once.

    Filled equations are made as prefix strings, because making Expr objects for all of them takes twenty times as long.
    """

    def __init__(self, model: Verifier, fillers: Sequence[Expr]) -> None:
        super().__init__(model, fillers)
        place = {filler: i for i, filler in enumerate(dict.fromkeys(fillers))}
        self.place = [place[filler] for filler in fillers]  # of each filler among the distinct ones
        self.distinct = [" ".join(filler.prefix()) for filler in place]

    def scores(self, questions: Sequence[Expr]) -> Iterator[Scores]:
        for question in questions:
            path_of_blank(question)  # refuses a question without a blank or with several
            tokens = question.prefix()
            blank = tokens.index(BLANK)
            before, after = " ".join(tokens[:blank]), " ".join(["", *tokens[blank + 1 :]])
            plan = self.model.encoder.plan([f"{before} {filler}{after}" for filler in self.distinct])
            with self.model.evaluation_mode():
                logits = [as_numpy(self.model(batch)) for batch in self.model.batches(plan, ROWS)]
            yield np.concatenate(logits)[self.place]


class PathScorer(Scorer):
    """Computes every filler once, and for each question only the path from the blank to the root."""

    def __init__(self, model: Verifier, fillers: Sequence[Expr]) -> None:
        super().__init__(model, fillers)
        self.lock = Lock()  # for the threads of a server, because all questions use the same buffers
        portions: Portions = {}
        with model.evaluation_mode():
            forests = model.encoder.one_point_each(Forest.from_exprs(self.fillers, model.vocab))
            self.paths = [FillerPaths(model.encoder, forest, portions) for forest in forests]  # one for each point
        self.placeholder = first_leaf(self.fillers[0])

    def scores(self, questions: Sequence[Expr]) -> Iterator[Scores]:
        implementation = self.paths[0].implementation(len(questions))
        for start in range(0, len(questions), QUESTIONS):
            yield from self._score_together(questions[start : start + QUESTIONS], implementation)

    def _score_together(self, questions: Sequence[Expr], implementation: Implementation) -> list[Scores]:
        """Return a list, because between the steps of a generator the model would stay in evaluation mode."""
        blanks = [path_of_blank(question) for question in questions]
        filled = [question.replace(blank, self.placeholder) for question, blank in zip(questions, blanks, strict=True)]
        forests = self.model.encoder.one_point_each(Forest.from_exprs(filled, self.model.vocab))
        with self.lock, self.model.evaluation_mode():
            known = [_Known(forest, *self.model.encoder.states_and_memories(forest)) for forest in forests]
            return [self._score(known, row, blank, implementation) for row, blank in enumerate(blanks)]

    def _score(self, known: list[_Known], row: int, blank: TreePath, implementation: Implementation) -> Scores:
        """Return (fillers,) logits of the question in this row. known: all questions, at each point."""
        side, *path = blank
        other = torch.cat([at.states[at.root(row, 1 - side)] for at in known])  # (n,), or (K·n,) at K points
        ways_up: list[Iterator[Tensor]] = [
            paths.up(paths.steps(at.forest, (at.states, at.memories), at.root(row, side), tuple(path)), implementation)
            for paths, at in zip(self.paths, known, strict=True)
        ]
        logits = []
        if len(ways_up) > 1:  # all points use the same buffers
            ways_up = [(states.clone() for states in way) for way in ways_up]
        for portions in zip(*ways_up, strict=True):
            states = portions[0] if len(portions) == 1 else torch.cat(portions, dim=1)
            pair = (states, other.expand_as(states))
            logits.append(as_numpy(self.model.head(*(pair if side == 0 else pair[::-1]))))
        return np.concatenate(logits)[self.paths[0].place]


class _Known(NamedTuple):
    """Questions with a placeholder in their blanks, all of them at one point if the model reads them at points."""

    forest: Forest
    states: Tensor
    memories: Tensor | None

    def root(self, row: int, side: int) -> int:
        """Return the node that is a side of a question."""
        return int(self.forest.roots[row, side].item())


def first_leaf(e: Expr) -> Expr:
    """Return a leaf that stands in a blank while the rest of an equation is computed; nothing above it is used."""
    while not e.is_leaf:
        e = e.children[0]
    return e


def make_scorer(model: Verifier, fillers: Sequence[Expr]) -> Scorer:
    """Return the fastest scorer for this model."""
    if isinstance(model.encoder, TreeEncoder):
        return PathScorer(model, fillers)
    return WholeEquationScorer(model, fillers)
