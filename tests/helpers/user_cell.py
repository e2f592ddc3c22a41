"""A user's cell in a plugin file; a helper of tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from treesmu import plugins, registry

USER_CELL = "user-cell"
PLUGIN = '''"""A user's cell without memory and without dropout."""

import torch
import treesmu
from treesmu.models import Cell


class UserCell(Cell):
    def __init__(self, hidden=7):
        super().__init__(hidden, width=hidden)

    def settings(self):
        return {"hidden": self.hidden}

    def step(self, z, memory, at):
        return torch.sin(z), None, {}


treesmu.register("user-cell", UserCell)
'''


def write_plugin(folder: Path, *, other_code: bool = False) -> Path:
    """Write the plugin into a folder and return the file. other_code: the step computes something else in the same shapes."""
    file = folder / "user_cell.py"
    file.write_text(PLUGIN.replace("torch.sin", "torch.tanh") if other_code else PLUGIN)
    return file


@contextmanager
def loaded_plugin(folder: Path) -> Iterator[str]:
    """Load the plugin into this process, remove its file, and yield the cell's name; on exit the process forgets it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_entries", dict(registry._entries))
        patch.setattr(plugins, "_loaded", dict(plugins._loaded))
        file = write_plugin(folder)
        plugins.load_plugin(file)
        file.unlink()  # jobs must not need it
        yield USER_CELL
