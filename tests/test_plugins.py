"""Plugins register models, say in one line what is wrong, and their code is recognised."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from messages import message
from treesmu import registry
from treesmu.cli.signals import Terminated
from treesmu.models.cells.base import Cell
from treesmu.models.cells.tree_lstm import TreeLSTM
from treesmu.plugins import code_hash, load_plugin, loaded_plugins, run_plugin
from treesmu.registry import BUILT_IN, model_class, names, register

CELL = """
import treesmu
from treesmu.models import Cell

class Mine(Cell):
    pass

treesmu.register("mine", Mine)
"""


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


@pytest.mark.parametrize("source", ["-" * 200_000 + "1", "+".join("1" * 200_000)], ids=["minus", "plus"])
def test_a_plugin_that_python_cannot_compile_is_one_line(source: str, tmp_path: Path) -> None:
    (tmp_path / "deep.py").write_text(source)
    said = message(load_plugin, tmp_path / "deep.py")
    assert said == f"plugin {tmp_path / 'deep.py'}: its code is nested too deeply for Python; divide the long expressions"


def test_a_plugin_with_an_expression_that_is_too_long_for_one_layout_is_run(plugin: Path) -> None:
    plugin.write_text(f"{CELL}\nMine.sum = {'+'.join('1' * 900)}\n")
    load_plugin(plugin)
    assert model_class("mine").sum == 900


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


@pytest.mark.parametrize("source", ["", "import treesmu\n"])
def test_each_plugin_must_register_a_model(source: str, plugin: Path, tmp_path: Path) -> None:
    load_plugin(plugin)
    empty = tmp_path / "empty.py"
    empty.write_text(source)
    assert message(load_plugin, empty) == f'plugin {empty} registered no model; call treesmu.register("name", Class) in it'
    assert loaded_plugins() == {str(plugin): CELL}
    assert names() == (*BUILT_IN, "mine")


def test_a_plugin_may_import_a_module_that_has_registered_its_models_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "my_cells.py").write_text(CELL)
    for number, source in enumerate(["import my_cells\n", "import my_cells  # again\n", "from my_cells import Mine as M\n"]):
        plugin = tmp_path / f"{number}.py"
        plugin.write_text(source)
        load_plugin(plugin)
    assert len(loaded_plugins()) == 3
    del sys.modules["my_cells"]


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


# -- code --------------------------------------------------------------------------------------------------------------

HELPED = (
    CELL.replace("pass", "def step(self, z, memory, at):\n        return helper(z), None, {}")
    + "def helper(z):\n    return z\n"
)


def hash_of(source: str) -> str | None:
    run_plugin("hashed.py", source)
    return code_hash(model_class("mine"))


def test_the_code_of_a_plugin_is_its_whole_file_without_comments_and_docstrings() -> None:
    first = hash_of(HELPED)
    assert first is not None
    same = HELPED.replace("class Mine(Cell):", 'class Mine(Cell):\n    """A cell."""\n')
    assert hash_of(f'"""Mine."""\n# a comment\n{same}') == first
    assert hash_of(HELPED.replace("return z\n", "return -z\n")) != first
    assert hash_of(HELPED) == first


class Base(Cell):
    rate = 1.0


def test_the_code_of_other_modules_is_the_class_and_its_bases() -> None:
    def child(base: type) -> type:
        class Child(base):  # type: ignore[misc]
            pass

        return Child

    hashes = [code_hash(child(base)) for base in (Base, Cell)]
    assert None not in hashes
    assert hashes[0] != hashes[1]
    assert code_hash(child(Base)) == hashes[0]


def test_built_in_classes_and_code_that_cannot_be_read_have_no_hash() -> None:
    assert code_hash(TreeLSTM) is None
    names: dict[str, Any] = {"Cell": Cell, "__name__": "typed_in"}
    exec("class Typed(Cell): pass", names)
    assert code_hash(names["Typed"]) is None
