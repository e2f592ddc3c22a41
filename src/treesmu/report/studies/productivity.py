"""Productivity and systematicity: the paper's first table, accuracy by depth, and the comparison with the paper."""

from __future__ import annotations

from ..figures.accuracy import accuracy_by_depth
from ..figures.dots import paper_figure
from ..figures.palette import model_name
from ..folder import StudyResults
from ..paper import paper_value
from ..runs import SeedGroup, is_too_small_for_trends, tested_depths
from ..section import MEASURES, PRODUCTIVITY, SYSTEMATICITY, Part, Section, productivity
from ..text.learning import learning_table
from ..text.paper_comparison import measures_table

CAPTION = (
    "Productivity (test depth 8-19) and systematicity (test depth 1-7), trained on depth 1-7: accuracy, and precision and "
    "recall of productivity"
)


def section(study: StudyResults) -> Section:
    parts: list[Part] = [measures_table(study.groups, "productivity", CAPTION, MEASURES)]
    if paper_like := [group for group in study.groups if group.is_paper_like]:
        title = "The paper's recipe on data like the paper's"
        if not is_too_small_for_trends(paper_like):
            title += f": {_difference_from_paper(paper_like)}"
        parts.append(paper_figure(paper_like, title))
    parts.append(accuracy_by_depth(study.groups, "accuracy-by-depth", _title(study.groups), SYSTEMATICITY))
    parts.append(learning_table(study))
    return Section(study, tuple(parts))


def _difference_from_paper(groups: list[SeedGroup]) -> str:
    """Return the mean difference in productivity, and how many pairs of trained models are ordered as in the paper."""
    both = [
        (100 * ours.mean, paper.mean)
        for group in groups
        if group.model != "majority"
        and (ours := productivity(group))
        and (paper := paper_value("productivity", group.model, "productivity"))
    ]
    pairs = [(a, b) for i, a in enumerate(both) for b in both[i + 1 :]]
    if not pairs:
        return "nothing to compare yet"
    same = sum((a[0] - b[0]) * (a[1] - b[1]) > 0 for a, b in pairs)
    difference = sum(ours - paper for ours, paper in both) / len(both)
    side = "above" if difference > 0 else "below"
    order = "all" if same == len(pairs) else f"{same} of {len(pairs)}"
    return (
        f"productivity is {abs(difference):.1f} points {side} the paper's on average, and {order} pairs of models are ordered "
        "as in the paper"
    )


def _title(groups: tuple[SeedGroup, ...]) -> str:
    """Return the accuracy of the best model at the first and last depth beyond training."""
    deep = [depth for depth in tested_depths(groups) if depth >= PRODUCTIVITY[0]]
    best = max(groups, key=lambda group: value.mean if (value := productivity(group)) else 0)
    first, last = (best.accuracy(depth, depth) for depth in (deep[0], deep[-1])) if deep else (None, None)
    if first is None or last is None or is_too_small_for_trends(groups):
        return "Accuracy by depth"
    falls = "falls" if last.mean < first.mean else "does not fall"
    return (
        f"Accuracy {falls} with depth: the best model, {model_name(best.model)} ({best.condition}), goes from "
        f"{100 * first.mean:.0f}% at depth {deep[0]} to {100 * last.mean:.0f}% at depth {deep[-1]}"
    )
