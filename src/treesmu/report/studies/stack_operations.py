"""Stack operations: accuracy without some of them."""

from __future__ import annotations

from ..folder import Folder, StudyResults
from ..section import Section, conditions, pairs, productivity
from ..text.sentences import changes
from ..variants import accuracy_dots, accuracy_table

WHOLE = "push, pop, no-op"


def section(study: StudyResults, folder: Folder) -> Section:
    table = accuracy_table(study, folder, "Accuracy with some operations of the stack, trained on depth 1-7", "operations")
    figure = accuracy_dots(folder, study.groups, "stack-operations", _title(study, folder), lambda group: group.variant, WHOLE)
    found = pairs(folder, study, ("tree-smu", WHOLE), ("tree-smu", "queue"), productivity)
    said = f"A queue in place of the stack changes productivity by {changes(found)}."
    return Section(study, (table, figure), (said,) if found else ())


def _title(study: StudyResults, folder: Folder) -> str:
    """How far the variants of Tree-SMU are apart."""
    apart = [
        max(means) - min(means)
        for groups in conditions(folder, study.groups).values()
        if len(means := [value.mean for e in groups if e.model == "tree-smu" and (value := productivity(e))]) > 1
    ]
    if not apart:
        return "Accuracy with some operations of the stack"
    return f"Which operations Tree-SMU's stack has moves productivity by {100 * max(apart):.1f} points at most"
