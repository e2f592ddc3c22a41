"""The registry finds built-in models, registered ones, and those of plugins and installed packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import treesmu
from treesmu import registry
from treesmu.cli.signals import Terminated
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


def test_a_named_class_may_be_within_another() -> None:
    Bag.Inner = Mine  # type: ignore[attr-defined]
    register("inner", f"{__name__}:Bag.Inner")
    assert model_class("inner") is Mine


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


@pytest.mark.parametrize(("model", "kind"), [("a:B", "banana"), (Mine, "banana"), ("a:B", ""), ("a:B", 3)])
def test_an_unknown_kind_is_refused(model: Any, kind: Any) -> None:
    assert message(lambda: register("mine", model, kind=kind)) == f"model 'mine': unknown kind {kind!r}; known: cell, encoder"
    assert "mine" not in names()


def test_a_kind_that_contradicts_the_class_is_refused() -> None:
    said = "model 'mine': the kind of Mine is 'cell', but it is registered with kind='encoder'"
    assert message(lambda: register("mine", Mine, kind="encoder")) == said
    register("mine", f"{__name__}:Mine", kind="encoder")
    assert message(model_class, "mine") == said
    register("bag", f"{__name__}:Bag", kind="encoder")
    assert model_class("bag") is Bag


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


@pytest.mark.parametrize(
    "source", ["", "import treesmu\n", f"if __name__ == '__main__':\n    {CELL.strip().splitlines()[-1]}\n"]
)
def test_a_plugin_that_registers_no_model_says_so(source: str, tmp_path: Path) -> None:
    file, modules = tmp_path / "empty.py", set(sys.modules)
    file.write_text(source)
    assert message(load_plugin, file) == f'plugin {file} registered no model; call treesmu.register("name", Class) in it'
    assert loaded_plugins() == {}
    assert not [name for name in set(sys.modules) - modules if name.startswith("treesmu_plugin")]


@pytest.mark.parametrize("error", [Terminated(143), KeyboardInterrupt()])
def test_a_signal_ends_the_process_also_while_a_plugin_or_package_is_loaded(
    error: BaseException, plugin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_error_for_tests", error, raising=False)
    source = "from treesmu import registry\nraise registry._error_for_tests\n"
    plugin.write_text(f"{CELL}\n{source}")
    with pytest.raises(type(error)):
        load_plugin(plugin)
    assert (names(), loaded_plugins()) == (BUILT_IN, {})
    (plugin.parent / "raises_signal.py").write_text(source)
    monkeypatch.syspath_prepend(str(plugin.parent))
    register("late", "raises_signal:Mine")
    with pytest.raises(type(error)):
        model_class("late")


def test_a_plugin_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert message(load_plugin, tmp_path / "none.py") == f"plugin {tmp_path}/none.py: cannot be read: No such file or directory"
    assert message(load_plugin, tmp_path) == f"plugin {tmp_path}: cannot be read: Is a directory"
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe")
    assert message(load_plugin, tmp_path / "binary.py").startswith(f"plugin {tmp_path}/binary.py: cannot be read: 'utf-8'")
