"""Stack operations: accuracy without some of them."""

from __future__ import annotations

from ..figures.dots import variants_figure
from ..folder import StudyResults
from ..runs import is_too_small_for_trends
from ..section import Section, productivity
from ..text.sentences import changes
from ..variants import accuracy_table, largest_difference

WHOLE = "push, pop, no-op"


def section(study: StudyResults) -> Section:
    table = accuracy_table(study, "Accuracy with some operations of the stack, trained on depth 1-7", "operations")
    largest = largest_difference(study, "tree-smu")
    title = "Accuracy with some operations of the stack"
    if largest is not None and not is_too_small_for_trends(study.groups):
        title = f"The choice of operations of Tree-SMU's stack changes productivity by {largest:.1f} points at most"
    figure = variants_figure(study.groups, "stack-operations", title, lambda group: group.variant, WHOLE)
    pairs = study.pairs(("tree-smu", WHOLE), ("tree-smu", "queue"), productivity)
    sentence = f"A queue in place of the stack changes productivity by {changes(pairs)}." if pairs else ""
    return Section(study, (table, figure), (sentence,) if sentence else ())
