"""treesmu evaluate: how good is a model, overall and by depth?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from .shared import AsJson, InputError, depth_range

SHARES = ("accuracy", "precision", "recall", "specificity", "f1")


def evaluate(
    model: Annotated[Path, typer.Argument(help="A run folder, or a file of weights (.safetensors).")],
    data: Annotated[Path, typer.Argument(help="A corpus folder, or a Parquet, JSONL or authors' JSON file.")],
    task: Annotated[str, typer.Option(help="verify: is an equation correct? (complete is to come)")] = "verify",
    depths: Annotated[str | None, typer.Option(help="Only equations of these depths, A-B.")] = None,
    split: Annotated[str, typer.Option(help="Of a corpus folder: test, validation or train.")] = "test",
    out: Annotated[Path | None, typer.Option(help="A folder for test.json and predictions.parquet.")] = None,
    as_json: AsJson = False,
) -> None:
    """All measures of a model on labelled equations, overall and by depth. Correct is the positive class."""
    if task == "complete":
        raise InputError("--task complete: completing equations is not there yet; it comes in a later version")
    if task != "verify":
        raise InputError(f"--task {task!r}: unknown task; known: verify")
    from ..data import Dataset
    from ..runfolder import RunFolder

    folder = None if out is None else RunFolder(out)
    if folder is not None and (taken := next((f for f in (folder.test, folder.predictions) if f.exists()), None)):
        raise InputError(f"{taken} exists already; choose another folder, or remove it first")
    rows = Dataset.read(data, split).select(depths=depth_range(depths))
    if not (rows.label >= 0).any():
        raise InputError(f"{data}: no labelled equations{f' of depth {depths}' if depths else ''}")
    from ..models.store import load
    from ..tasks.verify import evaluate as measure

    found, probability = measure(load(model / "model.safetensors" if model.is_dir() else model), rows)
    if folder is not None:
        folder.make()
        folder.write_test(found, probability, rows)
    print(json.dumps({"source": rows.source, **found}, indent=2) if as_json else _table(found))


def _table(found: dict[str, Any]) -> str:
    """Shares in per cent, a line a depth and one for all."""
    lines = ["depth  equations  accuracy  precision   recall  specificity     f1  log loss  calibration error"]
    for name, row in [*found["by_depth"].items(), ("all", found["overall"])]:
        widths = zip(SHARES, (10, 11, 9, 13, 7), strict=True)
        shares = "".join(f"{_percent(row[key]):>{width}}" for key, width in widths)
        lines.append(
            f"{name:>5} {row['equations']:>10,}{shares}{row['log_loss']:>10.3f}{_percent(row['calibration_error']):>19}"
        )
    return "\n".join(lines)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"
