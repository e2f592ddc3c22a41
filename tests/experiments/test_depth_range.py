"""A range of depths has its ends in order."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from treesmu.experiments.depth_range import DepthRange


def test_ends_are_in_order_and_not_negative() -> None:
    read = TypeAdapter(DepthRange).validate_python
    assert (read([3, 13]), read([0, 0])) == ((3, 13), (0, 0))
    for wrong in ([4, 2], [-1, 2]):
        with pytest.raises(ValidationError, match=r"expected \[A, B\] with 0 <= A <= B"):
            read(wrong)
