"""Ablation: the contribution of each part of a recipe."""

from __future__ import annotations

from ..figures.dots import variants_figure
from ..figures.palette import model_name
from ..folder import StudyResults
from ..runs import SeedGroup
from ..section import Section, productivity
from ..statistics.family import Family
from ..text.claims import changes, title
from ..variants import accuracy_table

WHOLE = "whole"
NAMES = {  # by the part that is replaced by the paper's
    WHOLE: "the whole recipe",
    "head": "dot head",
    "unit": "states of any length",
    "norm": "states not normalised",
    "points": "variables as symbols",
    "hidden": "no hidden layer",
    "values": "no value loss",
    "subexpressions": "no sub-expression loss",
    "pairs": "fewer pairs",
    "rename": "no renaming",
    "substitutes": "no substitutes",
    "steps": "the paper's steps",
    "warmup": "no warm-up",
    "clip": "no clipping",
}


def part_name(group: SeedGroup) -> str:
    """Return the name of a variant for readers."""
    return NAMES.get(group.variant, f"without {group.variant}")


def section(study: StudyResults) -> Section:
    recipes = " or ".join(dict.fromkeys(group.condition.recipe for group in study.groups)) or "treesmu"
    caption = f"Accuracy with the recipe {recipes}, and with one part of it replaced by the paper's"
    table = accuracy_table(study, caption, "recipe with", part_name)

    def with_model(group: SeedGroup, name: str) -> str:
        return f"{name}, {model_name(group.model)}" if len(study.models) > 1 else name

    parts = {
        with_model(group, f"“{part_name(group)}”"): (group.model, group.variant)
        for group in study.groups
        if group.variant != WHOLE
    }
    family = Family(
        "recipe without a part",
        {name: study.pairs((which[0], WHOLE), which, productivity) for name, which in parts.items()},
    )
    figure = variants_figure(study.groups, "ablation", _title(family), lambda group: with_model(group, part_name(group)), WHOLE)
    lowest = {name: min(one.difference.mean for one in family[name]) for name in parts if family[name]}
    conclusions = [
        f"The recipe with {name}: productivity {changes(family[name])}."
        for name in sorted(lowest, key=lambda name: (lowest[name], name))
    ]
    return Section(study, (table, figure), tuple(conclusions), (family,))


def _title(family: Family) -> str:
    return title(
        "The recipe with one part at a time replaced by the paper's", "productivity (compared with the whole recipe)", family
    )
