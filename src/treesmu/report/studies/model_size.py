"""Model size: accuracy against the number of parameters."""

from __future__ import annotations

from ..figures.palette import model_name
from ..folder import Folder, StudyResults
from ..section import Pairs, Section, pairs, productivity
from ..text.sentences import changes, condition_name, points
from ..variants import accuracy_along, accuracy_table, parameters


def section(study: StudyResults, folder: Folder) -> Section:
    table = accuracy_table(study, folder, "Accuracy by size n of the states, trained on depth 1-7", "n")
    sizes = sorted({group.variant for group in study.groups}, key=int)
    models = dict.fromkeys(group.model for group in study.groups) if len(sizes) > 1 else {}
    found = {model: pairs(folder, study, (model, sizes[0]), (model, sizes[-1]), productivity) for model in models}
    figure = accuracy_along(study, folder, _title(found), "parameters", lambda group: float(parameters(group)))
    said = [
        f"From n = {sizes[0]} to n = {sizes[-1]} the productivity of {model_name(model)} changes by {changes(some)}."
        for model, some in found.items()
        if some
    ]
    return Section(study, (table, figure), tuple(said))


def _title(found: dict[str, Pairs]) -> str:
    every = [(b.mean - a.mean, model, condition) for model, some in found.items() for condition, a, b in some]
    if not every:
        return "Accuracy by number of parameters"
    change, model, condition = max(every, key=lambda one: abs(one[0]))
    where = f"{model_name(model)}, {condition_name(condition)}"
    return f"From the smallest to the largest model, productivity changes by {points(change)} points at most ({where})"
