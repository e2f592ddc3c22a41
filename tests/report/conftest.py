"""Reports that several tests read."""

from __future__ import annotations

from pathlib import Path

import pytest

from every_study import every_study
from reproduced import small_folder
from treesmu.report.write import write_report


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Productivity with three seeds."""
    folder = small_folder(tmp_path_factory.mktemp("report") / "small")
    write_report(folder)
    return folder


@pytest.fixture(scope="session")
def every(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All studies, with the built-in models and one that a user has registered."""
    folder = every_study(tmp_path_factory.mktemp("report") / "every", registered="my-cell")
    write_report(folder)
    return folder
