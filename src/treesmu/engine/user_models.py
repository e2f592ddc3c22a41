"""Models of a user in jobs: a job of another process knows the models that are registered where it was submitted."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from sys import modules
from typing import Any, NamedTuple

from treesmu import plugins, registry


class UserModels(NamedTuple):
    """What another process needs to know the models of this one.

    The source of a plugin travels, not its path: a machine of a cluster does not have the file. The name of a class of a module
    travels; the other process imports it when it is needed. A class of a script or of a notebook cannot be imported.
    """

    plugins: dict[str, str]  # sources, by their paths
    classes: dict[str, tuple[str, registry.Kind | None]]  # "module:Class" and kind, by the name of the model


def user_models() -> UserModels:
    """Return the models of this process that another one can know."""
    found = {name: entry for name, entry in registry.registered().items() if _can_be_imported(entry)}
    return UserModels(plugins.loaded_plugins(), {name: (entry.path, entry.kind) for name, entry in found.items()})


def call_with_models(models: UserModels, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function after the models are registered in this process, which runs each plugin only once."""
    with _uninterrupted():
        for path, source in models.plugins.items():
            plugins.run_plugin(path, source)
    for name, (path, kind) in models.classes.items():
        registry.register(name, path, kind=kind)
    return function(*arguments)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ignore interruptions: Ray cancels a job by one, and a process is unusable after half an import of PyTorch."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def _can_be_imported(entry: registry.Entry) -> bool:
    """Return whether the class is an attribute of a module that another process can import."""
    module, _, name = entry.path.partition(":")
    if isinstance(entry.target, str):
        return True
    if module in ("__main__", "__mp_main__") or plugins.is_plugin(module):
        return False
    try:
        return attrgetter(name)(modules[module]) is entry.target
    except (AttributeError, KeyError):  # defined within a function, or in a module that was made by other code
        return False
