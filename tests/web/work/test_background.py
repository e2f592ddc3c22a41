"""Work in the background: facts about models, the map, and the probabilities of a corpus."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from corpora import equations
from explorer import loaded, save_models
from treesmu.experiments.probes.stored_expressions import stored_expressions
from treesmu.web.catalogue import ModelFile
from treesmu.web.refusal import Refusal
from treesmu.web.work.background import compute_map, describe_models, place_on_map, score
from treesmu.web.work.loaded_models import LoadedModel, LoadedModels
from weights_files import tiny


@pytest.fixture(scope="module")
def smu() -> LoadedModel:
    return loaded()


def test_facts_come_from_the_files_and_a_damaged_one_is_left_out(tmp_path: Path) -> None:
    files = save_models(tmp_path, "tree-smu", "lstm")
    (tmp_path / "bad.safetensors").write_bytes(b"nothing")
    facts, faults = describe_models(LoadedModels(files | {"bad": ModelFile(tmp_path / "bad.safetensors", False)}))
    assert [(f.name, f.kind, f.hidden, f.stack, f.has_trace) for f in facts] == [
        ("tree-smu", "tree-smu", 6, 2, True),
        ("lstm", "lstm", 6, None, False),
    ]
    assert facts[0].description.startswith("tree-smu, 6 hidden units, 2 stack rows, ")
    assert list(faults) == ["bad"]
    assert faults["bad"].startswith("not a safetensors file")
    assert str(tmp_path) not in faults["bad"]


def test_the_map_has_all_stored_expressions_with_their_values(smu: LoadedModel) -> None:
    pytest.importorskip("openTSNE", reason="the map needs openTSNE: pip install 'treesmu[web]'")
    points, classes = compute_map(smu)
    stored = stored_expressions()
    assert [point.expression for point in points] == [str(e) for e in stored.expressions]
    assert [[point.x, point.y] for point in points] == smu.map.positions
    assert [c.count for c in classes] == sorted((c.count for c in classes), reverse=True)
    for point, number in zip(points, stored.number, strict=True):
        is_alone = stored.number.count(number) == 1
        assert (point.number is None) == is_alone
        assert is_alone or classes[point.number or 0].name == stored.names[number]
    for i, found in enumerate(classes):
        assert sum(point.number == i for point in points) == found.count > 1


def test_an_expression_is_placed_near_itself_whatever_its_variable_is_called(smu: LoadedModel) -> None:
    pytest.importorskip("openTSNE", reason="the map needs openTSNE: pip install 'treesmu[web]'")
    places = place_on_map(smu, "sin(t)^2 = t").places
    assert [place.expression for place in places] == ["sin(t)^2", "t"]
    positions = np.array(smu.map.positions)
    names = [str(e) for e in smu.stored.expressions]
    for place, name in zip(places, ["sin(x)^2", "x"], strict=True):
        distances = np.linalg.norm(positions - [place.x, place.y], axis=1)
        assert distances[names.index(name)] < np.quantile(distances, 0.1)
    assert place_on_map(smu, "sin(x)^2").places[0].x == places[0].x


def test_what_the_model_cannot_read_is_not_placed() -> None:
    with pytest.raises(Refusal, match="not in the vocabulary"):
        place_on_map(LoadedModel("tiny", tiny()), "cos(x)")


def test_scores_are_the_probabilities_of_the_model(smu: LoadedModel) -> None:
    prefixes = [" ".join(e.prefix()) for e in equations()]
    assert score(smu, prefixes) == pytest.approx(smu.model.verify(equations()), abs=1e-6)


def test_an_equation_that_the_model_cannot_read_has_no_score() -> None:
    few = LoadedModel("tiny", tiny())
    found = score(few, ["Equality x x", "Equality cos x x", "Equality sin x 1"])
    assert [p is None for p in found] == [False, True, False]
    assert score(few, ["Equality cos x x"]) == [None]
