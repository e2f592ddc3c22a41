"""The tables of studies that change one thing: both accuracies of each variant, and how they follow a size."""

from __future__ import annotations

from collections.abc import Callable

from .folder import StudyResults
from .numbers import fit_power_law
from .runs import SeedGroup
from .section import BOTH
from .table import KEYS, Column, Columns, Row, Table, groups_table
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


def laws_table(study: StudyResults, what: str, size: Callable[[SeedGroup], float]) -> Table | None:
    """Return the law of each model and measure under each condition, or None if there are too few sizes. what: the size."""
    rows: list[Row] = []
    for groups in study.conditions.values():
        for model in dict.fromkeys(group.model for group in groups):
            some = [group for group in groups if group.model == model]
            rows += _rows(some, size)
    if not rows:
        return None
    columns = (
        *KEYS,
        Column("measure"),
        Column("a (%)", 1, 100),
        Column("b", 3),
        Column("R²", 3),
        Column("error with 10 times as many (%)", 0, 100),
    )
    notes = (
        f"Error = a · ({what})^(−b), fitted by least squares on a logarithmic scale. The last column: how much the error "
        f"changes with ten times as many {what}, if the law goes on. Where R² is low, there is no law.",
    )
    caption = f"Power laws of the error against the number of {what}"
    return Table(f"{study.name.replace('_', '-')}-law", caption, columns, tuple(rows), len(KEYS) + 1, False, notes)


def _rows(groups: list[SeedGroup], size: Callable[[SeedGroup], float]) -> list[Row]:
    rows: list[Row] = []
    for measure, (value, _) in BOTH.items():
        errors = {float(size(group)): 1 - found.mean for group in groups if (found := value(group)) is not None}
        law = fit_power_law(errors)
        if law is not None:
            keys = tuple(key(groups[0]) for key in KEYS.values())
            rows.append((*keys, measure, law.scale, law.exponent, law.fit, law.tenfold))
    return rows
