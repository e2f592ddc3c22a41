"""A job knows the models that are registered where it was submitted: of plugins, and of modules that it can import."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine_jobs import registered_models
from treesmu import registry
from treesmu.engine import open_executor
from treesmu.engine.user_models import user_models
from treesmu.models.cells.base import Cell
from treesmu.models.cells.tree_lstm import TreeLSTM
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
        patch.setattr("treesmu.plugins._loaded", {"broken.py": "import no_such_package\n"})
        with open_executor("local", 2) as executor:
            (job,) = executor.as_completed(registered_models, [(0,)])
    assert job.error == "DataError: plugin broken.py, line 1: ModuleNotFoundError: No module named 'no_such_package'"


class ImportedCell(Cell):
    def __init__(self, hidden: int = 3) -> None:
        super().__init__(hidden, width=hidden)


def test_a_job_knows_a_class_that_it_can_import(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    registry.register("imported", "user_cell:no_such_class", kind="cell")
    registry.register("of-a-module", TreeLSTM)
    with open_executor("local", 2) as executor:
        (_, names), *_ = executor.in_order(registered_models, [(0,)])
    assert {"imported", "of-a-module"} <= set(names)


def test_a_class_of_a_script_or_of_a_function_is_left_at_home() -> None:
    class Inner(ImportedCell):
        pass

    scripts = type("OfScript", (ImportedCell,), {"__module__": "__main__"})
    for name, cell in {"inner": Inner, "of-script": scripts, "of-module": ImportedCell}.items():
        registry.register(name, cell)
    assert user_models().classes == {"of-module": (f"{__name__}:ImportedCell", "cell")}
