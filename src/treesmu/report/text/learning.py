"""The table of learning: all models, corpora and recipes, with accuracy at every depth, training time and size."""

from __future__ import annotations

from ..folder import StudyResults
from ..runs import accuracy_at, tested_depths
from ..section import BOTH, MEASURES
from ..table import Column, Columns, Table, groups_table
from .sentences import seeds_note

SECONDS = (
    "Seconds per epoch: the median over the epochs of the fastest seed, since others may have shared the machine with other "
    "work; one thread, on the machine named under Provenance."
)


def learning_table(study: StudyResults) -> Table:
    """Return the table of the runs of the study of productivity."""
    columns: Columns = {Column.percent(f"{name} %", has_best=name in BOTH): measure for name, measure in MEASURES.items()}
    for depth in tested_depths(study.groups):
        columns[Column.percent(f"depth {depth} %")] = accuracy_at(depth)
    columns[Column("seconds per epoch")] = lambda group: min(run.seconds_per_epoch for run in group.runs)
    columns[Column("parameters")] = lambda group: group.parameters
    columns[Column("seeds")] = lambda group: group.seeds
    caption = "Learning: all models, trained on depth 1-7 of every corpus; precision and recall are those of productivity"
    return groups_table("learning", caption, study.groups, columns, (seeds_note(study.groups), SECONDS), is_wide=True)
