"""The table of commands, by group; a command's module is imported when the command is called or listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

# The groups of ``treesmu --help``. A command is the function of its name in the module of its name; data is data.data_app.
GROUPS = {
    "Try": ("verify", "complete", "trace", "serve"),
    "Data": ("generate", "data"),
    "Train and measure": ("train", "evaluate", "calibrate", "fit-prior", "import-weights"),
    "Studies": ("reproduce", "sweep", "report"),
}


def new_typer(**settings: Any) -> typer.Typer:
    """Return a Typer application in the style of treesmu: plain text, and errors that app.py prints in one line."""
    return typer.Typer(**{"add_completion": False, "rich_markup_mode": None, "pretty_exceptions_enable": False, **settings})


class CommandGroup(TyperGroup):
    """A group of commands whose help shows the whole first sentence of each."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands."""
        self.write_commands("Commands", self.list_commands(ctx), formatter)

    def write_commands(self, title: str, names: list[str], formatter: Any) -> None:
        """Write a section with one entry per command, in columns that are aligned between sections."""
        width = max(map(len, self.commands))
        rows = [(name.ljust(width), _first_paragraph(self.commands[name].help)) for name in names]
        with formatter.section(title):
            formatter.write_dl(rows)


class TreesmuCommands(CommandGroup):
    """All commands of treesmu, in groups."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _ImportedCommands()

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 (the signature of typer)
        """Write the list of commands, one section per group."""
        for title, names in GROUPS.items():
            self.write_commands(title, list(names), formatter)


class _ImportedCommands(Mapping[str, Any]):
    """The commands by name, each imported when it is looked up."""

    def __init__(self) -> None:
        self.names = [name for names in GROUPS.values() for name in names]

    def __getitem__(self, name: str) -> Any:
        if name not in self.names:
            raise KeyError(name)
        identifier = name.replace("-", "_")
        module = import_module(f"{__package__}.{identifier}")
        group: typer.Typer | None = getattr(module, f"{identifier}_app", None)
        if group is None:
            group = new_typer()
            group.command(name)(getattr(module, identifier))  # a group of one command is that command
        return typer.main.get_command(group)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def _first_paragraph(text: str | None) -> str:
    return " ".join((text or "").partition("\n\n")[0].split())
