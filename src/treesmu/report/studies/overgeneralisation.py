"""Overgeneralisation: how long the rule is followed where the training set makes an exception."""

from __future__ import annotations

from typing import Any

from ..figures.by_depth import model_looks
from ..figures.figure import Figure, Lines, Series
from ..figures.palette import model_name
from ..folder import Folder, SeedGroup, StudyResults
from ..numbers import Spread, spread
from ..section import Section, conditions, find, ordered
from ..table import Cell, Column, Table
from ..text.sentences import bands_note, condition_name, ranged, seeds_note, shares


def section(study: StudyResults, folder: Folder) -> Section:
    if not study.analyses:
        return Section(study, ())
    return Section(study, (_figure(study, folder), _table(study, folder)), _conclusions(study, folder))


def share_name(group: SeedGroup) -> str:
    return f"{100 * float(group.variant):g}%"


def by_epoch(study: StudyResults, group: SeedGroup) -> dict[float, Spread | None]:
    """Overgeneralisation after each epoch that all seeds have."""
    found: dict[float, list[float | None]] = {}
    for run in group.runs:
        for row in study.analyses.get(run.name, {}).get("epochs", []):
            found.setdefault(float(row["epoch"]), []).append(row["overgeneralisation"])
    most = max((len(values) for values in found.values()), default=0)
    return {epoch: spread(values) for epoch, values in sorted(found.items()) if len(values) == most}


def _figure(study: StudyResults, folder: Folder) -> Figure:
    panels = []
    for condition, groups in conditions(folder, study.groups).items():
        for variant in sorted({group.variant for group in groups}, key=float):
            some = [group for group in groups if group.variant == variant]
            lines = tuple(Series.over(points=by_epoch(study, group), **model_looks(group)) for group in some)
            title = f"{share_name(some[0])} exceptions: {condition_name(condition)}"
            panels.append(Lines(title, "epoch", "judged by the rule (%)", lines, (0, 100), level=50))
    note = (
        "Equations with the wrong label in the training set that the model judges as mathematics does, after each epoch: at "
        f"100% it follows the rule, at 0% all exceptions; dotted, half of them. {bands_note(study.groups)}"
    )
    return Figure("overgeneralisation", _title(study), note, tuple(panels), most_columns=3)


def _title(study: StudyResults) -> str:
    found = [(float(a["peak"]), a) for a in study.analyses.values() if a.get("peak") is not None]
    if not found:
        return "How long models follow the rule against exceptions"
    peaks = [peak for peak, _ in found]
    return f"At most, models follow the rule for {ranged(min(peaks), max(peaks), 0)}% of the exceptions"


def _table(study: StudyResults, folder: Folder) -> Table:
    groups = ordered(folder, study.groups)

    columns = (
        *(Column("exceptions", 0), Column.percent("peak %"), Column("epoch of the peak", 0), Column.percent("at the end %")),
        *(Column("overridden after epoch", 0), Column.percent("others right at the end %")),
    )
    return Table(
        name="overgeneralisation",
        caption="Overgeneralisation: exceptions that are judged by the rule, against the label that was trained on",
        columns=(Column("corpus"), Column("recipe"), Column("share of exceptions"), Column("model"), *columns),
        rows=tuple(
            (e.corpus, e.recipe, share_name(e), model_name(e.model), *_cells(study, e))
            for e in sorted(groups, key=lambda e: (list(folder.corpora).index(e.corpus), e.recipe, float(e.variant)))
        ),
        keys=4,
        notes=(seeds_note(groups), "Overridden: most exceptions are followed from then on; –: in no seed."),
    )


def _at_the_end(study: StudyResults, group: SeedGroup, measure: str) -> Spread | None:
    return study.asked(group, lambda a: a["epochs"][-1][measure] if a["epochs"] else None)


def _cells(study: StudyResults, group: SeedGroup) -> tuple[Cell, ...]:
    return (
        study.counted(group, lambda a: a["exceptions"]),
        study.asked(group, _peak),
        study.asked(group, lambda a: a["peak_epoch"]),
        _at_the_end(study, group, "overgeneralisation"),
        _overridden(study, group),
        _at_the_end(study, group, "others_right"),
    )


def _overridden(study: StudyResults, group: SeedGroup) -> Cell:
    """The epoch, where all seeds got there; or how many did."""
    found, asked = study.asked(group, lambda a: a["overridden_epoch"]), sum(run.name in study.analyses for run in group.runs)
    return found if found is None or found.seeds == asked else f"in {found.seeds} of {asked} seeds"


def _conclusions(study: StudyResults, folder: Folder) -> tuple[str, ...]:
    """Of the smallest share of exceptions under each condition. A peak of few equations over many epochs is partly luck, so
    the end stands beside it."""
    peaks, ends, others = [], [], []
    many: list[int] = []
    for condition, groups in conditions(folder, study.groups).items():
        smu = find(groups, "tree-smu", min({group.variant for group in groups}, key=float))
        peak = study.asked(smu, _peak) if smu else None
        end, right = (_at_the_end(study, smu, m) if smu else None for m in ("overgeneralisation", "others_right"))
        if smu and peak and end and right:
            peaks.append((condition, peak))
            ends.append((condition, end))
            others.append((condition, right))
            many += [study.analyses[run.name]["exceptions"] for run in smu.runs if run.name in study.analyses]
    if not peaks:
        return ()
    exceptions = " to ".join(f"{n:,}" for n in dict.fromkeys((min(many), max(many))))
    return (
        f"Where the training set makes fewest exceptions ({exceptions}), Tree-SMU follows the rule for {shares(peaks)} of them "
        f"after its best epoch, and for {shares(ends)} at the end. It is then right on {shares(others)} of the other equations "
        "of this sort.",
    )


def _peak(analysis: Any) -> Any:
    return analysis["peak"]
