"""The command ``treesmu calibrate``: let a model say 90% where 90% of the equations are correct, at every depth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from .tables import calibration as calibration_output
from .terminal.completion import SPLITS
from .terminal.imports import read_dataset
from .terminal.messages import print_text
from .terminal.options import (
    AsJson,
    Device,
    InputError,
    Plugins,
    choice_of,
    depth_range,
    load_plugins,
    model_to_change,
    read_model,
)
from .terminal.untrained import say_unreadable


def calibrate(
    model: Annotated[Path, typer.Argument(help="A run folder or a file of weights (.safetensors).")],
    data: Annotated[Path, typer.Argument(help="A corpus folder, or a file of labelled equations, of which all rows are used.")],
    split: Annotated[str, choice_of(lambda: SPLITS, "The split of a corpus folder: validation, test or train.")] = "validation",
    depths: Annotated[str | None, typer.Option(metavar="A-B", help="Only equations of these depths.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a new file instead of changing the model's.")] = None,
    device: Device = "auto",
    plugin: Plugins = None,
    as_json: AsJson = False,
) -> None:
    """Fit the probabilities of a model to labelled equations, at every depth.

    The probability that an equation is correct is then sigmoid((logit - shift) / temperature), with a shift and a temperature
    that depend on its depth: linearly between the first, the middle and the last depth of the data, constant beyond. They are
    stored in the model's file; its weights stay as they are. Use equations that the model was not trained on, of all depths
    at which it will be used, and measure it on others.

    \b
    Examples:
      treesmu calibrate runs/first corpora/quick
      treesmu calibrate runs/first equations.csv --out new.safetensors
    """
    load_plugins(plugin)
    chosen = depth_range(depths)
    with model_to_change(model, out) as (source, written):
        rows = read_dataset(data, split).select(depths=chosen)
        if not (rows.label >= 0).any():
            of_depths = f" of depth {depths}" if depths else ""
            raise InputError(f"{data}: no labelled equations{of_depths}")
        loaded = read_model(model, device)
        from treesmu.models.store import load, save
        from treesmu.tasks.calibrate import calibrate as fit
        from treesmu.tasks.verify import readable_rows

        rows, unreadable = readable_rows(loaded, rows)
        say_unreadable(unreadable)
        fitted = fit(loaded, rows)
        stored = load(source)  # in the precision of the file, which must not change
        stored.calibration = fitted.calibration
        save(stored, written)
    if as_json:
        facts = {"equations": fitted.equations, "unreadable": len(unreadable), "calibration": fitted.calibration.to_dict()}
        print(json.dumps({"file": str(written), **facts, "raw": fitted.raw, "calibrated": fitted.calibrated}, indent=2))
        return
    print_text(calibration_output.table(fitted))
    print_text(f"-> {written}")
