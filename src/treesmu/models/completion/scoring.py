"""Scorer: the logits of an equation with each of many fillers in its blank, for every kind of model.

Tree models compute each filler once and then only the path from the blank to the root (spine.py). All others read the
filled equations whole; in a batch the side without the blank is computed once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from treesmu.data import DataError, Forest
from treesmu.data.corpus.blanks import place_of_blank
from treesmu.expr import BLANK, Expr, TreePath

from ..forest.encoder import TreeEncoder
from ..verifier import Verifier, as_numpy
from .path import FillerPaths

Scores = NDArray[np.floating[Any]]
QUESTIONS = 128  # whose other parts are computed together
ROWS = 512  # filled equations a batch, where they are read whole


class Scorer:
    """Fillers for the blanks of any number of questions. Made anew when the model's weights change."""

    def __init__(self, model: Verifier, fillers: Sequence[Expr]) -> None:
        if not fillers:
            raise DataError("there is nothing to fill a blank with: give at least one candidate")
        self.model, self.fillers = model, tuple(fillers)

    def scores(self, questions: Sequence[Expr]) -> Iterator[Scores]:
        """(fillers,) logits for each question, in order."""
        raise NotImplementedError


class WholeEquationScorer(Scorer):
    """Every filled equation read whole."""

    def __init__(self, model: Verifier, fillers: Sequence[Expr]) -> None:
        super().__init__(model, fillers)
        texts = [_text(e) for e in self.fillers]
        number = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        self.texts, self.place = list(number), [number[text] for text in texts]

    def scores(self, questions: Sequence[Expr]) -> Iterator[Scores]:
        for question in questions:
            place_of_blank(question)
            plan = self.model.encoder.plan([_text(question, filler) for filler in self.texts])
            with self.model.evaluation_mode():
                found = [as_numpy(self.model(batch)) for batch in self.model.batches(plan, ROWS)]
            yield np.concatenate(found)[self.place]


class PathScorer(Scorer):
    """Fillers once, then only paths."""

    def __init__(self, model: Verifier, fillers: Sequence[Expr]) -> None:
        super().__init__(model, fillers)
        plan = model.encoder.plan([_text(e) for e in self.fillers])
        self.one_at_a_time = Lock()  # threads of a server: the paths have one set of buffers
        with model.evaluation_mode():
            self.paths = FillerPaths(model.encoder, plan.batch(np.arange(len(plan))))

    def scores(self, questions: Sequence[Expr]) -> Iterator[Scores]:
        for start in range(0, len(questions), QUESTIONS):
            yield from self._chunk(questions[start : start + QUESTIONS])

    def _chunk(self, questions: Sequence[Expr]) -> list[Scores]:
        places = [place_of_blank(question) for question in questions]
        some_leaf = self.model.vocab.leaves[0]  # in the blank's place; nothing that depends on it is used
        plan = self.model.encoder.plan([_text(question, some_leaf) for question in questions])
        forest = plan.batch(np.arange(len(plan)))
        with (
            self.one_at_a_time,
            self.model.evaluation_mode(),
        ):  # no generator: who asks for scores must not be at rest between two questions
            known = self.model.encoder.states_and_memories(forest)
            return [self._one(forest, known, *found) for found in zip(places, forest.roots.tolist(), strict=True)]

    def _one(self, forest: Forest, known: tuple[Tensor, Tensor | None], place: TreePath, roots: list[int]) -> Scores:
        side, *path = place
        other = known[0][roots[1 - side]]
        found = []
        for states in self.paths.up(self.paths.steps(forest, known, roots[side], tuple(path))):
            pair = (states, other.expand_as(states))
            found.append(as_numpy(self.model.head(*(pair if side == 0 else pair[::-1]))))
        return np.concatenate(found)[self.paths.place]


def _text(e: Expr, filler: str = BLANK) -> str:
    """In prefix form, with the blank filled."""
    return " ".join([filler if token == BLANK else token for token in e.prefix()])


def make_scorer(model: Verifier, fillers: Sequence[Expr]) -> Scorer:
    """The quickest way for this model."""
    return (PathScorer if isinstance(model.encoder, TreeEncoder) else WholeEquationScorer)(model, fillers)
