"""Ablation: what each part of the recipe treesmu is worth."""

from __future__ import annotations

from ..folder import Entry, Folder, Study
from ..section import Section, pairs, productivity
from ..variants import accuracy_dots, accuracy_table
from ..words import changes, points

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


def part_name(entry: Entry) -> str:
    return NAMES.get(entry.variant, f"without {entry.variant}")


def section(study: Study, folder: Folder) -> Section:
    caption = "Accuracy with the recipe treesmu, and with one part of it as in the paper's recipe"
    table = accuracy_table(study, folder, caption, "recipe with", part_name)
    parts = {entry.variant: part_name(entry) for entry in study.entries if entry.variant != WHOLE}
    found = {name: pairs(folder, study, (None, WHOLE), (None, part), productivity) for part, name in parts.items()}
    losses = sorted((min(b.mean - a.mean for _, a, b in some), name) for name, some in found.items() if some)
    title = "The recipe with one part at a time as in the paper's"
    if losses:
        title += f": productivity falls most with “{losses[0][1]}” ({points(losses[0][0])} points)"
    figure = accuracy_dots(folder, study.entries, "ablation", title, part_name, WHOLE)
    said = [f"The recipe with “{name}”: productivity {changes(found[name])}." for _, name in losses]
    return Section(study, (table, figure), tuple(said))
