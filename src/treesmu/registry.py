"""Models by name: the built-in ones, those of installed packages, and those that a user registers. Does not import PyTorch.

A model is one of two kinds of classes:

- a cell, a subclass of :class:`treesmu.models.Cell` with a method ``step``; :class:`treesmu.models.TreeEncoder` runs it over
  forests. It is made by ``MyCell(**settings)``;
- an encoder, an ``nn.Module`` with the methods of :class:`treesmu.models.verifier.Encoder`, such as the LSTM. It is made by
  ``MyEncoder(vocab, **settings, norm=norm)``.

A model enters the registry in one of three ways; the built-in models use the first:

- ``treesmu.register("my-cell", MyCell)``;
- ``--plugin FILE.py`` on the command line: a file that calls ``treesmu.register``;
- an entry point of the group ``treesmu.models`` in an installed package: ``my-cell = "my_package:MyCell"``. A registered
  model takes precedence over an entry point of the same name.
"""

from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, get_args

from .errors import DataError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Kind = Literal["cell", "encoder"]
GROUP = "treesmu.models"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_ENCODER_METHODS = ("plan", "plan_exprs", "forward", "settings")
_NAME_RULE = "a model's name is lower-case words joined by hyphens, such as my-cell"


@dataclass(frozen=True)
class _Entry:
    """A registered model. kind: None if it is known only once the class is loaded."""

    target: type | str | EntryPoint  # a class, or "module:Class" or an entry point, which are imported when they are needed
    kind: Kind | None


_entries: dict[str, _Entry] = {}
_plugins: dict[str, str] = {}  # the source of each loaded plugin, by its path


def register(name: str, model: type | str, *, kind: Kind | None = None) -> None:
    """Make a model available by name: in ``treesmu train --model NAME``, in files of weights, in studies and reports.

    model: a class, or ``"module:Class"`` to be imported when it is needed; kind: ``"cell"`` or ``"encoder"``, if that is to
    be known without the import. The same class may be registered again; another class under a taken name raises a DataError.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise DataError(f"{_NAME_RULE}, not {name!r}")
    if kind not in (None, *get_args(Kind)):
        raise DataError(f"model {name!r}: unknown kind {kind!r}; known: {', '.join(get_args(Kind))}")
    if isinstance(model, type):
        kind = _kind_of(name, model, kind)
    elif not isinstance(model, str) or not all(model.partition(":")):
        raise DataError(f"model {name!r}: register a class, or 'module:Class', not {model!r}")
    known = _entries.get(name)
    if known is not None and _path(known.target) != _path(model):
        raise DataError(f"the model name {name!r} is already taken by {_path(known.target)}; choose another name")
    _entries[name] = _Entry(model, kind)


def names() -> tuple[str, ...]:
    """Return the names of all models: built-in, registered, and of installed packages."""
    return tuple(dict.fromkeys((*_entries, *filter(_NAME.fullmatch, _installed()))))


def model_class(name: str) -> Any:
    """Return the class of a model; raise a DataError that lists the known names if the name is unknown."""
    check_name(name)
    entry = _entries.get(name) or _Entry(_installed()[name], None)
    if isinstance(entry.target, type):
        return entry.target
    try:
        found = _import(entry.target) if isinstance(entry.target, str) else entry.target.load()
    except (Exception, SystemExit) as error:  # the module of a user can raise anything
        if not _is_of_user(error):
            raise
        reason = _describe(error) if isinstance(error, SystemExit) else _one_line(error)
        raise DataError(f"model {name!r}: {_path(entry.target)} cannot be imported: {reason}") from error
    _kind_of(name, found, entry.kind)
    return found


def is_tree_model(name: str) -> bool:
    """Return whether a model is a cell, so that it has a state for every node of a tree."""
    check_name(name)
    entry = _entries.get(name)
    if entry is None or entry.kind is None:
        return _kind_of(name, model_class(name)) == "cell"
    return entry.kind == "cell"


def check_name(name: object) -> str:
    """Return the name if there is a model of this name; otherwise raise a DataError."""
    if not isinstance(name, str) or name not in names():
        if isinstance(name, str) and name in _installed():
            raise DataError(f"{_path(_installed()[name])}: {_NAME_RULE}, not {name!r}")
        remedy = "; a model of your own needs --plugin FILE.py or treesmu.register"
        raise DataError(f"unknown model {name!r}; known: {', '.join(names())}{remedy}")
    return name


# -- plugins -----------------------------------------------------------------------------------------------------------


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
    if _plugins.get(path) == source:
        return
    if path in _plugins:
        _forget(_module_name(_plugins.pop(path)))
    module = ModuleType(_module_name(source))
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses and pickle look up the module of a class
    try:
        exec(compile(source, path, "exec"), module.__dict__)
    except BaseException as error:
        sys.modules.pop(module.__name__, None)
        _forget(module.__name__)
        if not _is_of_user(error):
            raise
        raise DataError(f"plugin {path}{_line_of(path, error)}: {_describe(error)}") from error
    if set(_entries) <= set(BUILT_IN):  # others may be of a module that was imported before and is not run again
        del sys.modules[module.__name__]
        raise DataError(f'plugin {path} registered no model; call treesmu.register("name", Class) in it')
    _plugins[path] = source


def loaded_plugins() -> dict[str, str]:
    """Return the path and the source of every plugin of this process, so that another process can load the same models."""
    return dict(_plugins)


# -- parts -------------------------------------------------------------------------------------------------------------


@cache
def _installed() -> dict[str, EntryPoint]:
    """Return the models of installed packages by name, without loading them."""
    from importlib.metadata import entry_points  # takes as long as the rest of treesmu's imports together

    return {point.name: point for point in entry_points(group=GROUP)}


def _import(target: str) -> Any:
    module, _, attribute = target.partition(":")
    return attrgetter(attribute.strip())(import_module(module.strip()))


def _is_of_user(error: BaseException) -> bool:
    """Return whether a user's code raised an error; Ctrl-C and signals, as subclasses of SystemExit, end the process."""
    return isinstance(error, Exception) or type(error) is SystemExit


