"""The ranking loss: of all fillers of a blank, the one that was there should have the highest logit.

Some correct equations of a batch get a blank, at a random sub-expression of height 0 or 1. It is filled with sub-expressions of
the batch that have other values. Only the nodes on the path from the blank to the root are new in the forest; all others are
shared, as in completion. Filled equations that hold all the same, such as 0*_ = 0, do not count.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from treesmu.data import Forest
from treesmu.data.augment.node_values import ABSOLUTE, RELATIVE, NodeValues
from treesmu.data.trees.grow_forest import grow_forest

WRONG = 7  # wrong fillers of a question
QUESTIONS = 4  # there is one question for so many equations
Longs = NDArray[np.int64]


class Question(NamedTuple):
    """A blank in an equation, and what it is filled with."""

    row: int
    side: int
    path: tuple[tuple[int, int], ...]  # from the root of the side down: nodes, and which child is next
    wrong: Longs  # (wrong,) nodes with other values than the one at the end of the path


class Rivals(NamedTuple):
    """Sides of equations that compete: the true one first, then those with wrong fillers."""

    filled: Longs  # (questions, 1 + wrong) nodes: the side with the blank, filled
    other: Longs  # (questions,) nodes: the other side
    counts: NDArray[np.bool_]  # (questions, 1 + wrong) whether a filled equation takes part

    def checked(self, values: NDArray[np.float64]) -> Rivals:
        """Return the rivals of which only the true ones and those that clearly do not hold count.

        values: (nodes, points) of the forest, NaN where undefined.
        """
        left, right = values[self.filled], values[self.other][:, None]  # (questions, 1 + wrong, points)
        with np.errstate(invalid="ignore"):
            far = np.abs(left - right) > RELATIVE * (np.abs(left) + np.abs(right)) + ABSOLUTE
        counts = np.asarray(far.any(axis=2))
        counts[:, 0] = True
        return self._replace(counts=counts)

    def part(self, here: slice) -> Rivals:
        """Return those of some questions."""
        return Rivals(self.filled[here], self.other[here], self.counts[here])

    def renumbered(self, place: Longs) -> Rivals:
        """Return the same in a forest in which nodes have new numbers."""
        return Rivals(place[self.filled], place[self.other], self.counts)


def draw_questions(forest: Forest, label: NDArray[np.integer], values: NodeValues, rng: np.random.Generator) -> list[Question]:
    """Return questions about correct equations of a forest. values: of the nodes of the plan that it was made from."""
    short = np.flatnonzero(_heights(forest) <= 1)
    rows = rng.permutation(np.flatnonzero(label == 1))[: max(1, len(label) // QUESTIONS)]
    found = []
    for row in rows.tolist():
        side = int(rng.integers(2))
        path, blank = _random_path(forest, int(forest.roots[row, side]), rng)
        wrong = rng.permutation(short)[: 4 * WRONG]
        wrong = wrong[values.differ(forest.nodes[wrong], np.full(len(wrong), forest.nodes[blank]))][:WRONG]
        if path and len(wrong) == WRONG:
            found.append(Question(row, side, path, wrong))
    return found


def fill_questions(forest: Forest, questions: list[Question]) -> tuple[Forest, Longs, Rivals]:
    """Return the forest with the paths of all filled questions, the new numbers of its nodes, and the sides that compete."""
    functions: list[int] = []
    children: list[list[int]] = []
    function_of = np.concatenate([np.full(len(forest.leaf), -1), forest.functions])
    filled, other = [], []
    for question in questions:
        root = int(forest.roots[question.row, question.side])
        sides = [root]
        for filler in question.wrong.tolist():
            node = filler
            for parent, child in reversed(question.path):
                below = forest.children[parent].tolist()
                below[child] = node
                node = forest.size + len(functions)
                functions.append(int(function_of[parent]))
                children.append(below)
            sides.append(node)
        filled.append(sides)
        other.append(int(forest.roots[question.row, 1 - question.side]))
    new = np.array(children, np.int64).reshape(-1, forest.children.shape[1])
    grown, place = grow_forest(forest, np.array(functions, np.int64), new)
    of_sides = np.array(filled, np.int64).reshape(len(questions), 1 + WRONG)
    return grown, place, Rivals(place[of_sides], place[np.array(other, np.int64)], np.ones(of_sides.shape, bool))


def ranking_loss(states: Tensor, rivals: Rivals, head: nn.Module) -> Tensor:
    """Return the cross-entropy of the true fillers among all of a question, summed over the questions. states: (nodes, n)."""
    filled, other, counts = (torch.from_numpy(column).to(states.device) for column in rivals)
    sides = states[filled]  # (questions, 1 + wrong, n)
    logits = head(sides, states[other].unsqueeze(1).expand_as(sides)).masked_fill(~counts, -torch.inf)
    return F.cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long, device=logits.device), reduction="sum")


def _heights(forest: Forest) -> Longs:
    found = np.zeros(forest.size, np.int64)
    for height, start, stop in forest.levels.tolist():
        found[start:stop] = height
    return found


def _random_path(forest: Forest, root: int, rng: np.random.Generator) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return a random path from a root to a node of height 0 or 1, and that node."""
    ends = int(forest.levels[0, 2]) if len(forest.levels) else forest.size  # nodes before it have height 0 or 1
    node, path = root, list[tuple[int, int]]()
    while node >= len(forest.leaf) and (node >= ends or rng.random() < 0.5):
        below = forest.children[node]
        child = int(rng.integers((below >= 0).sum()))
        path.append((node, child))
        node = int(below[child])
    return tuple(path), node
