"""Plugins in jobs: a job of another process knows the models that ``--plugin`` files have registered in this one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from treesmu import registry


def call_with_plugins(plugins: dict[str, str], function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function after the plugins have registered their models in this process.

    plugins: what :func:`treesmu.registry.loaded_plugins` returned where the job was submitted. The source travels, not the
    path: a machine of a cluster does not have the file. A process runs each plugin only once.
    """
    for path, source in plugins.items():
        registry.run_plugin(path, source)
    return function(*arguments)
