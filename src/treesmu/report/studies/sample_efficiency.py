"""Sample efficiency: accuracy after training on a part of the data, as in the paper's figure."""

from __future__ import annotations

from typing import Any

from ..figures.accuracy import accuracy_along, accuracy_by_depth
from ..figures.palette import model_name, paler
from ..folder import StudyResults
from ..runs import Pairs, SeedGroup
from ..section import SYSTEMATICITY, Section, described_models, productivity
from ..statistics.family import Family
from ..text.claims import changes
from ..variants import accuracy_table

PAPER_SHARES = ("0.5", "0.9", "1")


def share(group: SeedGroup) -> float:
    """Return the part of the training equations that was used, in per cent."""
    return 100 * float(group.variant)


def share_name(group: SeedGroup) -> str:
    """Return the same as text."""
    return f"{share(group):g}%"


def section(study: StudyResults) -> Section:
    caption = "Accuracy after training on a part of the equations of depth 1-7"
    table = accuracy_table(study, caption, "part of the data", share_name)
    chosen = [group for group in study.groups if group.variant in PAPER_SHARES] or study.groups
    title = "Accuracy by depth after training on a part of the data; paler lines have less data"
    by_depth = accuracy_by_depth(chosen, "sample-efficiency-by-depth", title, SYSTEMATICITY, _looks)
    title = "Accuracy by part of the data used for training"
    along = accuracy_along(study, title, "training equations (% of all)", share, is_log=False)
    family = Family("half of the data", _pairs(study))
    return Section(study, (table, by_depth, along), _conclusions(study, family), (family,))


def _looks(group: SeedGroup) -> dict[str, Any]:
    part = float(group.variant)
    return {
        "label": f"{model_name(group.model)} {share_name(group)}",
        "colour": paler(group.colour, 0.65 * (1 - part) / 0.5) if part < 1 else group.colour,
        "style": "-" if part == 1 else "--" if part >= 0.75 else ":",
    }


def _half(model: str) -> str:
    return f"{model_name(model)} trained on half of the data compared with Tree-LSTM trained on all of it"


def _pairs(study: StudyResults) -> dict[str, Pairs]:
    return {_half(model): study.pairs(("tree-lstm", "1"), (model, "0.5"), productivity) for model in described_models(study)}


def _conclusions(study: StudyResults, family: Family) -> tuple[str, ...]:
    """Return sentences on the paper's claim: Tree-SMU needs half of the data to be as good as Tree-LSTM."""
    sentences = []
    for model in described_models(study):
        if tested := family[_half(model)]:
            paper = " In the paper they are about equal." if model == "tree-smu" else ""
            sentences.append(f"{_half(model)}, productivity: {changes(tested)}.{paper}")
    return tuple(sentences)
