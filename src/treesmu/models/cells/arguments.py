"""Check the arguments of cells: each error is one line that names the argument and says what it must be."""

from __future__ import annotations

from math import prod
from numbers import Real
from typing import Any

from treesmu.errors import DataError

MOST_MEMORY = 10**7  # numbers that the memory of one node may have: 40 MB


def check_sizes(**sizes: Any) -> None:
    """Raise a DataError unless every size is a whole number of at least 1."""
    for name, size in sizes.items():
        if not _is_size(size):
            raise DataError(f"{name} must be a whole number of at least 1, not {size!r}")


def check_stack(stack: Any, top: Any) -> None:
    """Raise a DataError unless the size of a stack and the number of rows that a state depends on fit each other."""
    check_sizes(stack=stack, top=top)
    if top > stack:
        raise DataError(f"top must be from 1 to the stack's size {stack}, not {top}")


def check_flags(**flags: Any) -> None:
    """Raise a DataError unless every flag is True or False."""
    for name, flag in flags.items():
        if type(flag) is not bool:
            raise DataError(f"{name} must be True or False, not {flag!r}")


def check_dropout(dropout: Any) -> None:
    """Raise a DataError unless the dropout rate is a number from 0 to below 1."""
    if not isinstance(dropout, Real) or not 0 <= float(dropout) < 1:
        raise DataError(f"dropout must be at least 0 and below 1, not {dropout!r}")


def check_memory(memory: Any) -> None:
    """Raise a DataError unless the memory of a node is a shape."""
    if not isinstance(memory, tuple | list) or not all(map(_is_size, memory)):
        raise DataError(f"memory must be a tuple of sizes, such as (hidden,), or () for none, not {memory!r}")
    if prod(memory) > MOST_MEMORY:
        product = " x ".join(map(str, memory))
        raise DataError(f"a memory of {product} numbers per node is too large (at most {MOST_MEMORY:,}); lower stack or hidden")


def check_linears(linears: Any) -> None:
    """Raise a DataError unless every further linear map has its inputs, its outputs and whether it has a bias."""
    if not isinstance(linears, dict):
        raise DataError(f"linears must be a dictionary of names to (inputs, outputs, has a bias), not {linears!r}")
    for name, shape in linears.items():
        is_shape = isinstance(shape, tuple | list) and len(shape) == 3 and _is_size(shape[0]) and _is_size(shape[1])
        if not (is_shape and type(shape[2]) is bool):
            raise DataError(f"linears[{name!r}] must be (inputs, outputs, has a bias), such as (50, 50, True), not {shape!r}")


def _is_size(size: Any) -> bool:
    return type(size) is int and size >= 1
