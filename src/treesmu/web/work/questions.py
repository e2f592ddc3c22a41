"""Answers: every question that a worker process can answer, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from ..catalogue import ModelFile
from . import answering, background
from .loaded_models import LoadedModels

QUESTIONS: dict[str, Callable[..., Any]] = {  # functions of a loaded model and further arguments
    "verify": answering.verify,
    "trace": answering.trace,
    "neighbours": answering.neighbours,
    "agreement": answering.agreement,
    "explain": answering.explain,
    "complete": answering.complete_blank,
    "map": background.compute_map,
    "place": background.place_on_map,
    "score": background.score,
}


class Answers:
    """The models of this process, and what can be asked about them."""

    def __init__(self, models: Mapping[str, ModelFile]) -> None:
        self.models = LoadedModels(models)

    def ask(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Return the answer: JSON text if it is one that a client gets, otherwise a value for the service itself."""
        if name == "describe":
            return background.describe_models(self.models)
        others = {key: value for key, value in arguments.items() if key != "model"}
        found = QUESTIONS[name](self.models.get(arguments["model"]), **others)
        return found.model_dump_json().encode() if isinstance(found, BaseModel) else found
