"""What is drawn of the nodes of a batch: weights that make means of sums, and parts for several processes."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.data import Forest, Vocab
from treesmu.data.augment.value_targets import ValueTargets
from treesmu.data.trees.grow_forest import NOT_PLANNED
from treesmu.tasks.ranking import Question, fill_questions
from treesmu.tasks.subexpressions import Pairs
from treesmu.training.drawn_nodes import DrawnNodes

VOCAB = Vocab.default()


def whole() -> tuple[Forest, DrawnNodes]:
    """Return three equations with pairs, targets and a question: sin(x) = _ with the fillers y and 1."""
    forest = Forest.from_exprs(["sin(x) = sin(x)", "y + 1 = 1 + y", "x = x"], VOCAB)
    labels = forest.labels
    sine, y, one = (labels.index(label) for label in ("sin", "y", "1"))
    question = Question(0, 0, ((sine, 0),), np.resize(np.array([y, one]), 7))
    pairs = Pairs(np.array([y, one]), np.array([one, sine]), np.array([0, 1], np.float32))
    grown, place, rivals = fill_questions(forest, [question])
    drawn = DrawnNodes(pairs.renumbered(place), rivals=rivals)
    return grown, drawn.with_values(ValueTargets(VOCAB).values(grown), grown, has_targets=True)


def test_nodes_that_only_rivals_have_are_no_targets() -> None:
    forest, drawn = whole()
    assert drawn.targets is not None
    is_new = forest.nodes == NOT_PLANNED
    assert is_new.any()
    assert np.isnan(drawn.targets[is_new]).all()
    assert np.isfinite(drawn.targets[~is_new]).all()


def test_weights_make_means_of_sums_and_are_0_where_nothing_was_drawn() -> None:
    _, drawn = whole()
    assert drawn.targets is not None
    assert drawn.weights(2) == (2 / 2, pytest.approx(2 / np.isfinite(drawn.targets).sum()), 2 / 1)
    assert DrawnNodes().weights(2) == (0.0, 0.0, 0.0)


def test_the_parts_of_two_processes_have_everything_once() -> None:
    forest, drawn = whole()
    parts = [drawn.divide(forest, np.arange(rank, 3, 2), 3, rank, 2) for rank in range(2)]
    assert drawn.targets is not None
    known = [np.isfinite(part.targets).sum() for _, part in parts if part.targets is not None]
    assert sum(known) == np.isfinite(drawn.targets).sum()
    assert [len(part.pairs.label) for _, part in parts if part.pairs is not None] == [1, 1]
    assert [len(part.rivals.other) for _, part in parts if part.rivals is not None] == [1, 0]
    (first, mine), _ = parts
    assert mine.rivals is not None
    assert first.labels[mine.rivals.other[0]] == "sin"
    assert {first.labels[node] for node in mine.rivals.filled.ravel().tolist()} == {"sin"}
