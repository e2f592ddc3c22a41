"""What a sweep found: a table of its trials, and a figure of what each setting does. Reads sweep.json only."""

from __future__ import annotations

import json
import math
from pathlib import Path
from statistics import median
from typing import Any

from treesmu.errors import DataError

from .figures.figure import Dot, Dots, Figure, Lines, Panel, Series
from .figures.palette import model_colour, model_name, paler
from .table import Column, Table
from .write import WrittenFiles, write_figure, write_table

Trial = dict[str, Any]


def write_sweep(path: Path) -> WrittenFiles:
    """A table and a figure, below the folder of ``treesmu sweep``; none while no trial has ended."""
    try:
        content = json.loads((path / "sweep.json").read_text(encoding="utf-8"))
        table, figure = trials_table(content), outcome_figure(content)
        missing = content["wanted"] - len(content["trials"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path / 'sweep.json'}: not what treesmu sweep leaves ({error})") from error
    tables = write_table(path / "tables", table) if table.rows else []
    figures = write_figure(path / "figures", figure) if figure else []
    said = [f"{missing} of {_count(content['wanted'])} {'has' if missing == 1 else 'have'} not ended."] if missing > 0 else []
    return WrittenFiles(None, tables, figures, said)


def trials_table(content: dict[str, Any]) -> Table:
    """The best first; those that were trained to their end before those that were stopped."""
    names = _names(content)
    order = sorted(content["trials"], key=lambda t: (t["state"] != "complete", -t["validation_accuracy"], t["number"]))
    columns = [Column("trial"), *(Column(_short(name)) for name in names), Column("parameters")]
    columns += [Column("epochs"), Column.percent("validation %"), Column.percent("test %")]
    rows = [
        (
            trial["number"],
            *(_cell(trial["values"][name]) for name in names),
            trial["parameters"],
            trial["epochs"],
            trial["validation_accuracy"],
            trial["test_accuracy"],
        )
        for trial in order
    ]
    asked, settings = content["request"], content["request"]["settings"]
    ended = f"{len(order)} of {_count(content['wanted'])}"
    notes = (
        f"Recipe {settings['recipe']}, up to {settings['epochs']} epochs, seed {settings['seed']}. Validation: the best epoch. "
        "Test: only of the best trial, which was chosen on validation.",
    )
    caption = f"{model_name(settings['model'])}, sampler {asked['sampler']}: {ended}"
    return Table("trials", caption, tuple(columns), tuple(rows), notes=notes)


def outcome_figure(content: dict[str, Any]) -> Figure | None:
    """How the search went, and what each setting does; of trials that were trained to their end."""
    complete = [trial for trial in content["trials"] if trial["state"] == "complete"]
    if not complete:
        return None
    colour = model_colour(content["request"]["settings"]["model"])
    panels = [_history(complete, colour), *(_panel(complete, parameter, colour) for parameter in content["request"]["space"])]
    stopped = len(content["trials"]) - len(complete)
    best = max(complete, key=lambda trial: (trial["validation_accuracy"], -trial["number"]))
    values = ", ".join(f"{_short(name)} = {_cell(value)}" for name, value in best["values"].items())
    title = f"The best of {_count(len(content['trials']))} has {100 * best['validation_accuracy']:.1f}% on validation: {values}"
    note = "A grey dot is a trial." + (f" {stopped} that were stopped early are not drawn." if stopped else "")
    return Figure("sweep", title, note, tuple(panels))


def _history(trials: list[Trial], colour: str) -> Lines:
    points = [(float(trial["number"]), 100 * trial["validation_accuracy"]) for trial in sorted(trials, key=_number)]
    best = [max(y for _, y in points[: k + 1]) for k in range(len(points))]
    series = Series("best so far", tuple(x for x, _ in points), tuple(best), colour=colour)
    return Lines("the search", "trial", "validation accuracy (%)", (series,), cloud=tuple(points))


def _panel(trials: list[Trial], parameter: dict[str, Any], colour: str) -> Panel:
    name = parameter["name"]
    points = [(trial["values"][name], 100 * trial["validation_accuracy"]) for trial in trials]
    by_value = {x: [y for value, y in points if value == x] for x in dict.fromkeys(parameter["values"] or ())}
    by_value = {x: accuracies for x, accuracies in by_value.items() if accuracies}
    if any(isinstance(x, bool | str) for x in by_value):
        rows = tuple(Dot(_cell(x), median(ys), colour=colour) for x, ys in by_value.items())
        middles = [median(ys) for ys in by_value.values()]
        ends = math.floor(min(middles)) - 1.0, math.ceil(max(middles)) + 1.0
        return Dots(_short(name), "median validation accuracy (%)", rows, ends)
    cloud = tuple((float(x), y) for x, y in points)
    if parameter["ends"]:
        best = max(cloud, key=lambda point: point[1])
        series: tuple[Series, ...] = (Series("best", best[:1], best[1:], colour=colour),)
        low, high = parameter["ends"]
        ticks = _ticks(low, high, parameter["is_log"])
    else:
        xs = tuple(sorted(float(x) for x in by_value))
        tops, middles = ([f(by_value[x]) for x in xs] for f in (max, median))
        series = (
            Series("best", xs, tuple(tops), colour=colour),
            Series("median", xs, tuple(middles), colour=paler(colour, 0.5)),
        )
        ticks = xs
    label = "validation accuracy (%)"
    return Lines(_short(name), _short(name), label, series, is_log=parameter["is_log"], ticks=ticks, cloud=cloud)


def _ticks(low: float, high: float, is_log: bool) -> tuple[float, ...]:
    """Powers of ten on a logarithmic scale, else the ends and the middle."""
    if is_log:
        return tuple(10.0**k for k in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1))
    is_whole = isinstance(low, int) and isinstance(high, int)
    return (low, (low + high) // 2 if is_whole else (low + high) / 2, high)


def _count(trials: int) -> str:
    return f"{trials} trial{'' if trials == 1 else 's'}"


def _names(content: dict[str, Any]) -> list[str]:
    return [parameter["name"] for parameter in content["request"]["space"]]


def _short(name: str) -> str:
    return name.removeprefix("cell.")


def _number(trial: Trial) -> int:
    return int(trial["number"])


def _cell(value: Any) -> str:
    """A value as it is written: numbers of settings are no measures, so they are not rounded to a column's digits."""
    return str(value).lower() if isinstance(value, bool) else f"{value:.6g}" if isinstance(value, float) else str(value)
