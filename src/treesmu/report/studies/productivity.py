"""Productivity and systematicity: the paper's first table, accuracy by depth, and the comparison with the paper."""

from __future__ import annotations

from itertools import combinations

from ..figures.accuracy import accuracy_by_depth
from ..figures.dots import paper_figure
from ..figures.palette import model_name
from ..folder import StudyResults
from ..numbers import Spread
from ..paper import paper_value
from ..runs import Pairs, SeedGroup, tested_depths
from ..section import MEASURES, PRODUCTIVITY, SYSTEMATICITY, Part, Section, productivity
from ..statistics.family import Family, Outcome, count
from ..text.claims import title
from ..text.effects import compare
from ..text.learning import learning_table
from ..text.paper_comparison import measures_table

CAPTION = (
    "Productivity (test depth 8-19) and systematicity (test depth 1-7), trained on depth 1-7: accuracy, and precision and "
    "recall of productivity"
)


def section(study: StudyResults) -> Section:
    parts: list[Part] = [measures_table(study.groups, "productivity", CAPTION, MEASURES)]
    families = [Family("the paper's numbers", _beside_paper(study)), Family("the paper's order", _as_ordered(study))]
    if paper_like := [group for group in study.groups if group.is_paper_like]:
        parts.append(paper_figure(paper_like, _paper_title(*families)))
    deeper = [depth for depth in tested_depths(study.groups) if depth >= PRODUCTIVITY[0]]
    families.append(Family("depth", _first_and_last(study, deeper)))
    heading = title("Accuracy by depth", _between(deeper), families[-1])
    parts.append(accuracy_by_depth(study.groups, "accuracy-by-depth", heading, SYSTEMATICITY))
    parts.append(learning_table(study))
    return Section(study, tuple(parts), families=tuple(families))


def _with_paper(study: StudyResults) -> list[tuple[SeedGroup, Spread, float]]:
    """Return the trained models whose corpus and recipe are like the paper's, their productivity, and the paper's."""
    return [
        (group, ours, paper.mean / 100)
        for group in study.groups
        if group.is_paper_like
        and group.model != "majority"
        and (ours := productivity(group))
        and (paper := paper_value("productivity", group.model, "productivity"))
    ]


def _beside_paper(study: StudyResults) -> dict[str, Pairs]:
    """Return the paper's productivity, a number without seeds, and ours, by model."""
    found: dict[str, Pairs] = {}
    for group, ours, paper in _with_paper(study):
        name = f"{model_name(group.model)}, productivity compared with the paper's"
        found.setdefault(name, []).append((group.condition, Spread((paper,) * ours.seeds, ours.numbers), ours))
    return found


def _as_ordered(study: StudyResults) -> dict[str, Pairs]:
    """Return all pairs of models, first the one that is lower in the paper."""
    found: dict[str, Pairs] = {}
    ordered = sorted(_with_paper(study), key=lambda one: one[2])
    for (old, before, low), (new, after, high) in combinations(ordered, 2):
        if low < high and old.condition == new.condition:
            found.setdefault(f"{compare(old.model, new.model)}, productivity", []).append((new.condition, before, after))
    return found


def _paper_title(numbers: Family, order: Family) -> str:
    """Return whether productivity differs from the paper's, and how many pairs of models have the paper's order."""
    heading = title("The paper's recipe on data like the paper's", "productivity (compared with the paper's)", numbers)
    same, other = (count(order, outcome) for outcome in (Outcome.HIGHER, Outcome.LOWER))
    if not same and not other:
        return heading
    return f"{heading}; {same} of {order.tests} pairs of models are ordered as in the paper, {other} the other way round"


def _first_and_last(study: StudyResults, deeper: list[int]) -> dict[str, Pairs]:
    """Return the accuracy of each trained model at the first and at the last depth beyond training."""
    found: dict[str, Pairs] = {}
    for group in study.groups if len(deeper) > 1 else ():
        first, last = (group.accuracy(depth, depth) for depth in (deeper[0], deeper[-1]))
        if group.model != "majority" and first and last:
            found.setdefault(f"{model_name(group.model)}, {_between(deeper)}", []).append((group.condition, first, last))
    return found


def _between(deeper: list[int]) -> str:
    return f"accuracy at depth {deeper[-1]} (compared with depth {deeper[0]})" if deeper else "accuracy"
