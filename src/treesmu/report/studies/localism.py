"""Localism: the paper's second table, and accuracy by depth."""

from __future__ import annotations

from ..by_depth import accuracy_by_depth
from ..folder import Entry, Folder, Study
from ..palette import model_name
from ..paper import printed
from ..section import LOCALISM, Measure, Section, conditions, find, is_the_papers, ordered
from ..table import Cell, Column, Compared, Table
from ..words import seeds_note, shares

TRAINED = (5, 13)
MEASURES: dict[str, Measure] = {
    "train": lambda entry: entry.accuracy_on("train"),
    "validation": lambda entry: entry.accuracy_on("validation"),
    "localism": lambda entry: entry.accuracy(*LOCALISM),
}


def section(study: Study, folder: Folder) -> Section:
    entries = ordered(folder, study.entries)
    figure = accuracy_by_depth(folder, entries, "localism-by-depth", _title(entries), TRAINED)
    return Section(study, (_table(folder, entries), figure), _conclusions(folder, entries))


def _table(folder: Folder, entries: list[Entry]) -> Table:
    columns = [Column("corpus"), Column("recipe"), Column("model")]
    columns += [Column.percent(f"{name} %", is_best=name == "localism") for name in MEASURES]
    return Table(
        name="localism",
        caption="Localism (test depth 1-4), trained on depth 5-13: accuracy",
        columns=(*columns, Column("seeds")),
        rows=tuple(_row(folder, entry) for entry in entries),
        keys=3,
        notes=(seeds_note(entries), "The paper's figures stand beside ours where corpus and recipe are the paper's."),
    )


def _row(folder: Folder, entry: Entry) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for name, measure in MEASURES.items():
        found = measure(entry)
        paper = printed("localism", entry.model, name) if is_the_papers(folder, entry) else None
        cells.append(found if found is None or paper is None else Compared(found, paper))
    return (entry.corpus, entry.recipe, model_name(entry.model), *cells, entry.seeds)


def _title(entries: list[Entry]) -> str:
    """Do models that know deep equations know shallow ones as well?"""
    both = [(entry.accuracy(*LOCALISM), entry.accuracy(*TRAINED)) for entry in entries if entry.model != "majority"]
    worse = [shallow.mean < deep.mean for shallow, deep in both if shallow and deep]
    if not worse:
        return "Accuracy by depth, trained on depth 5-13"
    return (
        f"Trained on depth 5-13: {sum(worse)} of {len(worse)} are worse on shallower equations than on new ones of these depths"
    )


def _conclusions(folder: Folder, entries: list[Entry]) -> tuple[str, ...]:
    found = []
    for condition, some in conditions(folder, entries).items():
        smu = find(some, "tree-smu")
        value = smu.accuracy(*LOCALISM) if smu else None
        if value:
            found.append((condition, value))
    if not found:
        return ()
    paper = printed("localism", "tree-smu", "localism")
    beside = f" The paper has {paper.mean:.1f}%." if paper else ""
    return (f"From deep equations (5-13) to shallow ones (1-4), Tree-SMU is right on {shares(found)}.{beside}",)
