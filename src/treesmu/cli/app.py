"""The application: all commands, and how they end."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated, NoReturn

import typer

from treesmu import __version__

from .commands import TreesmuCommands, new_typer
from .failures import fail
from .terminal.messages import say

app = new_typer(
    cls=TreesmuCommands,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Neural networks on trees with a differentiable stack, and data to measure whether they generalise.",
    epilog="Exit codes: 0 success, 1 failure, 2 wrong usage or input, 130 interrupted by Ctrl-C, 143 terminated by SIGTERM.",
)


def run() -> NoReturn:
    """Run a command and exit: 0 for success, 1 if something failed, 2 for wrong usage or input.

    An interruption is raised to the caller, as KeyboardInterrupt or ``signals.Terminated``.
    """
    warnings.showwarning = _show_warning
    try:
        code = app(standalone_mode=False, prog_name="treesmu")
    except typer.Abort:
        raise KeyboardInterrupt from None
    except BrokenPipeError:  # the reader of the output, such as head or less, has closed it
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:  # a user never sees a traceback
        fail(error)
    if code == 130:  # typer has caught KeyboardInterrupt
        raise KeyboardInterrupt
    sys.exit(code if isinstance(code, int) else 0)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning as one line, without the place in our code."""
    say(f"warning: {' '.join(str(message).split())}")


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", "-V", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    if version:
        from treesmu.compilation import description

        print(f"treesmu {__version__}\ntree models: {description()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
