"""Every task of trees has its class."""

from __future__ import annotations

from treesmu.task_names import TREE_TASKS
from treesmu.tasks.trees.classes import NodeClasses, RowClasses
from treesmu.tasks.trees.make import make_tree_task
from treesmu.tasks.trees.numbers import RowNumbers


def test_tasks_by_name() -> None:
    found = {name: type(make_tree_task(name)) for name in TREE_TASKS}
    assert found == {"classify": RowClasses, "regress": RowNumbers, "compare": RowClasses, "tag": NodeClasses}
    assert make_tree_task("regress", "huber").kind == "huber"  # type: ignore[attr-defined]
