"""The report of a sweep: a table of its trials, and a figure of the effect of each setting. Reads sweep.json only."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

from treesmu.errors import DataError
from treesmu.json_files import read_json
from treesmu.task_names import Measure, measure_of

from .figures.figure import Dot, Dots, Figure, Lines, Panel, Range, Series
from .figures.palette import assign_colours, model_name, paler
from .table import Column, Table
from .text.sentences import quantity
from .write import WrittenFiles, write_figure, write_table

Trial = dict[str, Any]
_COPY = "copy the folder of the sweep again"


def write_sweep(path: Path) -> WrittenFiles:
    """Write a table and a figure into the folder of ``treesmu sweep``; neither if no trial has finished."""
    content = read_json(path / "sweep.json", _COPY)
    try:
        table, figure = trials_table(content), outcome_figure(content)
        missing = content["wanted"] - len(content["trials"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path / 'sweep.json'}: not written by treesmu sweep ({error}); {_COPY}") from error
    tables = write_table(path / "tables", table) if table.rows else []
    figures = write_figure(path / "figures", figure) if figure else []
    return WrittenFiles(None, tables, figures, [f"{missing} of {_trials(content['wanted'])} not finished."] * (missing > 0))


def trials_table(content: dict[str, Any]) -> Table:
    """Return the trials, the best first; trials that were stopped early come last."""
    measure, names = _measure(content), [parameter["name"] for parameter in content["request"]["space"]]
    order = sorted(content["trials"], key=lambda t: (t["state"] != "complete", -t[measure.validation], t["number"]))
    columns = [Column("trial"), *(Column(_short(name)) for name in names), Column("parameters")]
    columns += [Column("epochs"), *(Column.of(measure, measure.column(rows)) for rows in ("validation", "test"))]
    facts = ("parameters", "epochs", measure.validation, measure.test)
    rows = [(one["number"], *(_text(one["values"][name]) for name in names), *(one[fact] for fact in facts)) for one in order]
    asked, settings = content["request"], content["request"]["settings"]
    notes = (
        f"Recipe {settings['recipe']}, up to {settings['epochs']} epochs, seed {settings['seed']}. Validation: the best epoch. "
        "Test: only of the best trial, which is chosen on validation.",
    )
    done = f"{len(order)} of {_trials(content['wanted'])}"
    caption = f"{model_name(settings['model'])}, sampler {asked['sampler']}: {done}"
    return Table("trials", caption, tuple(columns), tuple(rows), notes=notes)


def outcome_figure(content: dict[str, Any]) -> Figure | None:
    """Return the progress of the sweep and the effect of each setting, from the trials that were not stopped early."""
    complete = [trial for trial in content["trials"] if trial["state"] == "complete"]
    if not complete:
        return None
    model = content["request"]["settings"]["model"]
    colour = assign_colours([model])[model]
    measure, space = _measure(content), content["request"]["space"]
    panels = [_history(complete, measure, colour), *(_panel(complete, parameter, measure, colour) for parameter in space)]
    stopped = len(content["trials"]) - len(complete)
    best = max(complete, key=lambda trial: (trial[measure.validation], -trial["number"]))
    values = ", ".join(f"{_short(name)} = {_text(value)}" for name, value in best["values"].items())
    score = f"a validation {measure.name} of {measure.text(best[measure.validation])}"
    title = f"The best of {_trials(len(content['trials']))} has {score}: {values}"
    note = "Each grey dot is a trial." + (f" {_trials(stopped)} stopped early not shown." if stopped else "")
    return Figure("sweep", title, note, tuple(panels))


def _measure(content: dict[str, Any]) -> Measure:
    return measure_of(content["request"]["settings"].get("task", "verify"))


def _history(trials: list[Trial], measure: Measure, colour: str) -> Lines:
    """Return the measure of each trial, and of the best so far."""
    points = [(float(trial["number"]), _shown(trial, measure)) for trial in sorted(trials, key=_number)]
    best = [max(y for _, y in points[: k + 1]) for k in range(len(points))]
    series = Series("best so far", tuple(x for x, _ in points), tuple(best), colour=colour)
    return Lines("the sweep", "trial", _axis(measure), (series,), y_range=_y_range(trials, measure), cloud=tuple(points))


def _panel(trials: list[Trial], parameter: dict[str, Any], measure: Measure, colour: str) -> Panel:
    """Return the measure against one setting: dots for names, lines through listed numbers, the best within a range."""
    name, title = parameter["name"], _short(parameter["name"])
    points = [(trial["values"][name], _shown(trial, measure)) for trial in trials]
    by_value = {x: [y for value, y in points if value == x] for x in dict.fromkeys(parameter["values"] or ())}
    by_value = {x: scores for x, scores in by_value.items() if scores}
    if any(isinstance(x, bool | str) for x in by_value):
        medians = {_text(x): median(ys) for x, ys in by_value.items()}
        dots = tuple(Dot(x, y, colour=colour) for x, y in medians.items())
        return Dots(title, f"median {_axis(measure)}", dots, _around(medians.values(), measure), measure.digits)
    cloud = tuple((float(x), y) for x, y in points)
    if parameter["ends"]:
        best = max(cloud, key=lambda point: point[1])
        series: tuple[Series, ...] = (Series("best", best[:1], best[1:], colour=colour),)
        low, high = parameter["ends"]
        ticks = _ticks(low, high, parameter["is_log"])
    else:
        ticks = tuple(sorted(float(x) for x in by_value))
        series = tuple(
            Series(label, ticks, tuple(summarise(by_value[x]) for x in ticks), colour=shade)
            for label, summarise, shade in (("best", max, colour), ("median", median, paler(colour, 0.5)))
        )
    y_range = _y_range(trials, measure)
    return Lines(title, title, _axis(measure), series, y_range, is_log=parameter["is_log"], ticks=ticks, cloud=cloud)


def _shown(trial: Trial, measure: Measure) -> float:
    return float(measure.scale * trial[measure.validation])


def _axis(measure: Measure) -> str:
    return f"validation {measure.axis}"


def _around(values: Iterable[float], measure: Measure) -> Range:
    """Return a range around values as they are shown: per cent in whole numbers, R² in tenths."""
    values, step = list(values), 1.0 if measure.is_share else 0.1
    return step * (math.floor(min(values) / step) - 1), step * (math.ceil(max(values) / step) + 1)


def _y_range(trials: list[Trial], measure: Measure) -> Range | None:
    """Return the range of R²; None for per cent: whole numbers around the trials."""
    return None if measure.is_share else _around((_shown(trial, measure) for trial in trials), measure)


def _ticks(low: float, high: float, is_log: bool) -> tuple[float, ...]:
    """Return powers of ten on a logarithmic scale, else the ends and the middle."""
    if is_log:
        return tuple(10.0**k for k in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1))
    is_whole = isinstance(low, int) and isinstance(high, int)
    return (low, (low + high) // 2 if is_whole else (low + high) / 2, high)


def _trials(number: int) -> str:
    return quantity(number, "trial")


def _short(name: str) -> str:
    return name.removeprefix("cell.")


def _number(trial: Trial) -> int:
    return int(trial["number"])


def _text(value: Any) -> str:
    """Return a setting as text, not rounded to the digits of a column."""
    return str(value).lower() if isinstance(value, bool) else f"{value:.6g}" if isinstance(value, float) else str(value)
