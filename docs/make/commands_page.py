"""The page docs/reference/commands.md: every command, made from the help texts of the command line."""

from __future__ import annotations

import inspect
import re
from typing import Any

import typer

from treesmu.cli.app import app

HEADER = """# Commands

What `treesmu COMMAND --help` says; this page is generated from it by `make docs`. Every command prints an error as one line
and ends with exit code 0 (success), 1 (failure), 2 (wrong usage or input), 130 (interrupted by Ctrl-C) or 143 (terminated by
SIGTERM).

| environment variable | meaning |
|---|---|
| `TREESMU_CACHE` | The folder of imported files; `~/.cache/treesmu` by default ([own equations](../how-to/own-equations.md)). |
| `TREESMU_COMPILED` | `0`: tree models are not compiled ([models](../explanation/models.md)). |
| `TREESMU_TRACEBACK` | `1`: also show the traceback of an internal error, which a bug report needs. |
"""


def page() -> str:
    """Return the page as Markdown: one section per command."""
    return "\n".join([HEADER, *_sections(typer.main.get_command(app), "treesmu")])


def _sections(command: Any, path: str) -> list[str]:
    """Return the sections of a command, or of the commands of a group."""
    if not hasattr(command, "commands"):
        return [_section(command, path)]
    return [part for name, inner in command.commands.items() for part in _sections(inner, f"{path} {name}")]


def _section(command: Any, path: str) -> str:
    context = typer.Context(command, info_name=path)
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    about, _, examples = inspect.cleandoc(command.help).partition("\b\nExamples:\n")
    parts = [f"## `{path}`", about.strip(), f"```text\n{usage}\n```", _table(command, context)]
    if examples:
        parts.append(f'```text title="Examples"\n{inspect.cleandoc(examples)}\n```')
    return "\n\n".join(parts) + "\n"


def _table(command: Any, context: typer.Context) -> str:
    records = [record for parameter in command.params if (record := parameter.get_help_record(context))]
    rows = [f"| {_names(names)} | {_cell(about)} |" for names, about in records]
    return "\n".join(["| argument or option | meaning |", "|---|---|", *rows])


def _names(names: str) -> str:
    """Return the names without the type, "<int range>", which says nothing that the meaning does not say."""
    return f"`{names.partition(' <')[0]}`"


def _cell(text: str) -> str:
    """Return a help text as the cell of a table: its pages of the documentation as links, and no bars."""
    text = re.sub(r"docs/([\w/-]+)\.md", lambda found: f"[{found[1].rpartition('/')[2]}](../{found[1]}.md)", text)
    return re.sub(r"\s+", " ", text).replace("|", "\\|").replace("_", "\\_").replace("*", "\\*")
