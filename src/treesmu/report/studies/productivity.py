"""Productivity and systematicity: the paper's first table, accuracy by depth, and both beside the paper."""

from __future__ import annotations

from ..figures.by_depth import accuracy_by_depth
from ..figures.figure import Dot, Dots, Figure
from ..figures.palette import model_colour, model_name
from ..folder import Folder, SeedGroup, StudyResults
from ..paper import paper_value
from ..section import (
    MEASURES,
    PRODUCTIVITY,
    SYSTEMATICITY,
    Part,
    Section,
    is_like_the_paper,
    ordered,
    productivity,
    test_depths,
)
from ..text.learning import learning_table
from ..text.paper_comparison import measures_table
from ..text.sentences import condition_name
from ..variants import accuracy_dot

CAPTION = (
    "Productivity (test depth 8-19) and systematicity (test depth 1-7), trained on depth 1-7: accuracy, and precision and "
    "recall of productivity"
)


def section(study: StudyResults, folder: Folder) -> Section:
    groups = ordered(folder, study.groups)
    parts: list[Part] = [measures_table(folder, groups, "productivity", CAPTION, MEASURES)]
    if beside := _beside_the_paper(folder, groups):
        parts.append(beside)
    parts.append(accuracy_by_depth(folder, groups, "accuracy-by-depth", _title(groups), SYSTEMATICITY))
    parts.append(learning_table(study, folder))
    return Section(study, tuple(parts))


def _beside_the_paper(folder: Folder, groups: list[SeedGroup]) -> Figure | None:
    chosen = [group for group in groups if is_like_the_paper(folder, group)]
    if not chosen:
        return None
    panels = [
        Dots(
            title=f"{name}, depth {low}-{high}",
            x_label="accuracy (%)",
            rows=tuple(dot for group in reversed(chosen) if (dot := _dot(group, name))),
            x_range=(40, 100),
        )
        for name, (low, high) in (("systematicity", SYSTEMATICITY), ("productivity", PRODUCTIVITY))
    ]
    return Figure(
        "beside-the-paper",
        f"The paper's recipe on data like the paper's: {_how_far(chosen)}",
        "Filled: ours, with standard deviation where there are several seeds. Open: the paper's.",
        tuple(panels),
    )


def _dot(group: SeedGroup, name: str) -> Dot | None:
    paper = paper_value("productivity", group.model, name)
    beside = None if paper is None else paper.mean
    return accuracy_dot(model_name(group.model), MEASURES[name](group), model_colour(group.model), beside)


def _how_far(groups: list[SeedGroup]) -> str:
    """Is our order of the models the paper's? A majority learns nothing, and is no model here."""
    both = [
        (100 * found.mean, paper.mean)
        for group in groups
        if group.model != "majority"
        and (found := productivity(group))
        and (paper := paper_value("productivity", group.model, "productivity"))
    ]
    pairs = [(a, b) for i, a in enumerate(both) for b in both[i + 1 :]]
    if not pairs:
        return "nothing to compare yet"
    same = sum((a[0] - b[0]) * (a[1] - b[1]) > 0 for a, b in pairs)
    away = sum(ours - paper for ours, paper in both) / len(both)
    side = "above" if away > 0 else "below"
    order = "all" if same == len(pairs) else f"{same} of {len(pairs)}"
    return (
        f"productivity is {abs(away):.1f} points {side} the paper's on average, and {order} pairs of models stand in its order"
    )


def _title(groups: list[SeedGroup]) -> str:
    """Where the best model of all conditions begins and ends."""
    deep = [depth for depth in test_depths(groups) if depth >= PRODUCTIVITY[0]]
    best = max(groups, key=lambda group: found.mean if (found := productivity(group)) else 0)
    first, last = (best.accuracy(depth, depth) for depth in (deep[0], deep[-1])) if deep else (None, None)
    if first is None or last is None:
        return "Accuracy by depth"
    falls = "falls" if last.mean < first.mean else "does not fall"
    who = f"{model_name(best.model)} ({condition_name((best.corpus, best.recipe))})"
    return (
        f"Accuracy {falls} with depth: the best, {who}, goes from {100 * first.mean:.0f}% at depth {deep[0]} to "
        f"{100 * last.mean:.0f}% at depth {deep[-1]}"
    )
