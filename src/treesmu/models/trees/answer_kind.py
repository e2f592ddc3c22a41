"""AnswerKind: what a model of trees answers: a class or a number of each tree, of two trees, or of every node."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError
from treesmu.task_names import NODE_KINDS, TREE_TASKS, NodeKind, TreeTask

NOT_A_CLASS = -1  # in place of the number of a class that training does not have
MOST_CLASSES = 10_000
LARGEST_NUMBER = 1e100  # of a label; squares of larger ones could overflow
NO_SPREAD = 1e-12  # of the largest number: with less, all numbers are the same but for rounding


@dataclass(frozen=True)
class AnswerKind:
    """The task, with its classes, or with mean and scale of the numbers in training.

    nodes: which nodes are tagged: ``inner`` ones, or ``all``, leaves included.
    """

    task: TreeTask
    classes: tuple[Any, ...] = ()
    mean: float = 0.0
    scale: float = 1.0
    nodes: NodeKind = "inner"

    @classmethod
    def of_classes(cls, task: TreeTask, answers: Iterable[Any], nodes: NodeKind = "inner") -> AnswerKind:
        """Return the kind with all classes among the answers of training: numbers in order, then texts in order."""
        different = {class_key(answer): answer for answer in answers if answer is not None}
        classes = sorted(different.values(), key=lambda a: (isinstance(a, str), *class_key(a)))
        if len(classes) < 2:
            raise DataError(f"training has {len(classes)} class{'es' * (len(classes) != 1)}; at least 2 are needed")
        if len(classes) > MOST_CLASSES:
            raise DataError(f"training has {len(classes):,} classes; for numbers use the task regress")
        return cls(task, tuple(classes), nodes=nodes)

    @classmethod
    def of_numbers(cls, answers: NDArray[np.float64]) -> AnswerKind:
        """Return the kind for numbers, with the mean and the standard deviation of those of training."""
        return cls("regress", mean=float(answers.mean()), scale=spread(answers) or 1.0)

    @property
    def outputs(self) -> int:
        """How many numbers a head computes."""
        return len(self.classes) or 1

    def encode(self, answers: Iterable[Any]) -> NDArray[Any]:
        """Return answers as a head is trained on them: the numbers of classes (int64), or standardised numbers (float32)."""
        if self.task == "regress":
            numbers = np.array([math.nan if a is None else a for a in answers], np.float64)
            return ((numbers - self.mean) / self.scale).astype(np.float32)
        place = {class_key(answer): i for i, answer in enumerate(self.classes)}
        return np.array([place.get(class_key(answer), NOT_A_CLASS) for answer in answers], np.int64)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON."""
        shared: dict[str, Any] = {"task": self.task, "nodes": self.nodes}
        return shared | {"classes": list(self.classes), "mean": self.mean, "scale": self.scale}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AnswerKind:
        """Make a kind from what :meth:`to_dict` returns. A faulty record is a ValueError."""
        task, nodes, classes = data["task"], data["nodes"], data["classes"]
        mean, scale = float(data["mean"]), float(data["scale"])
        if task not in TREE_TASKS or nodes not in NODE_KINDS or not isinstance(classes, list):
            raise ValueError(f"unknown task {task!r:.40}; known: {', '.join(TREE_TASKS)}")
        if not (math.isfinite(mean) and math.isfinite(scale) and scale > 0) or (task == "regress") != (not classes):
            raise ValueError(f"the record of the task {task} is not complete")
        if not all(isinstance(a, str | int | float) for a in classes) or len(set(map(class_key, classes))) < len(classes):
            raise ValueError("classes are different texts or numbers")
        return cls(task, tuple(classes), mean, scale, nodes)


def class_key(answer: Any) -> tuple[bool, Any]:
    """Return what distinguishes a class from others: true is not 1, as it is for Python; but 1.0 is 1."""
    return isinstance(answer, bool), answer


def check_number(answer: Any, where: str) -> None:
    """Raise a DataError if a label is no number that can be learned. where: the name of its row."""
    if isinstance(answer, bool) or not isinstance(answer, int | float):
        raise DataError(f"{where}: 'label' is {answer!r:.60}, not a finite number; for classes use the task classify")
    if not abs(answer) <= LARGEST_NUMBER:
        remedy = f"numbers are at most {LARGEST_NUMBER:g}; divide all of them, or use their logarithms"
        raise DataError(f"{where}: 'label' is too large or not finite; {remedy}")


def spread(numbers: NDArray[np.float64]) -> float:
    """Return the standard deviation; 0 if the numbers differ by no more than rounding."""
    found = float(numbers.std())
    return found if found > NO_SPREAD * float(np.abs(numbers).max()) else 0.0


def r_squared(answers: NDArray[np.float64], predictions: NDArray[np.float64]) -> float | None:
    """Return R² of predictions; None if it is not defined, since there are no answers or all are the same."""
    if not len(answers) or not (deviation := spread(answers)):
        return None
    return 1 - float(((predictions - answers) ** 2).mean()) / deviation**2
