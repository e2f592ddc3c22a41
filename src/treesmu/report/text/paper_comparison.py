"""Beside the paper: its figures next to ours, and what must be known before one is held against the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..figures.palette import CELLS, model_name
from ..folder import Entry, Folder
from ..paper import lead, printed
from ..section import LOCALISM, PRODUCTIVITY, SYSTEMATICITY, Measure, conditions, find, is_the_papers, productivity
from ..table import Cell, Column, Compared, Table
from .effects import Conditions
from .provenance import PAPER_EPOCHS
from .sentences import condition_name, epochs, number, percent, points, seeds_note

TESTS = {  # by name: the study and the depths of the test
    "systematicity": ("productivity", SYSTEMATICITY),
    "productivity": ("productivity", PRODUCTIVITY),
    "localism": ("localism", LOCALISM),
}


def measures_table(folder: Folder, entries: list[Entry], study: str, caption: str, measures: Mapping[str, Measure]) -> Table:
    """All measures of all models. study: where the paper's are."""
    columns = [Column("corpus"), Column("recipe"), Column("model")]
    columns += [Column.percent(f"{name} %", is_best=name in TESTS) for name in measures]
    return Table(
        name=study,
        caption=caption,
        columns=(*columns, Column("seeds")),
        rows=tuple(
            (
                *(entry.corpus, entry.recipe, model_name(entry.model)),
                *(_cell(folder, entry, study, name, measure) for name, measure in measures.items()),
                entry.seeds,
            )
            for entry in entries
        ),
        keys=3,
        notes=(seeds_note(entries), "The paper's figures stand beside ours where corpus and recipe are like the paper's."),
    )


def _cell(folder: Folder, entry: Entry, study: str, name: str, measure: Measure) -> Cell:
    found, paper = measure(entry), printed(study, entry.model, name)
    return Compared(found, paper) if found and paper and is_the_papers(folder, entry) else found


def papers_lead(test: str, other: str) -> str:
    """A sentence: how far Tree-SMU is ahead of another model in the paper; empty where it does not say."""
    found = lead(TESTS[test][0], "tree-smu", other, test)
    return "" if found is None else f" The paper: {points(found)}."


def the_papers(folder: Folder, found: Conditions) -> list[Entry]:
    """The entries with corpus and recipe like the paper's."""
    return next((some for some in found.values() if is_the_papers(folder, some[0])), [])


# -- in words ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Beside:
    """Ours and the paper's in one test, as words. base: the base rates; models: all that were trained so."""

    test: str
    ours: str
    paper: str
    base: str
    models: list[Entry]


def beside_the_paper(folder: Folder, found: Conditions) -> tuple[str, ...]:
    """Tree-SMU or else the best cell; base rates; epochs."""
    cell = _chosen(the_papers(folder, found))
    tests = [beside for test in TESTS if (beside := _beside(folder, cell, test))] if cell else []
    if not cell or not tests:
        return ()
    where = condition_name((cell.corpus, cell.recipe))
    listed = ", ".join(f"{one.test} {one.ours} (the paper {one.paper})" for one in tests)
    bases = ", ".join(f"{one.test} {one.base}" for one in tests)
    runs = [run for entry in {id(e): e for one in tests for e in one.models}.values() for run in entry.runs]
    rising = sum(run.is_still_rising for run in runs)
    stopped = ": training was stopped there while still rising" if rising else ""
    return (
        f"{model_name(cell.model)} ({where}): {listed}.",
        f"Base rate, the share of the larger class among the test equations: {bases}.",
        f"Training: {_epochs(tests)}; the paper's up to {PAPER_EPOCHS}.",
        f"The last epoch was the best on validation in {rising} of {number(len(runs), 'run')}{stopped}.",
    )


def _chosen(entries: list[Entry]) -> Entry | None:
    cells = [(value.mean, entry) for cell in CELLS if (entry := find(entries, cell)) and (value := productivity(entry))]
    best = max(cells, key=lambda pair: pair[0], default=(0, None))[1]
    return find(entries, "tree-smu") or best


def _beside(folder: Folder, cell: Entry, test: str) -> Beside | None:
    """None where ours or the paper's is not there."""
    name, depths = TESTS[test]
    study = folder.study(name)
    entries = conditions(folder, study.entries if study else []).get((cell.corpus, cell.recipe), [])
    entry = find(entries, cell.model)
    ours, chance = (entry.accuracy(*depths), entry.chance(*depths)) if entry else (None, None)
    paper, base = printed(name, cell.model, test), printed(name, "majority", test)
    if ours is None or chance is None or paper is None or base is None:
        return None
    models = [entry for entry in entries if entry.model != "majority"]
    rates = f"{percent(chance)} (the paper {percent(base.mean / 100)})"
    return Beside(test, percent(ours), percent(paper.mean / 100), rates, models)


def _epochs(tests: list[Beside]) -> str:
    """Of each test, those with the same number together."""
    found: dict[str, list[str]] = {}
    for one in tests:
        found.setdefault(epochs(one.models), []).append(one.test)
    return "; ".join(f"{many} ({', '.join(some)})" if len(found) > 1 else many for many, some in found.items())
