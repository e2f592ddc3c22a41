"""LoadedModels: the models of a worker process, each loaded when it is first asked, and what is computed once for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu import extras
from treesmu.errors import DataError, one_line
from treesmu.experiments.probes.neighbours import StoredStates
from treesmu.experiments.probes.state_map import StateMap
from treesmu.models.model import Model
from treesmu.models.store import load

from ..catalogue import ModelFile
from ..refusal import Refusal

Array = NDArray[Any]
MOST = 8  # models that are in memory at once


class LoadedModel:
    """A model, the states of the stored expressions, and their map."""

    def __init__(self, name: str, model: Model) -> None:
        self.name, self.model = name, model
        self._states: StoredStates | None = None
        self._map: StateMap | None = None

    @property
    def stored(self) -> StoredStates:
        """The stored expressions with their states."""
        if self._states is None:
            self._states = StoredStates(self.model)
        return self._states

    @property
    def map(self) -> StateMap:
        """The map of the stored expressions, which takes seconds the first time."""
        if self._map is None:
            extras.require("the map", "openTSNE")
            self._map = StateMap(unit(self.stored.states))
        return self._map


class LoadedModels:
    """Models by name; the one that was asked least recently is dropped if there are too many."""

    def __init__(self, files: Mapping[str, ModelFile]) -> None:
        self.files = files
        self._loaded: dict[str, LoadedModel] = {}

    def get(self, name: str) -> LoadedModel:
        """Return a model; raise a Refusal if its file cannot be used."""
        found = self._loaded.pop(name, None) or self._load(name)
        self._loaded[name] = found  # the most recent one is the last
        if len(self._loaded) > MOST:
            del self._loaded[next(iter(self._loaded))]
        return found

    def _load(self, name: str) -> LoadedModel:
        file = self.files[name]
        try:
            return LoadedModel(name, load(file.path).float())
        except DataError as error:
            raise Refusal(400, f"the model {name} cannot be loaded: {without_path(error, file)}") from None


def without_path(error: DataError, file: ModelFile) -> str:
    """Return a message without the path of the file, which is nobody's business."""
    return one_line(error).removeprefix(f"{file.path}: ")


def unit(states: Array) -> Array:
    """Return states scaled to length 1, as in the study of substitutivity. states: (rows, n)."""
    scaled: Array = states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), 1e-12)
    return scaled
