"""Learning: all models on all corpora with all recipes in one table, with accuracy at every depth, time and size."""

from __future__ import annotations

from ..figures.palette import model_name
from ..folder import Folder, SeedGroup, StudyResults
from ..section import MEASURES, ordered, test_depths
from ..table import Cell, Column, Table
from ..variants import parameters
from .sentences import seeds_note

SECONDS = (
    "Seconds an epoch: the median over epochs, of the fastest seed, since others may have been slowed down by other work; one "
    "thread, on the machine named below."
)


def learning_table(study: StudyResults, folder: Folder) -> Table:
    """Of the runs of the study of productivity."""
    groups = ordered(folder, study.groups)
    depths = test_depths(groups)
    columns = [Column("corpus"), Column("recipe"), Column("model")]
    columns += [Column.percent(f"{name} %", is_best=name in ("systematicity", "productivity")) for name in MEASURES]
    columns += [Column.percent(f"depth {depth} %") for depth in depths]
    return Table(
        name="learning",
        caption="Learning: all models, trained on depth 1-7 of every corpus; precision and recall are those of productivity",
        columns=(*columns, Column("seconds an epoch"), Column("parameters"), Column("seeds")),
        rows=tuple(_row(group, depths) for group in groups),
        keys=3,
        is_wide=True,
        notes=(seeds_note(groups), SECONDS),
    )


def _row(group: SeedGroup, depths: list[int]) -> tuple[Cell, ...]:
    return (
        *(group.corpus, group.recipe, model_name(group.model)),
        *(measure(group) for measure in MEASURES.values()),
        *(group.accuracy(depth, depth) for depth in depths),
        *(min(run.seconds_an_epoch for run in group.runs), parameters(group), group.seeds),
    )
