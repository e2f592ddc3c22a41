"""Data size: accuracy against the number of training equations, and by depth."""

from __future__ import annotations

from typing import Any

from ..figures.accuracy import accuracy_along, accuracy_by_depth
from ..figures.palette import model_name, paler
from ..folder import StudyResults
from ..runs import Pairs, SeedGroup, is_too_small_for_trends
from ..section import SYSTEMATICITY, Section, described_models, productivity
from ..text.sentences import changes, percent
from ..variants import accuracy_table


def section(study: StudyResults) -> Section:
    caption = "Accuracy by number of training equations of depth 1-7"
    table = accuracy_table(study, caption, "equations", lambda group: f"{group.rows:,}")
    along = accuracy_along(study, _title(study), "training equations", lambda group: group.rows)
    sizes = sorted({group.rows for group in study.groups})
    has_several = len(study.models) > 1

    def looks(group: SeedGroup) -> dict[str, Any]:
        share = (sizes.index(group.rows) + 1) / len(sizes)
        label = f"{group.rows:,}" + (f" {model_name(group.model)}" if has_several else "")
        return {"label": label, "colour": paler(group.colour, 0.7 * (1 - share))}

    title = "Accuracy by depth, from the fewest training equations (pale) to the most"
    by_depth = accuracy_by_depth(study.groups, "data-size-by-depth", title, SYSTEMATICITY, looks)
    return Section(study, (table, along, by_depth), _conclusions(study))


def _ends(study: StudyResults, model: str) -> tuple[str, Pairs]:
    """Return a phrase, and the productivity of a model with the fewest and with the most equations."""
    sizes = sorted({group.variant for group in study.groups}, key=int)
    pairs = study.pairs((model, sizes[0]), (model, sizes[-1]), productivity) if len(sizes) > 1 else []
    phrase = f"From {int(sizes[0]):,} to {int(sizes[-1]):,} training equations, the productivity of {model_name(model)}"
    return phrase, pairs


def _title(study: StudyResults) -> str:
    phrase, pairs = _ends(study, "tree-smu")
    if len(pairs) != 1 or is_too_small_for_trends(study.groups):
        return "Accuracy by number of training equations"
    _, few, many = pairs[0]
    return f"{phrase} goes from {percent(few)} to {percent(many)}"


def _conclusions(study: StudyResults) -> tuple[str, ...]:
    ends = [_ends(study, model) for model in described_models(study)]
    return tuple(f"{phrase} changes by {changes(pairs)}." for phrase, pairs in ends if pairs)
