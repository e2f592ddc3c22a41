"""Check the arguments of cells: each error is one line that names the argument and says what it must be."""

from __future__ import annotations

from numbers import Real
from typing import Any


def check_sizes(**sizes: Any) -> None:
    """Raise a ValueError unless every size is a whole number of at least 1."""
    for name, size in sizes.items():
        if not _is_size(size):
            raise ValueError(f"{name} must be a whole number of at least 1, not {size!r}")


def check_flags(**flags: Any) -> None:
    """Raise a ValueError unless every flag is True or False."""
    for name, flag in flags.items():
        if type(flag) is not bool:
            raise ValueError(f"{name} must be True or False, not {flag!r}")


def check_dropout(dropout: Any) -> None:
    """Raise a ValueError unless the dropout rate is a number from 0 to below 1."""
    if not isinstance(dropout, Real) or not 0 <= float(dropout) < 1:
        raise ValueError(f"dropout must be at least 0 and below 1, not {dropout!r}")


def check_memory(memory: Any) -> None:
    """Raise a ValueError unless the memory of a node is a shape."""
    if not isinstance(memory, tuple | list) or not all(map(_is_size, memory)):
        raise ValueError(f"memory must be a tuple of sizes, such as (hidden,), or () for none, not {memory!r}")


def check_linears(linears: Any) -> None:
    """Raise a ValueError unless every further linear map has its inputs, its outputs and whether it has a bias."""
    if not isinstance(linears, dict):
        raise ValueError(f"linears must be a dictionary of names to (inputs, outputs, has a bias), not {linears!r}")
    for name, shape in linears.items():
        is_shape = isinstance(shape, tuple | list) and len(shape) == 3 and _is_size(shape[0]) and _is_size(shape[1])
        if not (is_shape and type(shape[2]) is bool):
            raise ValueError(f"linears[{name!r}] must be (inputs, outputs, has a bias), such as (50, 50, True), not {shape!r}")


def _is_size(size: Any) -> bool:
    return type(size) is int and size >= 1
