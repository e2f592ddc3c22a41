"""The command line: arguments -> one function call -> text or JSON. Bad input is one clear message and exit code 2."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer

from treesmu import __version__
from treesmu.engine import EngineError
from treesmu.errors import DataError
from treesmu.expr import ParseError

from .complete import complete
from .data import data_app
from .evaluate import evaluate
from .generate import generate
from .import_weights import import_weights
from .report import report
from .reproduce import reproduce
from .sweep import sweep
from .terminal.options import InputError
from .train import train
from .verify import verify

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Neural networks on trees with a differentiable stack, and data to measure whether they generalise.",
)


# finalisers and callbacks of weak references: of our expressions, of weakref, _weakrefset, importlib and concurrent.futures
_NOTHING_IS_RAISED = {"__del__", "_forget", "remove", "_remove", "cb", "weakref_cb"}
_UsageError: Any = typer.BadParameter.__base__  # typer carries a click of its own and does not export its errors


def main() -> NoReturn:
    """Run the command line. Exit code 0; 1 when something failed; 2 for bad usage or input."""
    for told in (signal.SIGTERM, signal.SIGINT):
        signal.signal(told, _leave)
    try:
        code = app(standalone_mode=False, prog_name="treesmu")
    except _UsageError as error:
        hint = f" (see: {error.ctx.command_path} --help)" if error.ctx else ""
        if "No such option" in error.format_message():
            hint += "; put -- before an equation that begins with a minus"
        _fail(error.format_message().rstrip(".") + hint)
    except (InputError, ParseError, DataError) as error:
        _fail(str(error))
    except EngineError as error:
        print(f"treesmu: {error}", file=sys.stderr)
        sys.exit(1)
    except (typer.Abort, KeyboardInterrupt):
        print("treesmu: interrupted", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:  # the reader of our output (head, less) has seen enough
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:  # a full disk, most likely
        where = f" {error.filename}" if error.filename else ""
        print(f"treesmu: cannot write{where}: {error.strerror or error}", file=sys.stderr)
        sys.exit(1)
    if code == 130:  # typer's way to say that Ctrl-C was pressed
        print("treesmu: interrupted", file=sys.stderr)
    sys.exit(code if isinstance(code, int) else 0)


def _leave(told: int, frame: FrameType | None) -> None:
    """Told to end: as any exit, so that what is half done is cleared away; a little later, where that would be lost."""
    if _would_be_lost(frame):
        signal.signal(signal.SIGALRM, lambda _, later: _leave(told, later))
        signal.setitimer(signal.ITIMER_REAL, 0.01)
    elif told == signal.SIGINT:
        raise KeyboardInterrupt
    else:
        sys.exit(143)


def _would_be_lost(frame: FrameType | None) -> bool:
    """Whether Python is at something of which it only prints what is raised, and goes on."""
    while frame is not None and frame.f_code.co_name not in _NOTHING_IS_RAISED:
        frame = frame.f_back
    return frame is not None


def _fail(message: str) -> NoReturn:
    print(f"treesmu: {message}", file=sys.stderr)
    sys.exit(2)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    if version:
        print(f"treesmu {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


for command in (verify, complete, generate, train, evaluate, import_weights, reproduce, sweep, report):
    app.command()(command)
app.add_typer(data_app, name="data")
