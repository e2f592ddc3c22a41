"""Plugins: Python files that register models, and the code of a model as a hash. Does not import PyTorch."""

from __future__ import annotations

import ast
import hashlib
import inspect
import sys
from pathlib import Path
from textwrap import dedent
from types import CodeType, ModuleType

from . import registry
from .errors import DataError, describe

_MODULE = "treesmu_plugin_"  # a plugin's module is named by this and the hash of its code
_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_loaded: dict[str, str] = {}  # the source of each loaded plugin, by its path


def load_plugin(path: str | Path) -> None:
    """Run a Python file that registers models; raise a DataError with a one-line message if it fails."""
    path = Path(path)
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DataError(f"plugin {path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    run_plugin(str(path), source)


def run_plugin(path: str, source: str) -> None:
    """Run the source of a plugin once per process; the path identifies it and is shown in messages.

    If the source has changed since the last time, its models replace the former ones.
    """
    if _loaded.get(path) == source:
        return
    if path in _loaded:
        registry.forget(_module_name(_loaded.pop(path)))
    module, before = ModuleType(_module_name(source)), registry.registered()
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses and pickle look up the module of a class
    try:
        exec(_compiled(source, path), module.__dict__)
    except BaseException as error:
        sys.modules.pop(module.__name__, None)
        registry.forget(module.__name__)
        if not registry.is_of_user(error):
            raise
        raise DataError(f"plugin {path}{_line_of(path, error)}: {describe(error)}") from error
    if not _has_registered(module, before):
        del sys.modules[module.__name__]
        raise DataError(f'plugin {path} registered no model; call treesmu.register("name", Class) in it')
    _loaded[path] = source


def loaded_plugins() -> dict[str, str]:
    """Return the path and the source of every plugin of this process, so that another process can load the same models."""
    return dict(_loaded)


def is_plugin(module: str) -> bool:
    """Return whether a module is a plugin, by its name."""
    return module.startswith(_MODULE)


def code_hash(model: type) -> str | None:
    """Return a hash of the user's code that defines a class, without comments and docstrings.

    Of a plugin it is the whole file; of other modules the class and its bases. None if treesmu and PyTorch define all of it,
    or if the code cannot be read. Other functions that these modules import are not part of it.
    """
    parts = []
    for base in model.__mro__:
        if base.__module__.partition(".")[0] in {"treesmu", "torch", *sys.stdlib_module_names}:
            continue
        if is_plugin(base.__module__):
            parts.append(base.__module__)
            continue
        try:
            parts.append(_bare_code(dedent(inspect.getsource(base))))
        except (OSError, TypeError, SyntaxError):  # typed into an interpreter, or made by other code
            return None
    return _hash("\n".join(dict.fromkeys(parts))) if parts else None


def has_other_code(model: type, stored: str | None) -> bool:
    """Return whether the code of a class differs from the one that was stored; False if either is unknown."""
    return stored is not None and code_hash(model) not in (None, stored)


# -- parts -------------------------------------------------------------------------------------------------------------


def _has_registered(module: ModuleType, before: dict[str, registry.Entry]) -> bool:
    """Return whether a plugin has registered a model, or imports a module that had done so earlier and is not run again."""
    now = registry.registered()
    if any(entry is not before.get(name) for name, entry in now.items()):
        return True
    defining = {entry.path.partition(":")[0] for entry in now.values()}
    return not defining.isdisjoint(map(_module_of, vars(module).values()))


def _module_of(value: object) -> object:
    return value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)


def _module_name(source: str) -> str:
    try:
        return _MODULE + _hash(_bare_code(source))
    except (SyntaxError, ValueError):  # running it will say where
        return _MODULE + _hash(source)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _bare_code(source: str) -> str:
    """Return code without comments and docstrings, in one layout; as it is, if it is nested too deeply for that."""
    try:
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        return ast.unparse(tree)
    except (MemoryError, RecursionError):  # Python's parser says the former
        return source


def _compiled(source: str, path: str) -> CodeType:
    try:
        return compile(source, path, "exec")
    except (MemoryError, RecursionError) as error:
        raise DataError("its code is nested too deeply for Python; divide the long expressions") from error


def _line_of(path: str, error: BaseException) -> str:
    """Return the line of the plugin that caused an error, as ``", line 3"``; "" if no line of it did."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return f", line {error.lineno}"
    line, trace = None, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == path else line
        trace = trace.tb_next
    return "" if line is None else f", line {line}"
