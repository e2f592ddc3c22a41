"""Stack operations: accuracy without some of them."""

from __future__ import annotations

from ..figures.dots import variants_figure
from ..folder import StudyResults
from ..section import Section, productivity
from ..statistics.family import Family
from ..text.claims import changes, title
from ..variants import accuracy_table

WHOLE = "push, pop, no-op"
QUEUE = "queue"


def section(study: StudyResults) -> Section:
    table = accuracy_table(study, "Accuracy with some operations of the stack, trained on depth 1-7", "operations")
    variants = dict.fromkeys(group.variant for group in study.groups if group.variant != WHOLE)
    pairs = {name: study.pairs(("tree-smu", WHOLE), ("tree-smu", name), productivity) for name in variants}
    family = Family(f"operations of Tree-SMU's stack, compared with {WHOLE}", pairs)
    heading = title("Accuracy with some operations of the stack", f"productivity of Tree-SMU (compared with {WHOLE})", family)
    figure = variants_figure(study.groups, "stack-operations", heading, lambda group: group.variant, WHOLE)
    tested = family[QUEUE]
    sentences = (f"A queue in place of the stack changes productivity by {changes(tested)}.",) if tested else ()
    return Section(study, (table, figure), sentences, (family,))
