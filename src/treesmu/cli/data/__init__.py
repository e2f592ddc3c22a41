"""The commands ``treesmu data``: import, show, count, re-check and convert equations."""

from .import_files import import_files
from .inspect import data_app

__all__ = ["data_app"]

data_app.command("import")(import_files)
