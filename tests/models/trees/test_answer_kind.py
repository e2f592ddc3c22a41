"""A kind of answers has the classes or the scale of training, and is stored with the weights."""

from __future__ import annotations

import json

import numpy as np
import pytest

from treesmu.data import DataError
from treesmu.models.trees.answer_kind import NOT_A_CLASS, AnswerKind, r_squared, spread


def test_classes_are_sorted_numbers_first() -> None:
    answer_kind = AnswerKind.of_classes("classify", ["b", 10, 2, "a", None, 2])
    assert answer_kind.classes == (2, 10, "a", "b")
    assert answer_kind.encode([10, "b", "new"]).tolist() == [1, 3, NOT_A_CLASS]


def test_numbers_are_standardised() -> None:
    answer_kind = AnswerKind.of_numbers(np.array([1.0, 3.0]))
    assert (answer_kind.mean, answer_kind.scale, answer_kind.outputs) == (2.0, 1.0, 1)
    assert answer_kind.encode([4.0, None]).tolist()[0] == 2.0
    assert AnswerKind.of_numbers(np.array([5.0, 5.0])).scale == 1.0


@pytest.mark.parametrize(
    "answer_kind",
    [AnswerKind("compare", ("a", "b")), AnswerKind("regress", mean=1.5, scale=2.0), AnswerKind("tag", (0, 1), nodes="all")],
)
def test_a_question_is_stored_and_made_again(answer_kind: AnswerKind) -> None:
    assert AnswerKind.from_dict(answer_kind.to_dict()) == answer_kind


@pytest.mark.parametrize(
    "change", [{"task": "dream"}, {"classes": []}, {"scale": 0}, {"mean": float("nan")}, {"classes": [1, 1]}, {"nodes": "some"}]
)
def test_a_faulty_record_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        AnswerKind.from_dict(AnswerKind("classify", (1, 2)).to_dict() | change)


def test_too_few_and_too_many_classes_are_refused() -> None:
    with pytest.raises(DataError, match="training has 1 class; at least 2"):
        AnswerKind.of_classes("classify", [1, 1])
    with pytest.raises(DataError, match="for numbers use the task regress"):
        AnswerKind.of_classes("classify", range(20_000))


def test_true_is_not_1_but_1_point_0_is() -> None:
    answer_kind = AnswerKind.of_classes("classify", [1, True, 1.0, 0])
    assert [repr(value) for value in answer_kind.classes] in (["0", "1.0", "True"], ["0", "1", "True"])
    assert answer_kind.encode([True, 1, 1.0, False]).tolist() == [2, 1, 1, NOT_A_CLASS]
    again = AnswerKind.from_dict(json.loads(json.dumps(answer_kind.to_dict())))
    assert again.encode([True, 1]).tolist() == [2, 1]


def test_numbers_that_differ_by_rounding_only_are_the_same() -> None:
    constant = np.full(7, 3.3)
    assert (spread(constant), r_squared(constant, constant + 1), AnswerKind.of_numbers(constant).scale) == (0.0, None, 1.0)
    tiny = np.array([1e-15, 3e-15])
    assert spread(tiny) == pytest.approx(1e-15)
    assert r_squared(tiny, tiny) == 1.0
    assert r_squared(np.array([]), np.array([])) is None
