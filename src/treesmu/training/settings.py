"""Settings of a training run, typed and checked; recipes are named sets of them. docs/explanation/training.md explains each."""

from __future__ import annotations

import inspect
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    field_validator,
    model_serializer,
    model_validator,
)

from treesmu import registry
from treesmu.errors import DataError
from treesmu.task_names import NodeKind, Readout, Task
from treesmu.text_files import read_text

from .recipes import RECIPES
from .task_settings import OF_TREES, check_task, default_recipe

__all__ = ["RECIPES", "TrainSettings"]
STREAM_SETTINGS: dict[str, Any] = {"rows": 50_000, "substitutes": 0}  # defaults of a stream, which override the recipe
MOST = 10**9  # of anything that is counted: beyond it a number is a mistake
Depth = Annotated[int, Field(ge=0, le=MOST)]


class TrainSettings(BaseModel):
    """The settings of a run; an unknown one is an error. The defaults are those of the recipe ``paper``.

    docs/reference/settings.md is made of the comments.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    model: str = "tree-smu"  # the name of a model, built in or registered
    recipe: Literal["paper", "treesmu", "treesmu-symbols", "treesmu-1", "trees"] = "paper"  # defaults of the settings below
    cell: dict[str, Any] = Field(default_factory=dict)  # arguments of the model's class: hidden, stack, dropout, ...
    head: Literal["dot", "distance"] = "dot"  # how the states of the two sides are compared
    norm: Literal["none", "unit", "layer"] = "none"  # of states: to length 1, or layer norm; in sequence models, of the sides
    points: int = Field(0, ge=0, le=1024)  # at how many points variables are read as numbers; 0: they have vectors of their own
    values: float = Field(0.0, ge=0)  # the weight of the value loss; 0: none
    subexpressions: float = Field(0.0, ge=0)  # the weight of the sub-expression loss; 0: none
    pairs: int = Field(400, ge=2, le=MOST)  # the largest number of pairs of sub-expressions per batch
    ranking: float = Field(0.0, ge=0)  # the weight of the ranking loss; 0: none
    rename: bool = False  # whether variables are permuted at random in each batch
    substitutes: int = Field(0, ge=0, le=MOST)  # the largest number of copies of training equations with equal parts replaced
    batch: int = Field(32, ge=1, le=MOST)  # equations per step, of all processes together
    epochs: int = Field(100, ge=1, le=MOST)  # the largest number of epochs
    patience: int = Field(0, ge=0, le=MOST)  # stop after this many epochs without a better validation accuracy; 0: never
    learning_rate: float = Field(1e-3, gt=0)  # of Adam, at the start
    schedule: Literal["constant", "linear", "cosine"] = "constant"  # linear, cosine: decays to 0 at the end of the last epoch
    warmup: int = Field(0, ge=0, le=MOST)  # steps at the start in which the learning rate rises linearly; 0: none
    weight_decay: float = Field(1e-5, ge=0)  # of Adam
    clip: float = Field(0.0, ge=0)  # the largest norm of the gradient; 0: no clipping
    average: float = Field(0.0, ge=0, lt=1)  # decay per step of the averaged weights, validated and saved; 0: the last weights
    depths: tuple[Depth, Depth] | None = None  # of training and validation equations, "1-7" or [1, 7]; by default all
    rows: int | None = Field(None, ge=1, le=MOST)  # training equations, sampled by the seed; of a stream, those of an epoch
    stream: bool = False  # whether the training equations of each epoch are generated beside training
    mixture: dict[str, float] = Field(default_factory=dict)  # of a stream: weights of its sources; by default as in the corpus
    exclude: tuple[Path, ...] = ()  # of a stream: files or corpora whose equations are left out, besides validation and test
    start_from: Path | None = None  # a file of weights from which training starts, instead of random ones
    task: Task = "verify"  # what is learned: verify equations; or of any trees classify, regress, compare or tag
    readout: Readout | None = None  # of trees: linear, network (a hidden layer; default of compare); compare: dot, distance
    loss: Literal["squared", "huber"] = "squared"  # of regress
    nodes: NodeKind = "inner"  # of tag: which nodes have classes
    numbers: Literal["auto", "symbols", "values"] = "auto"  # of trees: leaves that are numbers; auto: symbols up to 64 of them
    rare: int = Field(2, ge=1, le=MOST)  # of trees: labels that training has less often are read as unknown
    most_children: int = Field(8, ge=2, le=MOST)  # of trees: a node with more of them is folded
    seed: int = Field(0, ge=0, lt=2**63)  # of weights, order, pairs, copies, renaming, dropout and the stream

    @model_validator(mode="before")
    @classmethod
    def _of_older_files(cls, given: Any) -> Any:
        return with_present_names(given) if isinstance(given, dict) else given

    @field_validator("model")
    @classmethod
    def _model_is_known(cls, given: str) -> str:
        return registry.check_name(given)

    @field_validator("depths", mode="before")
    @classmethod
    def _depths(cls, given: Any) -> Any:
        match = re.fullmatch(r"\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?", given) if isinstance(given, str) else None
        return (match[1], match[2] or match[1]) if match else given

    @field_validator("mixture", mode="before")
    @classmethod
    def _mixture(cls, given: Any) -> Any:
        """Read ``near-miss:2,mutation``, in which a source without a weight has the weight 1."""
        if not isinstance(given, str):
            return given
        pairs = [part.strip().partition(":") for part in given.split(",") if part.strip()]
        if not pairs:
            raise ValueError("names no source; give some, such as near-miss:2,textbook")
        return {name: weight if colon else 1.0 for name, colon, weight in pairs}

    @model_serializer(mode="wrap")
    def _without_settings_of_other_tasks(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out what only trees have if the task is verify: runs of equations are what they were before other tasks."""
        content: dict[str, Any] = dump(self)
        return content if self.task != "verify" else {k: v for k, v in content.items() if k not in OF_TREES}

    @model_validator(mode="after")
    def _settings_fit(self) -> Self:
        check_task(self)
        for name in ("points", "values", "subexpressions", "ranking"):
            if getattr(self, name) and not registry.is_tree_model(self.model):
                raise ValueError(f"{name} is for tree models; {self.model} has no states of sub-expressions")
        if self.depths and self.depths[0] > self.depths[1]:
            raise ValueError(f"depths: expected A-B with A <= B, such as 1-7, not {self.depths[0]}-{self.depths[1]}")
        self._check_stream()
        return self

    def _check_stream(self) -> None:
        if not self.stream:
            if self.mixture or self.exclude:
                raise ValueError(f"{'mixture' if self.mixture else 'exclude'} is a setting of a stream; add --stream")
            return
        if self.substitutes:
            raise ValueError("substitutes: a stream has no copies of equations, since no equation comes again; set it to 0")
        if self.model == "majority":
            raise ValueError("stream: the model majority counts the equations of a corpus; train it without a stream")

    @property
    def needs_node_values(self) -> bool:
        """Whether a loss compares the values of sub-expressions."""
        return bool(self.subexpressions or self.ranking)

    @classmethod
    def of(cls, recipe: Any = None, **given: Any) -> TrainSettings:
        """Return the settings of a recipe, overridden by those given. Invalid settings are a DataError of one line.

        recipe: by default ``paper`` for equations and ``trees`` for all other tasks.
        """
        recipe = default_recipe(given.get("task", "verify")) if recipe is None else recipe
        if not isinstance(recipe, str) or recipe not in RECIPES:
            raise DataError(f"unknown recipe {recipe!r}; known: {', '.join(RECIPES)}")
        model = registry.check_name(given.get("model", "tree-smu"))
        given = with_present_names(given)
        if unknown := [name for name in given if name not in cls.model_fields]:
            raise DataError(f"unknown setting {unknown[0]!r}; known: {', '.join(cls.model_fields)}")
        if recipe not in ("paper", "trees") and not registry.is_tree_model(model):
            trees = ", ".join(name for name in registry.names() if registry.is_tree_model(name))
            parts = "head=distance, rename=true and so on can be set one by one"
            raise DataError(f"the recipe {recipe} is for tree models ({trees}), not for {model}; {parts}")
        try:
            stream = STREAM_SETTINGS if given.get("stream") is True else {}
            return cls(**merge_settings({"recipe": recipe}, recipe_settings(recipe, model), stream, given))
        except ValidationError as error:
            has_name = bool(error.errors()[0]["loc"])
            raise DataError(f"{'setting ' if has_name else ''}{first_error(error)}") from error


