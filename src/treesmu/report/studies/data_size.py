"""Data size: accuracy against the number of training equations, and by depth."""

from __future__ import annotations

from typing import Any

from ..figures.accuracy import accuracy_along, accuracy_by_depth
from ..figures.palette import model_name, paler
from ..folder import StudyResults
from ..runs import Pairs, SeedGroup
from ..section import SYSTEMATICITY, Section, described_models, productivity
from ..statistics.family import Family
from ..text.claims import changes, title
from ..variants import accuracy_table, laws_table


def section(study: StudyResults) -> Section:
    caption = "Accuracy by number of training equations of depth 1-7"
    table = accuracy_table(study, caption, "equations", lambda group: f"{group.rows:,}")
    ends = {model: _ends(study, model) for model in described_models(study)}
    family = Family("number of training equations", dict(ends.values()))
    heading = title("Accuracy by number of training equations", "productivity (the most compared with the fewest)", family)
    along = accuracy_along(study, heading, "training equations", lambda group: group.rows)
    sizes = sorted({group.rows for group in study.groups})
    has_several = len(study.models) > 1

    def looks(group: SeedGroup) -> dict[str, Any]:
        share = (sizes.index(group.rows) + 1) / len(sizes)
        label = f"{group.rows:,}" + (f" {model_name(group.model)}" if has_several else "")
        return {"label": label, "colour": paler(group.colour, 0.7 * (1 - share))}

    pale = "Accuracy by depth, from the fewest training equations (pale) to the most"
    by_depth = accuracy_by_depth(study.groups, "data-size-by-depth", pale, SYSTEMATICITY, looks)
    law = laws_table(study, "training equations", lambda group: group.rows)
    parts = (table, along, law, by_depth)
    conclusions = [f"{phrase} changes by {changes(family[phrase])}." for phrase, pairs in ends.values() if pairs]
    return Section(study, tuple(part for part in parts if part is not None), tuple(conclusions), (family,))


def _ends(study: StudyResults, model: str) -> tuple[str, Pairs]:
    """Return a phrase, and the productivity of a model with the fewest and with the most equations."""
    sizes = sorted({group.variant for group in study.groups}, key=int)
    pairs = study.pairs((model, sizes[0]), (model, sizes[-1]), productivity) if len(sizes) > 1 else []
    phrase = f"From {int(sizes[0]):,} to {int(sizes[-1]):,} training equations, the productivity of {model_name(model)}"
    return phrase, pairs
