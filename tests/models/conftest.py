"""For the tests of models."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch


@pytest.fixture(autouse=True)
def one_thread_and_a_seed() -> Iterator[None]:
    """Tests run side by side and must not fight for cores; and every run draws the same weights."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    yield
    torch.set_num_threads(threads)
