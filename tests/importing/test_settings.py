"""Settings of an import that make no sense are refused."""

from __future__ import annotations

from typing import Any

import pytest

from treesmu.errors import DataError
from treesmu.importing.settings import ImportSettings


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"bad_lines": "ignore"}, "--bad-lines ignore: unknown; known: skip, refuse"),
        ({"disagreements": "fix"}, "--disagreements fix: unknown; known: keep, drop, correct"),
        ({"disagreements": "drop"}, "--disagreements drop: add --check, which finds them"),
        ({"overlap": ""}, "--overlap : unknown; known: keep, drop"),
        ({"validation": 0.5, "test": 0.5}, "shares from 0, together below 1"),
        ({"validation": -0.1}, "shares from 0, together below 1"),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        ImportSettings(**given)
