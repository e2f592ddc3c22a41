"""Model size: accuracy against the number of parameters."""

from __future__ import annotations

from ..figures.accuracy import accuracy_along
from ..figures.palette import model_name
from ..folder import StudyResults
from ..section import Section, productivity
from ..statistics.family import Family
from ..text.claims import changes, title
from ..variants import accuracy_table, laws_table


def section(study: StudyResults) -> Section:
    table = accuracy_table(study, "Accuracy by size n of the states, trained on depth 1-7", "n")
    sizes = sorted({group.variant for group in study.groups}, key=int)
    models = study.models if len(sizes) > 1 else []
    names = {model: f"From n = {sizes[0]} to n = {sizes[-1]} the productivity of {model_name(model)}" for model in models}
    pairs = {names[model]: study.pairs((model, sizes[0]), (model, sizes[-1]), productivity) for model in models}
    family = Family("size of the states", pairs)
    heading = title("Accuracy by number of parameters", "productivity (the largest model compared with the smallest)", family)
    figure = accuracy_along(study, heading, "parameters", lambda group: float(group.parameters))
    conclusions = [f"{name} changes by {changes(family[name])}." for name, some in pairs.items() if some]
    law = laws_table(study, "parameters", lambda group: group.parameters)
    return Section(study, tuple(part for part in (table, figure, law) if part is not None), tuple(conclusions), (family,))
