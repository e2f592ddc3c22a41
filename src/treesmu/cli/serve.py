"""The command ``treesmu serve``: the explorer in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treesmu import extras

from .terminal.completion import SPLITS
from .terminal.imports import read_dataset
from .terminal.options import InputError, Plugins, choice_of, load_plugins

if TYPE_CHECKING:
    from treesmu.web.corpus import Corpus


def serve(
    port: Annotated[int, typer.Option(metavar="P", min=0, max=65535, help="The port; 0 for any free one.")] = 8000,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; by default this machine only. 0.0.0.0: everybody.")
    ] = "127.0.0.1",
    models: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Further models: a folder of .safetensors files or of run folders."),
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(metavar="CORPUS_OR_FILE", help="Equations to browse: a corpus folder, or a file.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(metavar="S", min=0.1, max=3600, help="Give up an answer that takes more processor time.")
    ] = 10.0,
    split: Annotated[str, choice_of(lambda: SPLITS, "The split of the corpus that is shown.")] = "test",
    plugin: Plugins = None,
) -> None:
    """Open the explorer, a page that shows what a model does with an equation.

    Type an equation and see the verdict, both curves, the tree with its stacks, similar expressions, completions, two models
    side by side, and a corpus with the model's mistakes. The page needs no network. Ctrl-C ends the service.

    \b
    Examples:
      treesmu serve --port 8123
      treesmu serve --models runs --corpus corpora/quick
    """
    load_plugins(plugin)
    extras.require("treesmu serve", "fastapi", "uvicorn")
    from treesmu.web.catalogue import find_models
    from treesmu.web.server import open_socket, url_of
    from treesmu.web.server import serve as serve_until_interrupted
    from treesmu.web.service import Service

    files = find_models(models)
    rows = None if corpus is None else _read_corpus(corpus, split)
    with open_socket(host, port) as listening:
        address = f"the explorer: {url_of(listening)}     stop it with Ctrl-C"
        serve_until_interrupted(Service(files, rows, seconds=seconds), listening, host, lambda: print(address, flush=True))


def _read_corpus(path: Path, split: str) -> Corpus:
    from treesmu.web.corpus import Corpus

    data = read_dataset(path, split)
    if not len(data):
        raise InputError(f"{path}: no equations in the split {split}; choose another with --split")
    return Corpus(path.resolve().name, data)
