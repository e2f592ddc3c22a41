"""Sample efficiency: accuracy by depth after training on a part of the data, as in the paper's figure."""

from __future__ import annotations

from typing import Any

from ..figures.by_depth import accuracy_by_depth
from ..figures.palette import model_colour, model_name, paler
from ..folder import Entry, Folder, Study
from ..section import SYSTEMATICITY, Section, pairs, productivity
from ..text.sentences import changes
from ..variants import accuracy_along, accuracy_table

PAPER_SHARES = ("0.5", "0.9", "1")


def share(entry: Entry) -> float:
    return 100 * float(entry.variant)


def share_name(entry: Entry) -> str:
    return f"{share(entry):g}%"


def section(study: Study, folder: Folder) -> Section:
    table = accuracy_table(
        study, folder, "Accuracy after training on a part of the equations of depth 1-7", "part of the data", share_name
    )
    chosen = [entry for entry in study.entries if entry.variant in PAPER_SHARES] or study.entries
    title = "Accuracy by depth after training on a part of the data; the paler, the less data"
    by_depth = accuracy_by_depth(folder, chosen, "sample-efficiency-by-depth", title, SYSTEMATICITY, _looks)
    title = "Accuracy against the part of the data that was trained on"
    along = accuracy_along(study, folder, title, "training equations (% of all)", share, is_log=False)
    return Section(study, (table, by_depth, along), _conclusions(study, folder))


def _looks(entry: Entry) -> dict[str, Any]:
    colour = paler(model_colour(entry.model), 0.65 * (1 - float(entry.variant)) / 0.5) if float(entry.variant) < 1 else None
    return {
        "label": f"{model_name(entry.model)} {share_name(entry)}",
        "colour": colour or model_colour(entry.model),
        "style": "-" if float(entry.variant) == 1 else "--" if float(entry.variant) >= 0.75 else ":",
    }


def _conclusions(study: Study, folder: Folder) -> tuple[str, ...]:
    """The paper's claim: half of the data is as good for Tree-SMU as all of it for Tree-LSTM."""
    found = pairs(folder, study, ("tree-lstm", "1"), ("tree-smu", "0.5"), productivity)
    if not found:
        return ()
    who = "Tree-SMU on half of the data against Tree-LSTM on all of it"
    return (f"{who}, productivity: {changes(found)}. The paper has them about equal.",)
