"""Overgeneralisation: how long the rule is followed where the training set makes an exception."""

from __future__ import annotations

from typing import Any

from ..by_depth import model_looks
from ..figure import Figure, Lines, Series
from ..folder import Entry, Folder, Study
from ..numbers import Spread, spread
from ..palette import model_name
from ..section import Section, conditions, find, ordered
from ..table import Column, Table
from ..words import bands_note, condition_name, ranged, seeds_note, shares


def section(study: Study, folder: Folder) -> Section:
    if not study.analyses:
        return Section(study, ())
    return Section(study, (_figure(study, folder), _table(study, folder)), _conclusions(study, folder))


def share_name(entry: Entry) -> str:
    return f"{100 * float(entry.variant):g}%"


def by_epoch(study: Study, entry: Entry) -> dict[float, Spread | None]:
    """Overgeneralisation after each epoch that all seeds have."""
    found: dict[float, list[float | None]] = {}
    for run in entry.runs:
        for row in study.analyses.get(run.name, {}).get("epochs", []):
            found.setdefault(float(row["epoch"]), []).append(row["overgeneralisation"])
    most = max((len(values) for values in found.values()), default=0)
    return {epoch: spread(values) for epoch, values in sorted(found.items()) if len(values) == most}


def _figure(study: Study, folder: Folder) -> Figure:
    panels = []
    for condition, entries in conditions(folder, study.entries).items():
        for variant in sorted({entry.variant for entry in entries}, key=float):
            some = [entry for entry in entries if entry.variant == variant]
            lines = tuple(Series.over(points=by_epoch(study, entry), **model_looks(entry)) for entry in some)
            title = f"{share_name(some[0])} exceptions: {condition_name(condition)}"
            panels.append(Lines(title, "epoch", "judged by the rule (%)", lines, (0, 100), level=(50, "")))
    note = (
        "Equations with the wrong label in the training set that the model judges as mathematics does, after each epoch: at "
        f"100% it follows the rule, at 0% all exceptions. {bands_note(study.entries)}"
    )
    return Figure("overgeneralisation", _title(study), note, tuple(panels), most_columns=3)


def _title(study: Study) -> str:
    found = [(float(a["peak"]), a) for a in study.analyses.values() if a.get("peak") is not None]
    if not found:
        return "How long models follow the rule against exceptions"
    peaks = [peak for peak, _ in found]
    return f"At most, models follow the rule for {ranged(min(peaks), max(peaks), 0)}% of the exceptions"


def _table(study: Study, folder: Folder) -> Table:
    entries = ordered(folder, study.entries)

    def last(measure: str) -> Any:
        return lambda analysis: analysis["epochs"][-1][measure] if analysis["epochs"] else None

    measures = {
        Column("exceptions", 0): lambda a: a["exceptions"],
        Column.percent("peak %"): lambda a: a["peak"],
        Column("epoch of the peak", 0): lambda a: a["peak_epoch"],
        Column.percent("at the end %"): last("overgeneralisation"),
        Column("overridden after epoch", 0): lambda a: a["overridden_epoch"],
        Column.percent("others right at the end %"): last("others_right"),
    }
    return Table(
        name="overgeneralisation",
        caption="Overgeneralisation: exceptions that are judged by the rule, against the label that was trained on",
        columns=(Column("corpus"), Column("recipe"), Column("share of exceptions"), Column("model"), *measures),
        rows=tuple(
            (e.corpus, e.recipe, share_name(e), model_name(e.model), *(study.asked(e, m) for m in measures.values()))
            for e in sorted(entries, key=lambda e: (list(folder.corpora).index(e.corpus), e.recipe, float(e.variant)))
        ),
        keys=4,
        notes=(seeds_note(entries), "Overridden: most exceptions are followed from then on; –: never."),
    )


def _conclusions(study: Study, folder: Folder) -> tuple[str, ...]:
    found = []
    for condition, entries in conditions(folder, study.entries).items():
        smu = find(entries, "tree-smu", min({entry.variant for entry in entries}, key=float))
        peak = study.asked(smu, lambda a: a["peak"]) if smu else None
        if peak:
            found.append((condition, peak))
    said = (
        f"Where the training set makes few exceptions, Tree-SMU at its peak still follows the rule for {shares(found)} of them."
    )
    return (said,) if found else ()
