"""treesmu train: from a corpus to a trained model."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from .terminal.options import AsJson, InputError, depth_range, pairs
from .terminal.training_screen import Board, Screen, each


def train(
    corpus: Annotated[Path, typer.Argument(help="A corpus folder, as treesmu generate makes.")],
    out: Annotated[Path, typer.Option(help="The run folder to make.")],
    model: Annotated[
        str | None,
        typer.Option(
            help="tree-smu (the default), tree-lstm, tree-rnn, stack-tree-rnn, lstm, transformer, tree-transformer, majority."
        ),
    ] = None,
    recipe: Annotated[str | None, typer.Option(help="paper, or treesmu (tree models): see docs/training.md.")] = None,
    depths: Annotated[str | None, typer.Option(help="Depths of training and validation equations, A-B.")] = None,
    rows: Annotated[int | None, typer.Option(min=1, help="Train on so many equations.")] = None,
    epochs: Annotated[int | None, typer.Option(min=1)] = None,
    batch: Annotated[int | None, typer.Option(min=1, help="Equations a step.")] = None,
    learning_rate: Annotated[float | None, typer.Option("--learning-rate", "--lr")] = None,
    hidden: Annotated[int | None, typer.Option(min=1, help="The size n of a state.")] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", help="Any other setting, NAME=VALUE: head=distance, cell.stack=5; may be given again."),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings; options count before it.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed gives the same weights, bit for bit.")] = None,
    seeds: Annotated[str | None, typer.Option(help="Several, joined by commas: a run each, in OUT/seed-N.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in OUT, with its settings.")] = False,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Also write OUT/tensorboard.")] = False,
    checkpoint_seconds: Annotated[float, typer.Option(min=0, help="Between two checkpoints within an epoch.")] = 60,
    threads: Annotated[int, typer.Option(min=1, help="Of PyTorch; one is fastest for small models.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Train a model; the best on validation is kept, then tested. Under torchrun the work of a batch is shared."""
    if seed is not None and seeds is not None:
        raise InputError("--seed and --seeds: give one of them")
    options: dict[str, Any] = {
        "model": model, "recipe": recipe, "depths": depth_range(depths), "rows": rows, "epochs": epochs, "batch": batch,
        "learning_rate": learning_rate, "seed": seed, "cell": None if hidden is None else {"hidden": hidden},
    }  # fmt: skip
    given = {name: value for name, value in options.items() if value is not None}
    every = [(out, given)] if seeds is None else [(out / f"seed-{one}", given | {"seed": one}) for one in _seeds(seeds)]
    own = pairs(setting or [])
    import torch

    from treesmu.training.distributed import ProcessGroup
    from treesmu.training.trainer import Trainer

    torch.set_num_threads(threads)
    results = []
    with ProcessGroup.join() as process_group:
        is_first = process_group.rank == 0
        how: dict[str, Any] = {"resume": resume, "checkpoint_seconds": checkpoint_seconds, "process_group": process_group}
        for folder, settings in process_group.run_on_first(lambda: _runs(corpus, every, config, own, resume)):
            screen = Screen(settings, folder, _next(folder, corpus), quiet=as_json or not is_first)
            board = Board(folder) if tensorboard and is_first else None
            Trainer(corpus, folder, settings, callback=each(screen, board), **how).run()
            results.append({"run": str(folder), **screen.result})
    if as_json and is_first:
        print(json.dumps(results if seeds is not None else results[0], indent=2))
    process_group.exit()


def _runs(
    corpus: Path, every: list[tuple[Path, dict[str, Any]]], config: Path | None, own: dict[str, Any], resume: bool
) -> list[tuple[Path, Any]]:
    """The folder and the settings of each run. What a later run would be refused for is refused now.

    Options count before --set, this before the file, and the file before what a run that is resumed was begun with.
    """
    from treesmu.training.run_folder import RunFolder, run_identity
    from treesmu.training.settings import TrainSettings, merge_settings, read_settings

    chosen, runs = merge_settings(read_settings(config) if config else {}, own), []
    for folder, given in every:
        run = RunFolder(folder)
        before = run.stored_settings()["settings"] if resume and run.settings.exists() else {}
        settings = TrainSettings.of(**merge_settings(before, chosen, given))
        run.open(run_identity(settings, corpus), resume)
        runs.append((folder, settings))
    return runs


def _seeds(text: str) -> list[int]:
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--seeds {text!r}: expected whole numbers joined by commas, such as 12093,12345,45678") from None
    if len(set(found)) < len(found) or min(found) < 0:
        raise InputError(f"--seeds {text!r}: each seed once, and none below 0")
    return found


def _next(folder: Path, corpus: Path) -> str:
    return shlex.join(["treesmu", "evaluate", str(folder), str(corpus)])
