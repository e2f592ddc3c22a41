"""Beside the paper: its figures next to ours, and what must be known before one is held against the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..figures.palette import CELLS, model_name
from ..folder import Folder, SeedGroup
from ..paper import lead, paper_value
from ..section import LOCALISM, PRODUCTIVITY, SYSTEMATICITY, Measure, conditions, find, is_like_the_paper, productivity
from ..table import Cell, Column, Compared, Table
from .effects import Conditions
from .provenance import PAPER_EPOCHS
from .sentences import condition_name, epochs, number, percent, points, seeds_note

TESTS = {  # by name: the study and the depths of the test
    "systematicity": ("productivity", SYSTEMATICITY),
    "productivity": ("productivity", PRODUCTIVITY),
    "localism": ("localism", LOCALISM),
}


def measures_table(folder: Folder, groups: list[SeedGroup], study: str, caption: str, measures: Mapping[str, Measure]) -> Table:
    """All measures of all models. study: where the paper's are."""
    columns = [Column("corpus"), Column("recipe"), Column("model")]
    columns += [Column.percent(f"{name} %", is_best=name in TESTS) for name in measures]
    return Table(
        name=study,
        caption=caption,
        columns=(*columns, Column("seeds")),
        rows=tuple(
            (
                *(group.corpus, group.recipe, model_name(group.model)),
                *(_cell(folder, group, study, name, measure) for name, measure in measures.items()),
                group.seeds,
            )
            for group in groups
        ),
        keys=3,
        notes=(seeds_note(groups), "The paper's figures stand beside ours where corpus and recipe are like the paper's."),
    )


def _cell(folder: Folder, group: SeedGroup, study: str, name: str, measure: Measure) -> Cell:
    found, paper = measure(group), paper_value(study, group.model, name)
    return Compared(found, paper) if found and paper and is_like_the_paper(folder, group) else found


def paper_lead_sentence(test: str, other: str) -> str:
    """A sentence: how far Tree-SMU is ahead of another model in the paper; empty where it does not say."""
    found = lead(TESTS[test][0], "tree-smu", other, test)
    return "" if found is None else f" The paper: {points(found)}."


def groups_like_the_paper(folder: Folder, found: Conditions) -> list[SeedGroup]:
    """The groups with corpus and recipe like the paper's."""
    return next((some for some in found.values() if is_like_the_paper(folder, some[0])), [])


# -- in words ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PaperComparison:
    """Ours and the paper's in one test, as words. base: the base rates; models: all that were trained so."""

    test: str
    ours: str
    paper: str
    base: str
    models: list[SeedGroup]


def compare_with_paper(folder: Folder, found: Conditions) -> tuple[str, ...]:
    """Tree-SMU or else the best cell; base rates; epochs."""
    cell = _chosen(groups_like_the_paper(folder, found))
    tests = [beside for test in TESTS if (beside := _beside(folder, cell, test))] if cell else []
    if not cell or not tests:
        return ()
    where = condition_name((cell.corpus, cell.recipe))
    listed = ", ".join(f"{one.test} {one.ours} (the paper {one.paper})" for one in tests)
    bases = ", ".join(f"{one.test} {one.base}" for one in tests)
    runs = [run for group in {id(e): e for one in tests for e in one.models}.values() for run in group.runs]
    rising = sum(run.is_still_rising for run in runs)
    stopped = ": training was stopped there while still rising" if rising else ""
    return (
        f"{model_name(cell.model)} ({where}): {listed}.",
        f"Base rate, the share of the larger class among the test equations: {bases}.",
        f"Training: {_epochs(tests)}; the paper's up to {PAPER_EPOCHS}.",
        f"The last epoch was the best on validation in {rising} of {number(len(runs), 'run')}{stopped}.",
    )


def _chosen(groups: list[SeedGroup]) -> SeedGroup | None:
    cells = [(value.mean, group) for cell in CELLS if (group := find(groups, cell)) and (value := productivity(group))]
    best = max(cells, key=lambda pair: pair[0], default=(0, None))[1]
    return find(groups, "tree-smu") or best


def _beside(folder: Folder, cell: SeedGroup, test: str) -> PaperComparison | None:
    """None where ours or the paper's is not there."""
    name, depths = TESTS[test]
    study = folder.study(name)
    groups = conditions(folder, study.groups if study else []).get((cell.corpus, cell.recipe), [])
    group = find(groups, cell.model)
    ours, chance = (group.accuracy(*depths), group.chance(*depths)) if group else (None, None)
    paper, base = paper_value(name, cell.model, test), paper_value(name, "majority", test)
    if ours is None or chance is None or paper is None or base is None:
        return None
    models = [group for group in groups if group.model != "majority"]
    rates = f"{percent(chance)} (the paper {percent(base.mean / 100)})"
    return PaperComparison(test, percent(ours), percent(paper.mean / 100), rates, models)


def _epochs(tests: list[PaperComparison]) -> str:
    """Of each test, those with the same number together."""
    found: dict[str, list[str]] = {}
    for one in tests:
        found.setdefault(epochs(one.models), []).append(one.test)
    return "; ".join(f"{many} ({', '.join(some)})" if len(found) > 1 else many for many, some in found.items())
