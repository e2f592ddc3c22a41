"""Data size: accuracy against the number of training equations, and by depth."""

from __future__ import annotations

from typing import Any

from ..by_depth import accuracy_by_depth
from ..folder import Entry, Folder, Study
from ..palette import model_colour, model_name, paler
from ..section import SYSTEMATICITY, Section, productivity
from ..variants import accuracy_along, accuracy_table
from ..words import percent


def equations(entry: Entry) -> int:
    """That it was trained on."""
    return int(entry.runs[0].settings["rows"])


def section(study: Study, folder: Folder) -> Section:
    table = accuracy_table(
        study,
        folder,
        "Accuracy by number of training equations of depth 1-7",
        "equations",
        lambda entry: f"{equations(entry):,}",
    )
    sizes = sorted({equations(entry) for entry in study.entries})
    conclusions = _conclusions(study)
    title = conclusions[0].rstrip(".") if conclusions else "Accuracy by number of training equations"
    along = accuracy_along(study, folder, title, "training equations", equations)

    def looks(entry: Entry) -> dict[str, Any]:
        share = (sizes.index(equations(entry)) + 1) / len(sizes)
        several = len({e.model for e in study.entries}) > 1
        label = f"{equations(entry):,}" + (f" {model_name(entry.model)}" if several else "")
        return {"label": label, "colour": paler(model_colour(entry.model), 0.7 * (1 - share))}

    title = "Accuracy by depth, from the fewest equations (pale) to the most"
    by_depth = accuracy_by_depth(folder, study.entries, "data-size-by-depth", title, SYSTEMATICITY, looks)
    return Section(study, (table, along, by_depth), conclusions)


def _conclusions(study: Study) -> tuple[str, ...]:
    ends = sorted((entry for entry in study.entries if entry.model == "tree-smu"), key=equations)
    first, last = (productivity(ends[0]), productivity(ends[-1])) if ends else (None, None)
    if len(ends) < 2 or first is None or last is None:
        return ()
    few, many = equations(ends[0]), equations(ends[-1])
    return (
        f"From {few:,} to {many:,} training equations, Tree-SMU's productivity goes from {percent(first)} to {percent(last)}.",
    )
