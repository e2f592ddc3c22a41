"""The table of studies that change one thing: both accuracies of each variant."""

from __future__ import annotations

from collections.abc import Callable

from .folder import StudyResults
from .runs import SeedGroup
from .section import BOTH, productivity
from .table import KEYS, Column, Columns, Table, groups_table
from .text.sentences import seeds_note


def accuracy_table(
    study: StudyResults, caption: str, variant: str, name: Callable[[SeedGroup], str] = lambda group: group.variant
) -> Table:
    """Return both accuracies of each variant. variant: the heading of the column of variants; name: the text of a variant."""
    columns: Columns = {Column("parameters"): lambda group: group.parameters}
    columns |= {Column.percent(f"{measure} %", has_best=True): value for measure, (value, _) in BOTH.items()}
    columns[Column("seeds")] = lambda group: group.seeds
    keys = KEYS | {Column(variant): name}
    return groups_table(study.name.replace("_", "-"), caption, study.groups, columns, (seeds_note(study.groups),), keys)


def largest_difference(study: StudyResults, model: str | None = None) -> float | None:
    """Return the largest difference in productivity between variants under one condition, in points."""
    differences = []
    for groups in study.conditions.values():
        means = [value.mean for group in groups if model in (None, group.model) and (value := productivity(group))]
        if len(means) > 1:
            differences.append(100 * (max(means) - min(means)))
    return max(differences, default=None)
