"""Labels that do not fit a task are refused by name before anything is computed."""

from __future__ import annotations

from typing import Any

import pytest

from treesmu.data import DataError
from treesmu.data.tree_files.read import trees_in_memory
from treesmu.models.trees.answer_kind import AnswerKind
from treesmu.tasks.trees.answers import check_answers, count_answers


@pytest.mark.parametrize("label", ["warm", True, 10**400, 1e200])
def test_a_number_is_needed_for_regress(label: Any) -> None:
    rows = trees_in_memory(["a", "b"], [1.5, label])
    check_answers(rows, "classify", is_needed=True)
    with pytest.raises(DataError, match=r"^trees, tree 1: 'label' is .*(use the task classify|divide all of them)") as error:
        check_answers(rows, "regress", is_needed=False)
    assert "\n" not in str(error.value)


def test_a_label_may_be_absent_where_it_is_not_needed() -> None:
    rows = trees_in_memory(["a", "b"], [1.5, None])
    check_answers(rows, "regress", is_needed=False)
    with pytest.raises(DataError, match="tree 1: 'label' is missing"):
        check_answers(rows, "regress", is_needed=True)


def test_answers_are_counted_by_row_or_by_tagged_node() -> None:
    rows = trees_in_memory(["(f a)", "(f b)"], [1, None], [["x", "y"], [None, "y"]])
    assert count_answers(rows, AnswerKind("classify", (1, 2))) == 1
    assert count_answers(rows, AnswerKind("tag", ("x", "y"))) == 1
    assert count_answers(rows, AnswerKind("tag", ("x", "y"), nodes="all")) == 3
