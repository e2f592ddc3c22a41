"""The message of an expected error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from treesmu.errors import DataError


def message(function: Callable[..., object], *arguments: Any, **options: Any) -> str:
    """Return the message of the DataError that a call raises, which must be one line."""
    with pytest.raises(DataError) as caught:
        function(*arguments, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)
