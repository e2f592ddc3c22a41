"""Durations as text."""

from __future__ import annotations

import pytest

from treesmu.cli.terminal.durations import format_seconds


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (41.7, "0:42"), (59.6, "1:00"), (725, "12:05"), (3599.7, "1:00:00"), (12000, "3:20:00")]
)
def test_a_duration_has_hours_only_if_it_is_that_long(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text
