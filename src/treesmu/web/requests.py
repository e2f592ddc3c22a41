"""What can be asked: the fields of each request, with their types and limits."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from . import limits

Text = Annotated[
    str,
    Field(max_length=limits.CHARACTERS, description="An equation or an expression, as on a calculator or in LaTeX."),
]
ModelName = Annotated[
    str | None, Field(max_length=200, description="The name of a model in /api/models; by default the first one.")
]
Position = Annotated[int, Field(ge=0, le=99)]


class ReadRequest(BaseModel):
    """A text."""

    model_config = ConfigDict(extra="forbid", strict=True)
    text: Text


class ModelRequest(ReadRequest):
    """A text and a model."""

    model: ModelName = None


class NeighboursRequest(ModelRequest):
    """A sub-expression: a text, and the child positions from its root down."""

    path: Annotated[list[Position], Field(max_length=limits.DEPTH)] = []
    count: Annotated[int, Field(ge=1, le=limits.NEIGHBOURS)] = 8


class CompleteRequest(ModelRequest):
    """A text with one blank, and how many fillers are wanted."""

    top: Annotated[int, Field(ge=1, le=limits.TOP)] = 5


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