def _kind_of(name: str, model: Any, declared: Kind | None = None) -> Kind:
    """Return the kind of a class; raise a DataError if it has none, or not the declared one."""
    if not isinstance(model, type):
        raise DataError(f"model {name!r}: expected a class, not {type(model).__name__}")
    # By name, because importing Cell would load PyTorch.
    is_cell = any(base.__name__ == "Cell" and base.__module__.startswith("treesmu.models.") for base in model.__mro__)
    if not is_cell and not all(callable(getattr(model, method, None)) for method in _ENCODER_METHODS):
        kinds = "neither a subclass of treesmu.models.Cell nor an encoder with plan, plan_exprs, forward and settings"
        raise DataError(f"model {name!r}: {model.__name__} is {kinds}")
    kind: Kind = "cell" if is_cell else "encoder"
    if declared not in (None, kind):
        raise DataError(
            f"model {name!r}: the kind of {model.__name__} is {kind!r}, but it is registered with kind={declared!r}"
        )
    return kind


def _path(target: type | str | EntryPoint) -> str:
    if isinstance(target, str):
        return target
    if isinstance(target, type):
        return f"{target.__module__}:{target.__qualname__}"
    return f"{target.value} of the package {target.dist.name if target.dist else 'unknown'}"


def _module_name(source: str) -> str:
    return f"treesmu_plugin_{hashlib.sha256(source.encode()).hexdigest()[:16]}"


def _forget(module: str) -> None:
    """Remove the models that are defined in a module."""
    for name in [name for name, entry in _entries.items() if _path(entry.target).startswith(f"{module}:")]:
        del _entries[name]


def _line_of(path: str, error: BaseException) -> str:
    """Return the line of the plugin that caused an error, as ``", line 3"``; "" if no line of it did."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return f", line {error.lineno}"
    line, trace = None, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == path else line
        trace = trace.tb_next
    return "" if line is None else f", line {line}"


def _describe(error: BaseException) -> str:
    if isinstance(error, DataError):
        return _one_line(error)
    return f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else _one_line(error)}"


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


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
