"""The command line ``treesmu``: each command turns its arguments into one function call, and the result into text or JSON."""

from .app import main

__all__ = ["main"]
