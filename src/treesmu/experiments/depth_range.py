"""DepthRange: the first and the last depth of some trees, as a setting of presets."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator


def _in_order(depths: tuple[int, int]) -> tuple[int, int]:
    if not 0 <= depths[0] <= depths[1]:
        raise ValueError(f"expected [A, B] with 0 <= A <= B, such as [3, 13], not {list(depths)}")
    return depths


DepthRange = Annotated[tuple[int, int], AfterValidator(_in_order)]
