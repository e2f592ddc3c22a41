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

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, get_args

from .errors import DataError, describe, one_line

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Kind = Literal["cell", "encoder"]
GROUP = "treesmu.models"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_ENCODER_METHODS = ("plan", "plan_exprs", "forward", "settings")
_NAME_RULE = "a model's name is lower-case words joined by hyphens, such as my-cell"


@dataclass(frozen=True)
class Entry:
    """A registered model. kind: None if it is known only once the class is loaded."""

    target: type | str | EntryPoint  # a class, or "module:Class" or an entry point, which are imported when they are needed
    kind: Kind | None

    @property
    def path(self) -> str:
        """Where the class is, as ``"module:Class"``."""
        return _path(self.target)


_entries: dict[str, Entry] = {}


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
    if known is not None and known.path != _path(model):
        raise DataError(f"the model name {name!r} is already taken by {known.path}; choose another name")
    _entries[name] = Entry(model, kind)


def names() -> tuple[str, ...]:
    """Return the names of all models: built-in, registered, and of installed packages."""
    return tuple(dict.fromkeys((*_entries, *filter(_NAME.fullmatch, _installed()))))


def model_class(name: str) -> Any:
    """Return the class of a model; raise a DataError that lists the known names if the name is unknown."""
    check_name(name)
    entry = _entries.get(name) or Entry(_installed()[name], None)
    if isinstance(entry.target, type):
        return entry.target
    try:
        found = _import(entry.target) if isinstance(entry.target, str) else entry.target.load()
    except (Exception, SystemExit) as error:  # the module of a user can raise anything
        if not is_of_user(error):
            raise
        reason = describe(error) if isinstance(error, SystemExit) else one_line(error)
        raise DataError(f"model {name!r}: {entry.path} cannot be imported: {reason}") from error
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


def registered() -> dict[str, Entry]:
    """Return the models that were registered besides the built-in ones."""
    return {name: entry for name, entry in _entries.items() if name not in BUILT_IN}


def forget(module: str) -> None:
    """Remove the models that are defined in a module."""
    for name in [name for name, entry in registered().items() if entry.path.startswith(f"{module}:")]:
        del _entries[name]


def is_of_user(error: BaseException) -> bool:
    """Return whether a user's code raised an error; Ctrl-C and signals, as subclasses of SystemExit, end the process."""
    return isinstance(error, Exception) or type(error) is SystemExit


# -- parts -------------------------------------------------------------------------------------------------------------


@cache
def _installed() -> dict[str, EntryPoint]:
    """Return the models of installed packages by name, without loading them."""
    from importlib.metadata import entry_points  # takes as long as the rest of treesmu's imports together

    return {point.name: point for point in entry_points(group=GROUP)}


def _import(target: str) -> Any:
    module, _, attribute = target.partition(":")
    return attrgetter(attribute.strip())(import_module(module.strip()))


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
