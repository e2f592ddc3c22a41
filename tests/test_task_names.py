"""Every task has one measure, with its names in files and its form for readers."""

from __future__ import annotations

from treesmu.task_names import ACCURACY, R2, TASKS, measure_of


def test_numbers_are_measured_by_r2_and_all_else_by_accuracy() -> None:
    assert {task: measure_of(task).key for task in TASKS} == {
        "verify": "accuracy", "classify": "accuracy", "regress": "r2", "compare": "accuracy", "tag": "accuracy"
    }  # fmt: skip


def test_accuracy_is_shown_in_per_cent_and_r2_is_not() -> None:
    assert (ACCURACY.text(0.9134), R2.text(0.9134), R2.text(-2)) == ("91.3%", "0.913", "-2.000")
    assert (ACCURACY.axis, R2.axis) == ("accuracy (%)", "R²")
    assert (ACCURACY.column("test"), R2.column("test")) == ("test %", "test R²")
    assert (ACCURACY.is_share, R2.is_share) == (True, False)


def test_files_name_the_rows_and_the_measure() -> None:
    assert (ACCURACY.validation, R2.validation) == ("validation_accuracy", "validation_r2")
    assert (ACCURACY.test, R2.test) == ("test_accuracy", "test_r2")
