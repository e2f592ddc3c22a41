"""Ablation: what each part of the recipe treesmu is worth."""

from __future__ import annotations

from ..figures.palette import model_name
from ..folder import Folder, SeedGroup, StudyResults
from ..section import Section, pairs, productivity
from ..text.sentences import changes, points
from ..variants import accuracy_dots, accuracy_table

WHOLE = "whole"
NAMES = {  # by the part that is as in the paper's recipe
    WHOLE: "the whole recipe",
    "head": "dot head",
    "unit": "states of any length",
    "subexpressions": "no sub-expression loss",
    "rename": "no renaming",
    "substitutes": "no substitutes",
    "steps": "the paper's steps",
}


def part_name(group: SeedGroup) -> str:
    return NAMES.get(group.variant, f"without {group.variant}")


def section(study: StudyResults, folder: Folder) -> Section:
    caption = "Accuracy with the recipe treesmu, and with one part of it as in the paper's recipe"
    table = accuracy_table(study, folder, caption, "recipe with", part_name)
    several = len({group.model for group in study.groups}) > 1
    parts = {
        f"“{part_name(group)}”" + (f", {model_name(group.model)}" if several else ""): (group.model, group.variant)
        for group in study.groups
        if group.variant != WHOLE
    }
    found = {name: pairs(folder, study, (which[0], WHOLE), which, productivity) for name, which in parts.items()}
    losses = sorted((min(b.mean - a.mean for _, a, b in some), name) for name, some in found.items() if some)
    figure = accuracy_dots(folder, study.groups, "ablation", _title(losses), part_name, WHOLE)
    said = [f"The recipe with {name}: productivity {changes(found[name])}." for _, name in losses]
    return Section(study, (table, figure), tuple(said))


def _title(losses: list[tuple[float, str]]) -> str:
    """losses: changes of productivity and the parts, the lowest first."""
    title = "The recipe with one part at a time as in the paper's"
    if not losses:
        return title
    change, name = losses[0]
    return f"{title}: productivity falls " + (f"most with {name} ({points(change)} points)" if change < 0 else "with none")
