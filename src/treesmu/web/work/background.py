"""Work that takes longer than a person waits: the list of models, the map, and the probabilities of a corpus."""

from __future__ import annotations

from collections import Counter

import numpy as np

from treesmu import registry
from treesmu.data.augment.variable_names import unreadable_texts
from treesmu.errors import DataError
from treesmu.experiments.probes.stored_expressions import stored_expressions
from treesmu.expr import from_prefix
from treesmu.models.weights_file import read_weights

from ..catalogue import ModelFile
from ..listings import MapClass, MapPoint, ModelFacts, Place, PlaceAnswer
from ..reading import read_complete
from ..refusal import Refusal
from .loaded_models import LoadedModel, LoadedModels, unit, without_path

MapParts = tuple[list[MapPoint], list[MapClass]]


def describe_models(models: LoadedModels) -> tuple[list[ModelFacts], dict[str, str]]:
    """Return facts about every model, from its file, and the faults of files that cannot be used."""
    facts, faults = [], {}
    for name, file in models.files.items():
        try:
            facts.append(_facts(name, file))
        except DataError as error:
            faults[name] = without_path(error, file)
    return facts, faults


def _facts(name: str, file: ModelFile) -> ModelFacts:
    weights, metadata = read_weights(file.path)
    kind, settings = metadata["model"]["name"], metadata["model"]["settings"]
    hidden, stack = (value if isinstance(value := settings.get(key), int) else None for key in ("hidden", "stack"))
    parts = [
        kind,
        f"{hidden} hidden units" if hidden else "",
        f"{stack} stack rows" if stack else "",
        f"{sum(weight.numel() for weight in weights.values()):,} parameters",
    ]
    description = ", ".join(filter(None, parts)) + ("; shipped with treesmu" if file.is_shipped else "")
    return ModelFacts(
        name=name,
        kind=kind,
        hidden=hidden,
        stack=stack,
        has_trace=registry.is_tree_model(kind),
        is_shipped=file.is_shipped,
        description=description,
    )


def compute_map(loaded: LoadedModel) -> MapParts:
    """Return the map of the stored expressions that the model can read."""
    states, names = loaded.stored, stored_expressions().names
    counts = Counter(states.number)
    shared = [number for number in sorted(counts) if counts[number] > 1]  # numbers are in the order of frequency
    place = {number: i for i, number in enumerate(shared)}
    points = [
        MapPoint.model_validate({"expression": str(e), "x": x, "y": y, "class": place.get(number)})
        for e, number, (x, y) in zip(states.expressions, states.number, loaded.map.positions, strict=True)
    ]
    return points, [MapClass(name=names[number], count=counts[number]) for number in shared]


def place_on_map(loaded: LoadedModel, text: str) -> PlaceAnswer:
    """Answer where an expression, or each side of an equation, is on the map. Variables are read as x, y, ..."""
    e = read_complete(text)
    sides = list(e.children) if e.is_equation else [e]
    if reason := loaded.model.unreadable(sides):
        raise Refusal(400, f"the model cannot read it: {next(iter(reason.values()))}")
    canonical = e.canonical()
    states = loaded.model.embed(canonical.children if e.is_equation else [canonical])
    positions = loaded.map.place(unit(states.astype(float)))
    return PlaceAnswer(places=[Place(expression=str(s), x=x, y=y) for s, (x, y) in zip(sides, positions, strict=True)])


def score(loaded: LoadedModel, prefixes: list[str]) -> list[float | None]:
    """Return the probability of each equation; None for those that the model cannot read. prefixes: prefix strings."""
    model = loaded.model
    unreadable = unreadable_texts(prefixes, model.vocab)
    places = [i for i in range(len(prefixes)) if i not in unreadable]
    found: list[float | None] = [None] * len(prefixes)
    if places:
        equations = [from_prefix(prefixes[i].split(" ")) for i in places]
        for i, probability in zip(places, model.verify(equations).tolist(), strict=True):
            found[i] = probability if np.isfinite(probability) else None
    return found
