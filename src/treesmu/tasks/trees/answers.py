"""What rows must have to be answered: checked before training and before measuring, so that nothing is half done."""

from __future__ import annotations

from treesmu.data.tree_files.table import TreeTable
from treesmu.errors import DataError
from treesmu.models.trees.answer_kind import AnswerKind, check_number

from .classes import tagged_nodes


def check_answers(rows: TreeTable, task: str, is_needed: bool) -> None:
    """Raise a DataError for the first row whose label does not fit the task. is_needed: whether every row has one."""
    if task == "tag":
        return
    for place, answer in enumerate(rows.answer.tolist()):
        if answer is None and is_needed:
            raise DataError(f"{rows.where(place)}: 'label' is missing; every row for training and validation has one")
        if answer is not None and task == "regress":
            check_number(answer, rows.where(place))


def count_answers(rows: TreeTable, answer_kind: AnswerKind) -> int:
    """Return how many rows have a label, or for tags how many nodes have a class."""
    if answer_kind.task == "tag":
        return len(tagged_nodes(rows, answer_kind))
    return sum(answer is not None for answer in rows.answer.tolist())
