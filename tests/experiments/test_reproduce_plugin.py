"""A plugin's cell is reproduced by local processes and by a Ray cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commands import run_with_ray
from paths import HELPERS
from tiny_presets import outcome, tiny_preset
from treesmu.engine import open_executor
from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction
from user_cell import loaded_plugin, write_plugin

REPRODUCE_ON_RAY = HELPERS / "reproduce_on_ray.py"

pytestmark = pytest.mark.usefixtures("one_thread")

WITH_USER_CELL = tiny_preset(
    productivity={"models": ["tree-rnn", "user-cell"], "seeds": [1]},
    model_size={"recipes": ["paper"], "models": ["user-cell"], "sizes": [5, 7], "seeds": [1]},
    substitutivity={"recipes": ["treesmu"], "models": ["user-cell"], "classes": 4, "per_class": 8, "seeds": [1]},
)


@pytest.fixture(scope="module")
def with_user_cell(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reproduction with a plugin's cell in two local processes, interrupted and resumed; the plugin's file is gone."""
    folder = tmp_path_factory.mktemp("plugin")
    out = folder / "out"
    logs: list[str] = []

    class InterruptedError(Exception):
        pass

    def interrupt(event: str, _: dict[str, Any]) -> None:
        if event == "run":
            raise InterruptedError

    with loaded_plugin(folder):
        mine = Preset("mine", WITH_USER_CELL, "")
        with pytest.raises(InterruptedError), open_executor("local", 2) as executor:
            Reproduction(mine, out).run(executor, interrupt)
        with open_executor("local", 2) as executor:
            Reproduction(mine, out, resume=True).run(executor, lambda _, facts: logs.append(facts.get("log", "")))
    assert "".join(logs) == ""
    return out


@pytest.mark.slow  # tests/cli/with_model/test_own_cell.py does so once, without an interruption
def test_a_plugins_cell_is_reproduced_by_local_processes_also_after_resume(with_user_cell: Path) -> None:
    tested = with_user_cell.glob("runs/tiny/depth-1-7/*/*/seed-1/test.json")
    assert sorted("/".join(file.parts[-4:-2]) for file in tested) == [
        "tree-rnn/paper", "tree-rnn/treesmu", "user-cell/paper", "user-cell/paper,hidden=7", "user-cell/treesmu",
    ]  # fmt: skip
    (file,) = (with_user_cell / "analyses" / "substitutivity").rglob("*.json")
    assert "user-cell" in str(file)


@pytest.mark.slow
@pytest.mark.xdist_group("ray")
def test_a_plugins_cell_is_reproduced_by_a_ray_cluster(with_user_cell: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    (tmp_path / "mine.toml").write_text(WITH_USER_CELL)
    run_with_ray([str(REPRODUCE_ON_RAY), "mine.toml", "out", str(write_plugin(tmp_path))], tmp_path)
    ours, theirs = (outcome(folder, ("runs", "analyses")) for folder in (tmp_path / "out", with_user_cell))
    assert list(ours) == list(theirs)
    assert {Path(name).name for name in ours if ours[name] != theirs[name]} == {"test.json"}  # which names its source