def recipe_settings(recipe: str, model: str) -> dict[str, Any]:
    """Return the settings of a recipe for a model, without those that the class of a user's own cell does not have."""
    settings = RECIPES[recipe]
    if "cell" not in settings or model in registry.BUILT_IN:
        return settings
    arguments = inspect.signature(registry.model_class(model)).parameters
    takes_any = any(argument.kind is argument.VAR_KEYWORD for argument in arguments.values())
    cell = {name: value for name, value in settings["cell"].items() if takes_any or name in arguments}
    return {**settings, "cell": cell}


def with_present_names(given: dict[str, Any]) -> dict[str, Any]:
    """Return settings with ``unit`` (true or false), as files of treesmu 0.1 have it, written as ``norm``."""
    if not isinstance(given.get("unit"), bool):
        return given
    others = {name: value for name, value in given.items() if name != "unit"}
    return {"norm": "unit" if given["unit"] else "none", **others}


def first_error(error: ValidationError) -> str:
    """Return the first error as one line, with the name of the setting if there is one, without pydantic's own framing."""
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "literal_error":
        message = f"{message}, not {first['input']!r}"
    return f"{where}: {message}" if where else message


def read_settings(path: Path) -> dict[str, Any]:
    """Return the settings in a TOML file. Names are checked here, values by :meth:`TrainSettings.of`."""
    text = read_text(path)
    try:
        settings = tomllib.loads(text)
        repr(settings)  # a hexadecimal number can be too long to be written down later
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not a TOML file: {error}") from error
    settings = with_present_names(settings)
    if unknown := [name for name in settings if name not in TrainSettings.model_fields]:
        raise DataError(f"{path}: unknown setting {unknown[0]!r}; known: {', '.join(TrainSettings.model_fields)}")
    return settings


def merge_settings(*settings: dict[str, Any]) -> dict[str, Any]:
    """Merge settings; later ones override earlier ones, and those of the cell are merged one by one."""
    merged: dict[str, Any] = {}
    for some in settings:
        cell = some.get("cell")
        if cell is not None and not isinstance(cell, dict):
            raise DataError(f"setting cell: expected a table of settings, such as hidden and stack, not {type(cell).__name__}")
        merged |= some if cell is None else {**some, "cell": {**merged.get("cell", {}), **cell}}
    return merged
