"""``import treesmu`` is lazy, and nobody notices: its names, their types, tab completion and pickles are as ever."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import treesmu

BODY = ast.parse(Path(treesmu.__file__).read_text(encoding="utf-8")).body


def names_for_type_checkers() -> set[str]:
    """Return the names that the package imports for type checkers only."""
    (block,) = [node for node in BODY if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name for node in imports for alias in node.names}


# Every program runs in a copy of a process that has loaded what takes long and is not ours, and nothing of treesmu. A name that
# needs a part of such a package without importing it is found by the tests of commands, which are processes of their own.
RUN_EACH = """
import os, sys, traceback
from contextlib import suppress
for name in ("numpy", "torch", "pyarrow", "pydantic", "sklearn.base"):
    with suppress(ImportError):
        __import__(name)
assert not [name for name in sys.modules if name.partition(".")[0] == "treesmu"]
for program in sys.argv[1:]:
    if (copy := os.fork()) == 0:
        try:
            exec(program, {})
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]):
        print(program)
"""


def test_every_public_name_can_be_imported_first() -> None:
    programs = [f"from treesmu import {name}" for name in treesmu.__all__]
    done = subprocess.run([sys.executable, "-c", RUN_EACH, *programs], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == [], done.stderr


def test_a_star_imports_all_public_names() -> None:
    names: dict[str, object] = {}
    exec("from treesmu import *", names)
    assert set(treesmu.__all__) <= set(names)


def test_type_checkers_see_what_is_there_and_nothing_else() -> None:
    """They do not read ``__getattr__``, which would make every name Any."""
    lazy = {*treesmu._MODULES, *treesmu._ROOMS}
    assert names_for_type_checkers() == lazy | {"Model"}
    assert {*treesmu.__all__} - lazy == {"__version__", "load"}
    assert not [node for node in BODY if isinstance(node, ast.FunctionDef) and node.name == "__getattr__"]


def test_a_lazy_name_is_the_object_of_its_module() -> None:
    from treesmu import expr, registry

    assert treesmu.parse is expr.parse
    assert treesmu.register is registry.register
    assert treesmu.expr is expr


def test_rooms_need_no_import_of_their_own() -> None:
    program = "import treesmu; treesmu.data.Vocab; treesmu.expr.parse; treesmu.models.TreeSMU"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_tab_completion_lists_names_that_are_not_imported_yet() -> None:
    program = "import treesmu; print(*dir(treesmu))"
    listed = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert {*treesmu.__all__, "data", "expr", "models"} <= set(listed)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'treesmu' has no attribute 'prase'"):
        treesmu.prase  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'prase'"):
        exec("from treesmu import prase")


def test_expressions_and_verdicts_survive_pickling() -> None:
    e = treesmu.parse("sin(x)^2 + cos(x)^2 = 1")
    assert pickle.loads(pickle.dumps(e)) is e
    assert pickle.loads(pickle.dumps(treesmu.check(e))).label == "correct"
    assert pickle.loads(pickle.dumps(treesmu.parse)) is treesmu.parse
