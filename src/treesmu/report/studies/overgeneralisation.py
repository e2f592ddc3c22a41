"""Overgeneralisation: how long models follow the rule although the training set contains exceptions."""

from __future__ import annotations

from typing import Any

from ..figures.accuracy import model_looks
from ..figures.figure import Figure, Lines, Series
from ..figures.palette import model_name
from ..folder import StudyResults
from ..numbers import Spread, spread
from ..runs import Condition, SeedGroup, find, is_too_small_for_trends
from ..section import Section, described_models
from ..table import KEYS, Cell, Column, Columns, Table, groups_table
from ..text.sentences import bands_note, seeds_note, shares


def section(study: StudyResults) -> Section:
    conclusions = [sentence for model in described_models(study) if (sentence := _conclusion(study, model))]
    return Section(study, (_figure(study), _table(study)), tuple(conclusions))


def share_name(group: SeedGroup) -> str:
    """Return the share of exceptions as text."""
    return f"{100 * float(group.variant):g}%"


def by_epoch(study: StudyResults, group: SeedGroup) -> dict[float, Spread | None]:
    """Return the overgeneralisation after each epoch that all seeds have."""
    found: dict[float, list[float | None]] = {}
    for run in group.runs:
        for row in study.analyses.get(run.name, {}).get("epochs", []):
            found.setdefault(float(row["epoch"]), []).append(row["overgeneralisation"])
    most = max((len(values) for values in found.values()), default=0)
    return {epoch: spread(values) for epoch, values in sorted(found.items()) if len(values) == most}


def _figure(study: StudyResults) -> Figure:
    panels = []
    for condition, groups in study.conditions.items():
        for variant in sorted({group.variant for group in groups}, key=float):
            some = [group for group in groups if group.variant == variant]
            lines = tuple(Series.over(points=by_epoch(study, group), **model_looks(group)) for group in some)
            title = f"{share_name(some[0])} exceptions: {condition}"
            panels.append(Lines(title, "epoch", "predicted by the rule (%)", lines, (0, 100), level=50))
    note = (
        "Share of the equations with a wrong label in the training set for which the model predicts the mathematically right "
        "label, after each epoch: at 100% it follows the rule, at 0% all exceptions; dotted line: half of them. "
        f"{bands_note(study.groups)}"
    )
    return Figure("overgeneralisation", _title(study), note, tuple(panels), most_columns=3)


def _title(study: StudyResults) -> str:
    peaks = [float(analysis["peak"]) for analysis in study.analyses.values() if analysis.get("peak") is not None]
    if not peaks or is_too_small_for_trends(study.groups):
        return "How long models follow the rule instead of the exceptions"
    ends = " to ".join(dict.fromkeys(f"{100 * peak:.0f}" for peak in (min(peaks), max(peaks))))
    return f"At their peak, models follow the rule for {ends}% of the exceptions"


def _table(study: StudyResults) -> Table:
    columns: Columns = {
        Column("exceptions", 0): lambda group: study.count(group, lambda a: a["exceptions"]),
        Column.percent("peak %"): lambda group: study.over_analyses(group, _peak),
        Column("epoch of the peak", 0): lambda group: study.over_analyses(group, lambda a: a["peak_epoch"]),
        Column.percent("after the last epoch %"): lambda group: _at_the_end(study, group, "overgeneralisation"),
        Column("overridden after epoch", 0): lambda group: _overridden(study, group),
        Column.percent("other equations right after the last epoch %"): lambda group: _at_the_end(study, group, "others_right"),
    }
    keys: Columns = {column: cell for column, cell in KEYS.items() if column.title != "model"}
    keys |= {Column("share of exceptions"): share_name, Column("model"): lambda group: model_name(group.model)}
    groups = [group for some in study.conditions.values() for group in sorted(some, key=lambda group: float(group.variant))]
    caption = "Overgeneralisation: share of the exceptions that are predicted by the rule, contrary to their label in training"
    notes = (seeds_note(groups), "Overridden: the model follows most exceptions from this epoch on; –: in no seed.")
    return groups_table("overgeneralisation", caption, groups, columns, notes, keys)


def _at_the_end(study: StudyResults, group: SeedGroup, measure: str) -> Spread | None:
    return study.over_analyses(group, lambda a: a["epochs"][-1][measure] if a["epochs"] else None)


def _overridden(study: StudyResults, group: SeedGroup) -> Cell:
    """Return the epoch if all seeds got there, or else how many did."""
    found = study.over_analyses(group, lambda a: a["overridden_epoch"])
    analysed = sum(run.name in study.analyses for run in group.runs)
    return found if found is None or found.seeds == analysed else f"in {found.seeds} of {analysed} seeds"


def _conclusion(study: StudyResults, model: str) -> str:
    """Return a sentence on the smallest share of exceptions. The peak over many epochs is biased, so the end is given too."""
    found: list[list[tuple[Condition, Spread]]] = []  # peak, end and the other equations under each condition
    exceptions: list[int] = []
    for condition, groups in study.conditions.items():
        group = find(groups, model, min({group.variant for group in groups}, key=float))
        peak = study.over_analyses(group, _peak) if group else None
        end, others = (_at_the_end(study, group, m) if group else None for m in ("overgeneralisation", "others_right"))
        if group and peak and end and others:
            found.append([(condition, peak), (condition, end), (condition, others)])
            exceptions += [study.analyses[run.name]["exceptions"] for run in group.runs if run.name in study.analyses]
    if not found:
        return ""
    number = " to ".join(f"{n:,}" for n in dict.fromkeys((min(exceptions), max(exceptions))))
    peaks, ends, others_right = map(shares, zip(*found, strict=True))
    return (
        f"With the fewest exceptions in the training set ({number}), {model_name(model)} follows the rule for {peaks} of them "
        f"after its best epoch, and for {ends} after the last. It is then right on {others_right} of the other equations of "
        "this kind."
    )


def _peak(analysis: Any) -> Any:
    return analysis["peak"]
