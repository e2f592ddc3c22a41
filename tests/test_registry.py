"""The registry finds built-in models, registered ones, and those of plugins and installed packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import treesmu
from treesmu import registry
from treesmu.errors import DataError
from treesmu.models.cells.base import Cell
from treesmu.models.cells.tree_lstm import TreeLSTM
from treesmu.models.sequences.lstm import LSTMEncoder
from treesmu.registry import BUILT_IN, is_tree_model, load_plugin, loaded_plugins, model_class, names, register, run_plugin

CELL = """
import treesmu
from treesmu.models import Cell

class Mine(Cell):
    pass

treesmu.register("mine", Mine)
"""


class Mine(Cell):
    pass


class Other(Cell):
    pass


class Bag:
    """Has all methods of an encoder."""

    def plan(self, texts: Any) -> Any: ...
    def plan_exprs(self, exprs: Any) -> Any: ...
    def forward(self, batch: Any) -> Any: ...
    def settings(self) -> dict[str, Any]: ...  # type: ignore[empty-body]


def message(*call: Any) -> str:
    """Return the message of the DataError that a call raises, which must be one line."""
    function, *arguments = call
    with pytest.raises(DataError) as caught:
        function(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# -- names and classes -------------------------------------------------------------------------------------------------


def test_names_of_models_need_no_torch() -> None:
    code = "import sys; from treesmu.registry import *; print(*names(), is_tree_model('lstm'), 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [*BUILT_IN, "False", "False"]


def test_built_in_models_are_found_by_name() -> None:
    assert BUILT_IN == (
        "tree-smu", "tree-lstm", "tree-rnn", "stack-tree-rnn", "lstm", "transformer", "tree-transformer", "majority",
    )  # fmt: skip
    assert (model_class("tree-lstm"), model_class("lstm")) == (TreeLSTM, LSTMEncoder)
    for name in BUILT_IN:
        assert registry._kind_of(name, model_class(name)) == ("cell" if is_tree_model(name) else "encoder")


def test_a_registered_class_is_a_cell_or_an_encoder() -> None:
    treesmu.register("mine", Mine)
    register("bag", Bag)
    assert names() == (*BUILT_IN, "mine", "bag")
    assert (model_class("mine"), model_class("bag")) == (Mine, Bag)
    assert (is_tree_model("mine"), is_tree_model("bag")) == (True, False)


def test_a_class_can_be_registered_again_but_no_other_under_its_name() -> None:
    register("mine", Mine)
    register("mine", Mine)
    again = type("Mine", (Cell,), {"__module__": Mine.__module__})  # as when the cell of a notebook runs again
    register("mine", again)
    assert model_class("mine") is again
    said = f"the model name 'mine' is already taken by {__name__}:Mine; choose another name"
    assert message(register, "mine", Other) == said
    assert message(register, "tree-smu", Other).startswith("the model name 'tree-smu' is already taken by treesmu.models.")


def test_a_class_can_be_named_and_is_imported_only_when_needed() -> None:
    register("late", "treesmu.models.cells.tree_lstm:TreeLSTM")
    assert is_tree_model("late")
    assert model_class("late") is TreeLSTM
    register("absent", "no_such_module:Cell")
    assert message(model_class, "absent").startswith("model 'absent': no_such_module:Cell cannot be imported: No module named")
    register("nothing", "treesmu.models:NoSuchCell")
    assert message(is_tree_model, "nothing").startswith("model 'nothing': treesmu.models:NoSuchCell cannot be imported: ")
    register("function", "treesmu.models:build")
    assert message(is_tree_model, "function") == "model 'function': expected a class, not function"


@pytest.mark.parametrize("name", ["", "My-Cell", "my_cell", "my cell", "-a", "a--b", "a/b", "a\n", 3, None])
def test_a_bad_name_is_refused(name: Any) -> None:
    assert message(register, name, Mine).startswith("a model's name is lower-case words joined by hyphens, such as my-cell")


@pytest.mark.parametrize("model", [3, None, Bag(), "module", ":Class", "module:"])
def test_what_is_not_a_class_is_refused(model: Any) -> None:
    assert message(register, "mine", model).startswith("model 'mine': register a class, or 'module:Class', not ")


def test_a_class_of_neither_kind_is_refused() -> None:
    class Plain:
        def step(self) -> None: ...

    said = "model 'mine': Plain is neither a subclass of treesmu.models.Cell nor an encoder with plan, plan_exprs"
    assert message(register, "mine", Plain).startswith(said)


@pytest.mark.parametrize("name", ["tree-gru", "", None, 3])
def test_an_unknown_name_lists_the_known_ones_and_the_remedy(name: Any) -> None:
    known = ", ".join(BUILT_IN)
    said = f"unknown model {name!r}; known: {known}; a model of your own needs --plugin FILE.py or treesmu.register"
    for function in (registry.check_name, model_class, is_tree_model):
        assert message(function, name) == said


# -- plugins -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(CELL)
    return file


def test_a_plugin_registers_its_models_once_and_says_where_it_is(plugin: Path) -> None:
    load_plugin(plugin)
    found = model_class("mine")
    assert issubclass(found, Cell)
    assert sys.modules[found.__module__].__file__ == str(plugin)
    load_plugin(str(plugin))
    assert model_class("mine") is found
    assert loaded_plugins() == {str(plugin): CELL}


def test_a_plugin_that_has_changed_replaces_its_models(plugin: Path) -> None:
    load_plugin(plugin)
    plugin.write_text(CELL.replace("pass", "dropped = 3"))
    load_plugin(plugin)
    assert model_class("mine").dropped == 3
    run_plugin(str(plugin), CELL.replace('"mine"', '"other"'))
    assert names() == (*BUILT_IN, "other")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("x = 1\ndef (:\n", ", line 2: SyntaxError: "),
        ("x = 1\n\nraise RuntimeError('two\\nlines')\n", ", line 3: RuntimeError: two lines"),
        ("import json\njson.loads('')\n", ", line 2: JSONDecodeError: Expecting value"),
        ("import no_such_module\n", ", line 1: ModuleNotFoundError: No module named 'no_such_module'"),
        ("import sys\nsys.exit(3)\n", ", line 2: SystemExit: 3"),
        ("raise ValueError\n", ", line 1: ValueError: ValueError"),
        (
            CELL.replace("mine", "lstm"),
            ", line 8: the model name 'lstm' is already taken by treesmu.models.sequences",
        ),
        ("\0", ": "),
    ],
)
def test_a_plugin_that_fails_is_named_with_its_line(source: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(source)
    assert message(load_plugin, file).startswith(f"plugin {file}{said}")
    assert loaded_plugins() == {}


def test_a_plugin_that_fails_leaves_nothing_behind(plugin: Path) -> None:
    plugin.write_text(f"{CELL}\nraise RuntimeError")
    modules = set(sys.modules)
    message(load_plugin, plugin)
    assert names() == BUILT_IN
    assert not [name for name in set(sys.modules) - modules if name.startswith("treesmu_plugin")]


def test_a_plugin_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert message(load_plugin, tmp_path / "none.py") == f"plugin {tmp_path}/none.py: cannot be read: No such file or directory"
    assert message(load_plugin, tmp_path) == f"plugin {tmp_path}: cannot be read: Is a directory"
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe")
    assert message(load_plugin, tmp_path / "binary.py").startswith(f"plugin {tmp_path}/binary.py: cannot be read: 'utf-8'")


# -- installed packages ------------------------------------------------------------------------------------------------


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with three entry points, two of which fail."""
    (tmp_path / "fake_cells.py").write_text(CELL.replace("treesmu.register", "#"))
    info = tmp_path / "fake_cells-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fake-cells\nVersion: 1.0\n")
    points = "mine = fake_cells:Mine\nabsent = fake_cells:Absent\nbroken = fake_broken:Cell\nlstm = fake_cells:Mine\n"
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{points}")
    (tmp_path / "fake_broken.py").write_text("raise RuntimeError('broken\\npackage')")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry._installed.cache_clear()
    return tmp_path


@pytest.mark.usefixtures("package")
def test_models_of_installed_packages_are_known_and_loaded_when_needed() -> None:
    assert names() == (*BUILT_IN, "mine", "absent", "broken")
    assert "fake_cells" not in sys.modules
    assert is_tree_model("mine")
    assert issubclass(model_class("mine"), Cell)
    assert model_class("lstm") is LSTMEncoder  # a package cannot replace a built-in model
    said = "model 'broken': fake_broken:Cell cannot be imported: broken package"
    assert message(model_class, "broken") == said
    assert message(is_tree_model, "absent").startswith("model 'absent': fake_cells:Absent cannot be imported: ")


@pytest.mark.usefixtures("package")
def test_a_registered_model_takes_precedence_over_that_of_a_package() -> None:
    register("mine", Mine)
    assert model_class("mine") is Mine
