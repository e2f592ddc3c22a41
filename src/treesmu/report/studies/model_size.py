"""Model size: accuracy against the number of parameters."""

from __future__ import annotations

from ..figures.accuracy import accuracy_along
from ..figures.palette import model_name
from ..folder import StudyResults
from ..runs import Pairs, is_too_small_for_trends
from ..section import Section, productivity
from ..text.sentences import changes, points
from ..variants import accuracy_table


def section(study: StudyResults) -> Section:
    table = accuracy_table(study, "Accuracy by size n of the states, trained on depth 1-7", "n")
    sizes = sorted({group.variant for group in study.groups}, key=int)
    models = study.models if len(sizes) > 1 else []
    pairs = {model: study.pairs((model, sizes[0]), (model, sizes[-1]), productivity) for model in models}
    title = "Accuracy by number of parameters" if is_too_small_for_trends(study.groups) else _title(pairs)
    figure = accuracy_along(study, title, "parameters", lambda group: float(group.parameters))
    conclusions = [
        f"From n = {sizes[0]} to n = {sizes[-1]} the productivity of {model_name(model)} changes by {changes(some)}."
        for model, some in pairs.items()
        if some
    ]
    return Section(study, (table, figure), tuple(conclusions))


def _title(pairs: dict[str, Pairs]) -> str:
    every = [(b.mean - a.mean, model, condition) for model, some in pairs.items() for condition, a, b in some]
    if not every:
        return "Accuracy by number of parameters"
    change, model, condition = max(every, key=lambda one: abs(one[0]))
    where = f"{model_name(model)}, {condition}"
    return f"From the smallest to the largest model, productivity changes by {points(change)} points at most ({where})"
