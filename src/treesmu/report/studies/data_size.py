"""Data size: accuracy against the number of training equations, and by depth."""

from __future__ import annotations

from typing import Any

from ..figures.by_depth import accuracy_by_depth
from ..figures.palette import model_colour, model_name, paler
from ..folder import Entry, Folder, Study
from ..section import SYSTEMATICITY, Pairs, Section, pairs, productivity
from ..text.sentences import changes, percent
from ..variants import accuracy_along, accuracy_table


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
    along = accuracy_along(study, folder, _title(study, folder), "training equations", equations)

    def looks(entry: Entry) -> dict[str, Any]:
        share = (sizes.index(equations(entry)) + 1) / len(sizes)
        several = len({e.model for e in study.entries}) > 1
        label = f"{equations(entry):,}" + (f" {model_name(entry.model)}" if several else "")
        return {"label": label, "colour": paler(model_colour(entry.model), 0.7 * (1 - share))}

    title = "Accuracy by depth, from the fewest equations (pale) to the most"
    by_depth = accuracy_by_depth(folder, study.entries, "data-size-by-depth", title, SYSTEMATICITY, looks)
    return Section(study, (table, along, by_depth), _conclusions(study, folder))


def _ends(study: Study, folder: Folder) -> tuple[str, Pairs]:
    """From the fewest equations to the most: in words, and Tree-SMU's productivity with both."""
    sizes = sorted({entry.variant for entry in study.entries}, key=int)
    found = pairs(folder, study, ("tree-smu", sizes[0]), ("tree-smu", sizes[-1]), productivity) if len(sizes) > 1 else []
    return f"From {int(sizes[0]):,} to {int(sizes[-1]):,} training equations, Tree-SMU's productivity", found


def _title(study: Study, folder: Folder) -> str:
    what, found = _ends(study, folder)
    if len(found) != 1:
        return "Accuracy by number of training equations"
    _, few, many = found[0]
    return f"{what} goes from {percent(few)} to {percent(many)}"


def _conclusions(study: Study, folder: Folder) -> tuple[str, ...]:
    what, found = _ends(study, folder)
    return (f"{what} changes by {changes(found)}.",) if found else ()
