"""The default settings of every model of the registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from treesmu.experiments.default_cell import default_cell_settings
from treesmu.models import TreeLSTM, TreeSMU
from user_cell import loaded_plugin


def test_defaults_are_those_of_the_class() -> None:
    assert default_cell_settings("tree-smu") == TreeSMU().settings()
    assert default_cell_settings("tree-lstm") == TreeLSTM().settings()
    assert default_cell_settings("majority") == {}


@pytest.mark.parametrize(("model", "hidden", "stack"), [("tree-smu", 50, 2), ("tree-rnn", 50, None), ("tree-lstm", 50, None)])
def test_sizes_that_names_of_runs_leave_out_stay_as_they_are(model: str, hidden: int, stack: int | None) -> None:
    """Folders of runs that were trained earlier are found under names without these."""
    found = default_cell_settings(model)
    assert (found["hidden"], found.get("stack")) == (hidden, stack)


def test_a_plugins_cell_has_only_the_settings_that_it_declares(tmp_path: Path) -> None:
    with loaded_plugin(tmp_path) as name:
        assert default_cell_settings(name) == {"hidden": 7}
