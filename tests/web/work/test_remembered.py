"""Answers that were given before are kept, within a number of bytes."""

from __future__ import annotations

from treesmu.web.work.remembered import OVERHEAD, Remembered


def test_what_was_asked_least_recently_is_forgotten_first() -> None:
    known = Remembered(3 * (OVERHEAD + 10))
    for name in "abc":
        known.put(name, name.encode() * 10)
    assert known.get("a") == b"a" * 10
    known.put("d", b"d" * 10)
    assert [known.get(name) is None for name in "abcd"] == [False, True, False, False]
    assert known.size == 3 * (OVERHEAD + 10)


def test_the_same_question_counts_once_and_one_that_is_too_long_is_not_kept() -> None:
    known = Remembered(2 * OVERHEAD)
    for _ in range(5):
        known.put("a", b"long")
    assert known.size == OVERHEAD + 4
    known.put("b", b"b" * 3 * OVERHEAD)
    assert (known.get("a"), known.get("b"), known.size) == (None, None, 0)
