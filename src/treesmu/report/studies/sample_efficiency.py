"""Sample efficiency: accuracy by depth after training on a part of the data, as in the paper's figure."""

from __future__ import annotations

from typing import Any

from ..figures.by_depth import accuracy_by_depth
from ..figures.palette import model_colour, model_name, paler
from ..folder import Folder, SeedGroup, StudyResults
from ..section import SYSTEMATICITY, Section, pairs, productivity
from ..text.sentences import changes
from ..variants import accuracy_along, accuracy_table

PAPER_SHARES = ("0.5", "0.9", "1")


def share(group: SeedGroup) -> float:
    return 100 * float(group.variant)


def share_name(group: SeedGroup) -> str:
    return f"{share(group):g}%"


def section(study: StudyResults, folder: Folder) -> Section:
    table = accuracy_table(
        study, folder, "Accuracy after training on a part of the equations of depth 1-7", "part of the data", share_name
    )
    chosen = [group for group in study.groups if group.variant in PAPER_SHARES] or study.groups
    title = "Accuracy by depth after training on a part of the data; the paler, the less data"
    by_depth = accuracy_by_depth(folder, chosen, "sample-efficiency-by-depth", title, SYSTEMATICITY, _looks)
    title = "Accuracy against the part of the data that was trained on"
    along = accuracy_along(study, folder, title, "training equations (% of all)", share, is_log=False)
    return Section(study, (table, by_depth, along), _conclusions(study, folder))


def _looks(group: SeedGroup) -> dict[str, Any]:
    colour = paler(model_colour(group.model), 0.65 * (1 - float(group.variant)) / 0.5) if float(group.variant) < 1 else None
    return {
        "label": f"{model_name(group.model)} {share_name(group)}",
        "colour": colour or model_colour(group.model),
        "style": "-" if float(group.variant) == 1 else "--" if float(group.variant) >= 0.75 else ":",
    }


def _conclusions(study: StudyResults, folder: Folder) -> tuple[str, ...]:
    """The paper's claim: half of the data is as good for Tree-SMU as all of it for Tree-LSTM."""
    found = pairs(folder, study, ("tree-lstm", "1"), ("tree-smu", "0.5"), productivity)
    if not found:
        return ()
    who = "Tree-SMU on half of the data against Tree-LSTM on all of it"
    return (f"{who}, productivity: {changes(found)}. The paper has them about equal.",)
