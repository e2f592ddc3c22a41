"""Which numbers compiled code can compute with."""

from __future__ import annotations

from torch import Tensor

from treesmu.compilation import SIZES


def can_be_compiled(tensor: Tensor) -> bool:
    """Return whether compiled code can compute with numbers of this type, where they are: float32 or float64 on the CPU."""
    return tensor.device.type == "cpu" and tensor.element_size() in SIZES and tensor.is_floating_point()
