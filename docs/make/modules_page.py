"""The page docs/reference/modules.md: a table of all modules, made from the first lines of their docstrings."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "treesmu"
ROOMS = "expr generate data models tasks training engine experiments report cli".split()  # from input to output
HEADER = """# Modules

Every module of `treesmu` and what it is for. This page is generated from the first lines of the modules' docstrings by
`make docs`; [architecture](../explanation/architecture.md) explains how the rooms depend on each other.
"""


def page() -> str:
    """Return the page as Markdown: one table per room, and one for the modules outside of rooms."""
    folders = {folder.name for folder in SOURCE.iterdir() if (folder / "__init__.py").exists()}
    names = [name for name in ROOMS if name in folders] + sorted(folders - set(ROOMS))
    sections = [_section(name, SOURCE / name) for name in names]
    shared = [file for file in sorted(SOURCE.glob("*.py")) if file.stem != "__main__"]
    return "\n".join([HEADER, "## Modules that every room may use\n", _table(shared, SOURCE), *sections])


def _section(name: str, folder: Path) -> str:
    modules = sorted(folder.rglob("*.py"), key=lambda file: (file.parent, file.stem != "__init__", file.stem))
    modules.remove(folder / "__init__.py")
    return f"## `{name}`\n\n{_first_line(folder / '__init__.py')}\n\n{_table(modules, folder)}"


def _table(files: list[Path], folder: Path) -> str:
    rows = [f"| {_link(file, folder)} | {_first_line(file)} |" for file in files]
    return "\n".join(["| module | purpose |", "|---|---|", *rows, ""])


def _link(file: Path, folder: Path) -> str:
    """Return the module's name within its room, linked to its source; a folder's name ends with a slash."""
    path = file.relative_to(folder)
    name = f"{path.parent}/" if path.stem == "__init__" else str(path.with_suffix(""))
    return f"[`{name if name != './' else 'treesmu'}`](../../{file.relative_to(ROOT)})"


def _first_line(file: Path) -> str:
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    line = re.sub(r":[a-z]+:`", "`", docstring.partition("\n")[0])  # roles of Sphinx
    return line.replace("``", "`").replace("|", "\\|")
