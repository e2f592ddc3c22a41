"""What can be asked: the fields of each request, with their types and limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from . import limits

Text = Annotated[
    str,
    Field(max_length=limits.CHARACTERS, description="An equation or an expression, as on a calculator or in LaTeX."),
]
ModelName = Annotated[
    str | None, Field(max_length=200, description="The name of a model in /api/models; by default the first one.")
]


def _whole(value: object) -> object:
    """Return 5 for 5.0, which JSON does not tell apart."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Position = Annotated[int, Field(ge=0, le=99), BeforeValidator(_whole)]
EQUATION = "sin(x)^2 + cos(x)^2 = 1"


def _with_example(**fields: Any) -> ConfigDict:
    """Return the settings of a request, with an example for the OpenAPI document."""
    return ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [fields]})


class ReadRequest(BaseModel):
    """A text."""

    model_config = _with_example(text=EQUATION)
    text: Text


class ModelRequest(ReadRequest):
    """A text and a model."""

    model: ModelName = None


class NeighboursRequest(ModelRequest):
    """A sub-expression: a text, and the child positions from its root down."""

    model_config = _with_example(text=EQUATION, path=[0, 1], count=3)
    path: Annotated[list[Position], Field(max_length=limits.DEPTH)] = []
    count: Annotated[int, Field(ge=1, le=limits.NEIGHBOURS), BeforeValidator(_whole)] = 8


class CompleteRequest(ModelRequest):
    """A text with one blank, and how many fillers are wanted."""

    model_config = _with_example(text="sin(x)^2 + _ = 1", top=3)
    top: Annotated[int, Field(ge=1, le=limits.TOP), BeforeValidator(_whole)] = 5


class MapQuery(BaseModel):
    """Which map."""

    model_config = ConfigDict(extra="forbid")
    model: ModelName = None


class CorpusQuery(MapQuery):
    """Which rows of the corpus."""

    offset: Annotated[int, Field(ge=0, le=10**9)] = 0
    limit: Annotated[int, Field(ge=1, le=limits.ROWS)] = 20
    depth_from: Annotated[int, Field(ge=0, le=10**6)] = 0
    depth_to: Annotated[int, Field(ge=0, le=10**6)] = 10**6
    label: Annotated[int | None, Field(ge=0, le=1)] = None
    kind: Annotated[str | None, Field(max_length=200)] = None
    outcome: Literal["right", "wrong"] | None = None
    sort: Literal["row", "confident_and_wrong"] = "row"
