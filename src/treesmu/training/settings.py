"""Settings of a training run, typed; an unknown key is an error. Recipes fill them in. docs/training.md explains each."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from treesmu import registry
from treesmu.errors import DataError

# The paper's way to train, and ours, for tree models: every part of it is also a setting of its own.
RECIPES: dict[str, dict[str, Any]] = {
    "paper": {},
    "treesmu": {
        "head": "distance",
        "unit": True,
        "subexpressions": 2.0,
        "rename": True,
        "substitutes": 250_000,
        "batch": 128,
        "learning_rate": 4e-3,
        "schedule": "linear",
    },
}


class TrainSettings(BaseModel):
    """A run. The defaults are the paper's."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    model: str = "tree-smu"  # a name of the registry
    recipe: Literal["paper", "treesmu"] = "paper"  # where the settings below come from, unless they are given
    cell: dict[str, Any] = Field(default_factory=dict)  # the model's own settings: hidden, stack, dropout, ...
    head: Literal["dot", "distance"] = "dot"
    unit: bool = False  # states are scaled to length 1
    subexpressions: float = Field(0.0, ge=0)  # the weight of the sub-expression loss
    pairs: int = Field(400, ge=2)  # of sub-expressions, a batch
    rename: bool = False  # variables exchanged at random, each batch anew
    substitutes: int = Field(0, ge=0)  # copies of training equations, sub-expressions exchanged for equal ones
    batch: int = Field(32, ge=1)
    epochs: int = Field(100, ge=1)
    patience: int = Field(0, ge=0)  # stop after so many epochs without a better validation accuracy; 0: never
    learning_rate: float = Field(1e-3, gt=0)
    schedule: Literal["constant", "linear"] = "constant"  # linear: falls to 0 at the end of the last epoch
    weight_decay: float = Field(1e-5, ge=0)
    clip: float = Field(0.0, ge=0)  # the largest norm of a gradient; 0: any
    depths: tuple[int, int] | None = None  # of training and validation equations, "1-7" or [1, 7]; None: all
    rows: int | None = Field(None, ge=1)  # so many training equations, drawn by the seed; None: all
    seed: int = Field(0, ge=0, lt=2**63)

    @field_validator("model")
    @classmethod
    def _model_is_known(cls, given: str) -> str:
        return registry.check_name(given)

    @field_validator("depths", mode="before")
    @classmethod
    def _depths(cls, given: Any) -> Any:
        found = re.fullmatch(r"\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?", given) if isinstance(given, str) else None
        return (found[1], found[2] or found[1]) if found else given

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.subexpressions and not registry.is_tree_model(self.model):
            raise ValueError(f"subexpressions is for tree models; {self.model} has no states of sub-expressions")
        if self.depths and self.depths[0] > self.depths[1]:
            raise ValueError(f"depths: expected A-B with A <= B, such as 1-7, not {self.depths[0]}-{self.depths[1]}")
        return self

    @classmethod
    def of(cls, recipe: Any = "paper", **given: Any) -> TrainSettings:
        """The settings of a recipe, with what is given in place of its own. Bad ones are a DataError of one line."""
        if not isinstance(recipe, str) or recipe not in RECIPES:
            raise DataError(f"unknown recipe {recipe!r}; known: {', '.join(RECIPES)}")
        model = registry.check_name(given.get("model", "tree-smu"))
        if unknown := [name for name in given if name not in cls.model_fields]:
            raise DataError(f"unknown setting {unknown[0]!r}; known: {', '.join(cls.model_fields)}")
        if recipe == "treesmu" and not registry.is_tree_model(model):
            trees = ", ".join(name for name in registry.names() if registry.is_tree_model(name))
            parts = "head=distance, rename=true and so on can be set one by one"
            raise DataError(f"the recipe treesmu is for tree models ({trees}), not for {model}; {parts}")
        try:
            return cls(**{"recipe": recipe, **RECIPES[recipe], **given})
        except ValidationError as error:
            is_of_one = bool(error.errors()[0]["loc"])
            raise DataError(f"{'setting ' if is_of_one else ''}{first_error(error)}") from error


def first_error(error: ValidationError) -> str:
    """Where something is wrong, if it is at one place, and what: a line, without pydantic's own words around it."""
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    said = first["msg"].removeprefix("Value error, ")
    return f"{where}: {said}" if where else said


def read_settings(path: Path) -> dict[str, Any]:
    """What a TOML file sets. Its values are checked with all others, by :meth:`TrainSettings.of`."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DataError(f"{path}: not a TOML file: {error}") from error
    if unknown := [name for name in found if name not in TrainSettings.model_fields]:
        raise DataError(f"{path}: unknown setting {unknown[0]!r}; known: {', '.join(TrainSettings.model_fields)}")
    return found


def merge_settings(*settings: dict[str, Any]) -> dict[str, Any]:
    """Settings from several places, later ones before earlier ones; those of the cell one by one."""
    found: dict[str, Any] = {}
    for some in settings:
        cell = {**found.get("cell", {}), **some["cell"]} if isinstance(some.get("cell"), dict) else some.get("cell")
        found |= some if cell is None else {**some, "cell": cell}
    return found
