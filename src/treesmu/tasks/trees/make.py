"""Make the task of a name."""

from __future__ import annotations

from typing import Literal

from ..task import Task
from .classes import NodeClasses, RowClasses
from .numbers import RowNumbers


def make_tree_task(name: str, loss: Literal["squared", "huber"] = "squared") -> Task:
    """Return one of the tasks of ``treesmu.task_names.TREE_TASKS``. loss: of numbers."""
    if name == "regress":
        return RowNumbers(loss)
    return NodeClasses() if name == "tag" else RowClasses()
