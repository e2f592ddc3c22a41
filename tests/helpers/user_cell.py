"""A user's cell in a plugin file; a helper of tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from treesmu import registry

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


def write_plugin(folder: Path) -> Path:
    """Write the plugin into a folder and return the file."""
    file = folder / "user_cell.py"
    file.write_text(PLUGIN)
    return file


@contextmanager
def loaded_plugin(folder: Path) -> Iterator[str]:
    """Load the plugin into this process, remove its file, and yield the cell's name; on exit the process forgets it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_entries", dict(registry._entries))
        patch.setattr(registry, "_plugins", dict(registry._plugins))
        file = write_plugin(folder)
        registry.load_plugin(file)
        file.unlink()  # jobs must not need it
        yield USER_CELL
