"""Localism: the paper's second table, and accuracy by depth."""

from __future__ import annotations

from ..figures.by_depth import accuracy_by_depth
from ..folder import Folder, SeedGroup, StudyResults
from ..paper import paper_value
from ..section import LOCALISM, Measure, Section, conditions, find, ordered, pairs
from ..text.paper_comparison import measures_table, paper_lead_sentence
from ..text.sentences import changes, shares

TRAINED = (5, 13)
MEASURES: dict[str, Measure] = {
    "train": lambda group: group.accuracy_on("train"),
    "validation": lambda group: group.accuracy_on("validation"),
    "localism": lambda group: group.accuracy(*LOCALISM),
}


def section(study: StudyResults, folder: Folder) -> Section:
    groups = ordered(folder, study.groups)
    figure = accuracy_by_depth(folder, groups, "localism-by-depth", _title(groups), TRAINED)
    caption = "Localism (test depth 1-4), trained on depth 5-13: accuracy"
    table = measures_table(folder, groups, "localism", caption, MEASURES)
    return Section(study, (table, figure), _conclusions(folder, study))


def _title(groups: list[SeedGroup]) -> str:
    """Do models that know deep equations know shallow ones as well?"""
    both = [(group.accuracy(*LOCALISM), group.accuracy(*TRAINED)) for group in groups if group.model != "majority"]
    worse = [shallow.mean < deep.mean for shallow, deep in both if shallow and deep]
    if not worse:
        return "Accuracy by depth, trained on depth 5-13"
    return (
        f"Trained on depth 5-13: {sum(worse)} of {len(worse)} are worse on shallower equations than on new ones of these depths"
    )


def _conclusions(folder: Folder, study: StudyResults) -> tuple[str, ...]:
    measure = MEASURES["localism"]
    found = [
        (condition, value)
        for condition, groups in conditions(folder, study.groups).items()
        if (smu := find(groups, "tree-smu")) and (value := measure(smu))
    ]
    if not found:
        return ()
    paper = paper_value("localism", "tree-smu", "localism")
    beside = f" The paper has {paper.mean:.1f}%." if paper else ""
    said = f"From deep equations (5-13) to shallow ones (1-4), Tree-SMU is right on {shares(found)}.{beside}"
    both = pairs(folder, study, ("tree-lstm", None), ("tree-smu", None), measure)
    lead = f"Tree-SMU against Tree-LSTM, localism: {changes(both)}.{paper_lead_sentence('localism', 'tree-lstm')}"
    return (said, lead) if both else (said,)
