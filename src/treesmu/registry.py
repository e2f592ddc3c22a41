"""Models by name: the built-in ones, those of installed packages, and those that a user registers. Loads no PyTorch.

A model is a cell (a subclass of :class:`treesmu.models.Cell`, which a :class:`treesmu.models.TreeEncoder` runs over forests) or
an encoder of its own (such as the LSTM). Three ways lead into the registry, and the built-in models take the first:

- ``treesmu.register("my-cell", MyCell)``;
- an entry point of the group ``treesmu.models`` in an installed package: ``my-cell = "my_package:MyCell"``;
- ``--plugin FILE.py`` on the command line: a file that calls ``treesmu.register``.
"""

from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from .errors import DataError

Kind = Literal["cell", "encoder"]
GROUP = "treesmu.models"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class _Entry:
    """A registered model. kind: None if it is known only once the class is loaded."""

    target: type | str  # a class, or "module:Class", which is imported when it is needed
    kind: Kind | None


_entries: dict[str, _Entry] = {}
_plugins: dict[str, str] = {}  # the source of each loaded plugin, by its path, for processes that load it too


def register(name: str, model: type | str, *, kind: Kind | None = None) -> None:
    """Make a model available by name: in ``treesmu train --model NAME``, in files of weights, in studies and reports.

    model: a class, or ``"module:Class"`` to be imported when it is needed; kind: what such a class is.
    Registering the same class again is allowed; another class under a name that is taken is a DataError.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise DataError(f"a model's name is lower-case words joined by hyphens, such as my-cell, not {name!r}")
    if isinstance(model, type):
        kind = _kind_of(name, model)
    elif not isinstance(model, str):
        raise DataError(f"model {name!r}: register the class itself, not an object of {type(model).__name__}")
    known = _entries.get(name)
    if known is not None and _path(known.target) != _path(model):
        raise DataError(f"the model name {name!r} is already taken by {_path(known.target)}; choose another name")
    _entries[name] = _Entry(model, kind)


def names() -> tuple[str, ...]:
    """Return the names of all models: built-in, registered, and of installed packages."""
    return tuple(dict.fromkeys((*_entries, *_installed())))


def model_class(name: str) -> Any:
    """Return the class of a model; an unknown name is a DataError that lists the known ones."""
    entry = _entry(name)
    if isinstance(entry.target, type):
        return entry.target
    module, _, attribute = entry.target.partition(":")
    return getattr(import_module(module), attribute)


def is_tree_model(name: str) -> bool:
    """Return whether a model is a cell, so that it has a state for every node of a tree."""
    entry = _entry(name)
    kind = _kind_of(name, model_class(name)) if entry.kind is None else entry.kind
    return kind == "cell"


def check_name(name: object) -> str:
    """Return the name if a model has it; otherwise raise a DataError."""
    if not isinstance(name, str) or name not in names():
        remedy = "; a model of your own needs --plugin FILE.py or treesmu.register"
        raise DataError(f"unknown model {name!r}; known: {', '.join(names())}{remedy}")
    return name


# -- plugins -----------------------------------------------------------------------------------------------------------


def load_plugin(path: str | Path) -> None:
    """Run a Python file that registers models. A file that fails is a DataError of one line."""
    path = Path(path)
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DataError(f"plugin {path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    run_plugin(str(path), source)


def run_plugin(path: str, source: str) -> None:
    """Run the source of a plugin once per process; path is only for messages and tracebacks."""
    if _plugins.get(path) == source:
        return
    module = ModuleType(f"treesmu_plugin_{hashlib.sha256(source.encode()).hexdigest()[:16]}")
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses and pickle look a class's module up
    try:
        exec(compile(source, path, "exec"), module.__dict__)
    except Exception as error:
        del sys.modules[module.__name__]
        where = f", line {error.lineno}" if isinstance(error, SyntaxError) else _line_in(path, error)
        reason = " ".join(str(error).split()) or type(error).__name__
        raise DataError(f"plugin {path}{where}: {type(error).__name__}: {reason}") from error
    _plugins[path] = source


def loaded_plugins() -> dict[str, str]:
    """Return path and source of every plugin of this process: what another process needs to know the same models."""
    return dict(_plugins)


# -- parts -------------------------------------------------------------------------------------------------------------


def _entry(name: str) -> _Entry:
    check_name(name)
    if name not in _entries:
        point = _installed()[name]
        try:
            loaded = point.load()
        except Exception as error:
            raise DataError(f"model {name!r} of the installed package {point.value!r}: cannot be loaded: {error}") from error
        register(name, loaded)
    return _entries[name]


@cache
def _installed() -> dict[str, EntryPoint]:
    """The models of installed packages, by name; none of them is loaded yet."""
    return {point.name: point for point in entry_points(group=GROUP)}


def _kind_of(name: str, model: Any) -> Kind:
    """A cell has ``step``, an encoder has ``plan``."""
    if not isinstance(model, type):
        raise DataError(f"model {name!r}: expected a class, not {type(model).__name__}")
    if callable(getattr(model, "step", None)):
        return "cell"
    if callable(getattr(model, "plan", None)):
        return "encoder"
    raise DataError(
        f"model {name!r}: {model.__name__} is neither a cell (with a method step) nor an encoder (with a method plan)"
    )


def _path(target: type | str) -> str:
    return target if isinstance(target, str) else f"{target.__module__}:{target.__qualname__}"


def _line_in(path: str, error: BaseException) -> str:
    """The last line of the plugin that the error went through."""
    line, trace = None, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == path else line
        trace = trace.tb_next
    return "" if line is None else f", line {line}"


for _name, _class in {
    "tree-smu": "cells.smu:TreeSMU",
    "tree-lstm": "cells.tree_lstm:TreeLSTM",
    "tree-rnn": "cells.tree_rnn:TreeRNN",
    "stack-tree-rnn": "cells.stack_rnn:StackTreeRNN",
    "lstm": "sequences.lstm:LSTMEncoder",
    "transformer": "sequences.transformer:TransformerEncoder",
    "tree-transformer": "sequences.tree_transformer:TreeTransformerEncoder",
    "majority": "majority:MajorityEncoder",
}.items():
    register(_name, f"treesmu.models.{_class}", kind="cell" if _class.startswith("cells.") else "encoder")
BUILT_IN = tuple(_entries)
