"""Measures by depth have one entry for each depth, in order."""

from __future__ import annotations

import numpy as np

from treesmu.tasks.task import measured_by_depth


def test_depths_are_strings_in_the_order_of_numbers() -> None:
    found = measured_by_depth(np.array([10, 2, 10]), lambda chosen: int(chosen.sum()))
    assert list(found.items()) == [("2", 1), ("10", 2)]
