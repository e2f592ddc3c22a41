"""Data size: accuracy against the number of training equations, and by depth."""

from __future__ import annotations

from typing import Any

from ..figures.by_depth import accuracy_by_depth
from ..figures.palette import model_colour, model_name, paler
from ..folder import Folder, SeedGroup, StudyResults
from ..section import SYSTEMATICITY, Pairs, Section, pairs, productivity
from ..text.sentences import changes, percent
from ..variants import accuracy_along, accuracy_table


def equations(group: SeedGroup) -> int:
    """That it was trained on."""
    return int(group.runs[0].settings["rows"])


def section(study: StudyResults, folder: Folder) -> Section:
    table = accuracy_table(
        study,
        folder,
        "Accuracy by number of training equations of depth 1-7",
        "equations",
        lambda group: f"{equations(group):,}",
    )
    sizes = sorted({equations(group) for group in study.groups})
    along = accuracy_along(study, folder, _title(study, folder), "training equations", equations)

    def looks(group: SeedGroup) -> dict[str, Any]:
        share = (sizes.index(equations(group)) + 1) / len(sizes)
        several = len({e.model for e in study.groups}) > 1
        label = f"{equations(group):,}" + (f" {model_name(group.model)}" if several else "")
        return {"label": label, "colour": paler(model_colour(group.model), 0.7 * (1 - share))}

    title = "Accuracy by depth, from the fewest equations (pale) to the most"
    by_depth = accuracy_by_depth(folder, study.groups, "data-size-by-depth", title, SYSTEMATICITY, looks)
    return Section(study, (table, along, by_depth), _conclusions(study, folder))


def _ends(study: StudyResults, folder: Folder) -> tuple[str, Pairs]:
    """From the fewest equations to the most: in words, and Tree-SMU's productivity with both."""
    sizes = sorted({group.variant for group in study.groups}, key=int)
    found = pairs(folder, study, ("tree-smu", sizes[0]), ("tree-smu", sizes[-1]), productivity) if len(sizes) > 1 else []
    return f"From {int(sizes[0]):,} to {int(sizes[-1]):,} training equations, Tree-SMU's productivity", found


def _title(study: StudyResults, folder: Folder) -> str:
    what, found = _ends(study, folder)
    if len(found) != 1:
        return "Accuracy by number of training equations"
    _, few, many = found[0]
    return f"{what} goes from {percent(few)} to {percent(many)}"


def _conclusions(study: StudyResults, folder: Folder) -> tuple[str, ...]:
    what, found = _ends(study, folder)
    return (f"{what} changes by {changes(found)}.",) if found else ()
