"""Localism: the paper's second table, and accuracy by depth."""

from __future__ import annotations

from ..figures.by_depth import accuracy_by_depth
from ..folder import Entry, Folder, Study
from ..paper import printed
from ..section import LOCALISM, Measure, Section, conditions, find, ordered, pairs
from ..text.paper_comparison import measures_table, papers_lead
from ..text.sentences import changes, shares

TRAINED = (5, 13)
MEASURES: dict[str, Measure] = {
    "train": lambda entry: entry.accuracy_on("train"),
    "validation": lambda entry: entry.accuracy_on("validation"),
    "localism": lambda entry: entry.accuracy(*LOCALISM),
}


def section(study: Study, folder: Folder) -> Section:
    entries = ordered(folder, study.entries)
    figure = accuracy_by_depth(folder, entries, "localism-by-depth", _title(entries), TRAINED)
    caption = "Localism (test depth 1-4), trained on depth 5-13: accuracy"
    table = measures_table(folder, entries, "localism", caption, MEASURES)
    return Section(study, (table, figure), _conclusions(folder, study))


def _title(entries: list[Entry]) -> str:
    """Do models that know deep equations know shallow ones as well?"""
    both = [(entry.accuracy(*LOCALISM), entry.accuracy(*TRAINED)) for entry in entries if entry.model != "majority"]
    worse = [shallow.mean < deep.mean for shallow, deep in both if shallow and deep]
    if not worse:
        return "Accuracy by depth, trained on depth 5-13"
    return (
        f"Trained on depth 5-13: {sum(worse)} of {len(worse)} are worse on shallower equations than on new ones of these depths"
    )


def _conclusions(folder: Folder, study: Study) -> tuple[str, ...]:
    measure = MEASURES["localism"]
    found = [
        (condition, value)
        for condition, entries in conditions(folder, study.entries).items()
        if (smu := find(entries, "tree-smu")) and (value := measure(smu))
    ]
    if not found:
        return ()
    paper = printed("localism", "tree-smu", "localism")
    beside = f" The paper has {paper.mean:.1f}%." if paper else ""
    said = f"From deep equations (5-13) to shallow ones (1-4), Tree-SMU is right on {shares(found)}.{beside}"
    both = pairs(folder, study, ("tree-lstm", None), ("tree-smu", None), measure)
    lead = f"Tree-SMU against Tree-LSTM, localism: {changes(both)}.{papers_lead('localism', 'tree-lstm')}"
    return (said, lead) if both else (said,)
