"""Variants: each run has the settings that the preset gives for its name."""

from __future__ import annotations

import pytest

from planned_runs import runs_of
from treesmu.data import DataError


def test_each_variant_changes_its_settings_only() -> None:
    runs = runs_of("variants", 'variants = { "five rows" = { cell = { stack = 5 } }, "more values" = { values = 10 } }')
    plain, five, more = (run.settings for run in runs)
    assert [run.variant for run in runs] == ["as it is", "five rows", "more values"]
    assert (five.cell["stack"], more.values, plain.values) == (5, 10.0, 5.0)
    assert five.model_copy(update={"cell": plain.cell}) == plain
    assert more.model_copy(update={"values": plain.values}) == plain


@pytest.mark.parametrize(
    ("variants", "message"),
    [
        ('{ "as it is" = { values = 1 } }', "'as it is' is the name of the recipe without changes"),
        ("{ a = { luck = 1 } }", "luck"),
        ("{ a = { values = 5 } }", "'as it is' and 'a' are the same run; leave one out"),
    ],
)
def test_a_variant_that_says_nothing_new_is_refused(variants: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        runs_of("variants", f"variants = {variants}")
