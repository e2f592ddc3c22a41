"""The application: all commands, and how errors become one line and an exit code."""

from __future__ import annotations

import sys
import warnings
from errno import EISDIR, ELOOP, ENAMETOOLONG, ENOTDIR
from typing import Annotated, Any, NoReturn

import typer

from treesmu import __version__
from treesmu.engine import EngineError
from treesmu.errors import DataError, WriteError

from .commands import TreesmuCommands, new_typer
from .terminal.options import InputError

app = new_typer(
    cls=TreesmuCommands,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Neural networks on trees with a differentiable stack, and data to measure whether they generalise.",
    epilog="Exit codes: 0 success, 1 failure, 2 wrong usage or input, 130 interrupted by Ctrl-C, 143 terminated by SIGTERM.",
)
_OF_NAMES = (ENAMETOOLONG, ELOOP, ENOTDIR, EISDIR)  # errors of a name that a user gave
_UsageError: Any = typer.BadParameter.__base__  # typer bundles its own click and does not export this class


def run() -> NoReturn:
    """Run a command and exit: 0 for success, 1 if something failed, 2 for wrong usage or input.

    An interruption is raised to the caller, as KeyboardInterrupt or ``signals.Terminated``.
    """
    warnings.showwarning = _show_warning
    try:
        code = app(standalone_mode=False, prog_name="treesmu")
    except _UsageError as error:
        _exit(2, _explain_usage(error))
    except (WriteError, EngineError) as error:
        _exit(1, str(error))
    except (InputError, DataError) as error:
        _exit(2, str(error))
    except typer.Abort:
        raise KeyboardInterrupt from None
    except BrokenPipeError:  # the reader of the output, such as head or less, has closed it
        sys.stderr.close()
        sys.exit(0)
    except UnicodeEncodeError as error:
        _exit(2, f"{str(error.object)[:200]!a}: not UTF-8 text; rename the file, or write the text in UTF-8")
    except OSError as error:  # most likely a full disk
        if error.errno in _OF_NAMES:
            _exit(2, f"{error.filename}: {error.strerror}; give the name of another file or folder")
        where = f" {error.filename}" if error.filename else ""
        _exit(1, f"cannot write{where}: {error.strerror or error}")
    if code == 130:  # typer has caught KeyboardInterrupt
        raise KeyboardInterrupt
    sys.exit(code if isinstance(code, int) else 0)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning as one line, without the place in our code."""
    print(f"treesmu: warning: {' '.join(str(message).split())}", file=sys.stderr)


def _exit(code: int, message: str) -> NoReturn:
    print(f"treesmu: {message}", file=sys.stderr)
    sys.exit(code)


def _explain_usage(error: Any) -> str:
    message = str(error.format_message())
    hint = f" (see: {error.ctx.command_path} --help)" if error.ctx else ""
    if "No such option" in message:
        hint += "; put -- before an equation that begins with a minus"
    return message.rstrip(".") + hint


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
