"""The candidates that the tests share."""

from __future__ import annotations

import pytest

from treesmu.generate.blanks import CandidateColumns, make_candidates


@pytest.fixture(scope="session")
def found() -> CandidateColumns:
    return make_candidates()
