"""Variants: a recipe with other settings, each beside the recipe as it is."""

from __future__ import annotations

from ..figures.dots import variants_figure
from ..figures.palette import model_name
from ..folder import StudyResults
from ..numbers import Spread
from ..runs import Pairs, SeedGroup
from ..section import BOTH, Section
from ..statistics.family import Family
from ..table import KEYS, Column, Columns, groups_table
from ..text.claims import changes, title
from ..text.sentences import seeds_note

UNCHANGED = "as it is"


def section(study: StudyResults) -> Section:
    caption = "Accuracy with a recipe as it is, and with settings changed; validation is what to choose by"
    columns: Columns = {
        Column("parameters"): lambda group: group.parameters,
        Column.percent("validation %", has_best=True): _validation,
    }
    columns |= {Column.percent(f"{measure} %", has_best=True): value for measure, (value, _) in BOTH.items()}
    columns[Column("seeds")] = lambda group: group.seeds
    keys = KEYS | {Column("recipe with"): lambda group: group.variant}
    table = groups_table("variants", caption, study.groups, columns, (seeds_note(study.groups),), keys)
    family = Family("recipe with other settings", _pairs(study))
    heading = title("The recipe with other settings", "validation accuracy (compared with the recipe as it is)", family)
    figure = variants_figure(study.groups, "variants", heading, lambda group: _label(study, group), UNCHANGED)
    names = dict.fromkeys(one.what for one in family)
    highest = sorted(names, key=lambda name: max(one.difference.mean for one in family[name]), reverse=True)
    conclusions = [f"The recipe with {name}: validation {changes(family[name])}." for name in highest]
    return Section(study, (table, figure), tuple(conclusions), (family,))


def _validation(group: SeedGroup) -> Spread | None:
    return group.score_on("validation")


def _label(study: StudyResults, group: SeedGroup) -> str:
    return f"{group.variant}, {model_name(group.model)}" if len(study.models) > 1 else group.variant


def _pairs(study: StudyResults) -> dict[str, Pairs]:
    """Return the validation accuracy of the recipe as it is and with other settings, by name."""
    found: dict[str, Pairs] = {}
    for group in study.groups:
        if group.variant != UNCHANGED:
            pairs = study.pairs((group.model, UNCHANGED), (group.model, group.variant), _validation)
            found.setdefault(f"“{_label(study, group)}”", pairs)
    return found
