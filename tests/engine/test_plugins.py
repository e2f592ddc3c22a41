"""Plugins in jobs: a job knows the models that a plugin has registered where it was submitted."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine_jobs import registered_models
from treesmu.engine import open_executor
from user_cell import loaded_plugin


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_job_knows_the_models_of_a_plugin_whose_file_is_gone(jobs: int, tmp_path: Path) -> None:
    tasks = [(number,) for number in range(4)]
    with open_executor("local", jobs) as executor:
        list(executor.in_order(registered_models, tasks))  # workers that were started before the plugin was loaded
        with loaded_plugin(tmp_path) as name:
            found = dict(executor.in_order(registered_models, tasks))
    assert [name in names for names in found.values()] == [True] * 4


def test_a_plugin_that_fails_in_a_job_is_an_error_of_the_job(tmp_path: Path) -> None:
    """As where the plugin needs a package that a machine of the cluster does not have."""
    with loaded_plugin(tmp_path), pytest.MonkeyPatch.context() as patch:
        patch.setattr("treesmu.registry._plugins", {"broken.py": "import no_such_package\n"})
        with open_executor("local", 2) as executor:
            (job,) = executor.as_completed(registered_models, [(0,)])
    assert job.error == "DataError: plugin broken.py, line 1: ModuleNotFoundError: No module named 'no_such_package'"
