"""What is answered about many things: the models, the map and the corpus. The fields are schemas of the OpenAPI document."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Status = Literal["computing", "ready", "failed"]


class HealthAnswer(BaseModel):
    """The service runs."""

    status: Literal["ok"]
    version: str


class CorpusFacts(BaseModel):
    """The corpus that can be browsed."""

    name: str
    rows: int
    depths: tuple[int, int]
    kinds: list[str]
    labels: list[int]


class AboutAnswer(BaseModel):
    """What the service has, and its limits."""

    version: str
    limits: dict[str, int | float]
    corpus: CorpusFacts | None
    has_map: bool


class ModelFacts(BaseModel):
    """A model that can be asked."""

    name: str
    kind: str
    hidden: int | None
    stack: int | None
    has_trace: bool
    is_shipped: bool
    description: str


class MapPoint(BaseModel):
    """An expression on the map; class: place in the list of classes, null if no other stored expression is equal."""

    model_config = ConfigDict(serialize_by_alias=True)
    expression: str
    x: float
    y: float
    number: int | None = Field(alias="class")


class MapClass(BaseModel):
    """A value: its simplest expression, and how many points have it."""

    name: str
    count: int


class MapAnswer(BaseModel):
    """The map, or how far it is."""

    status: Status
    seconds: float
    message: str | None = None
    points: list[MapPoint] = []
    classes: list[MapClass] = []


class Place(BaseModel):
    """Where an expression is on the map."""

    expression: str
    x: float
    y: float


class PlaceAnswer(BaseModel):
    """The expression, or both sides of the equation, on the map."""

    places: list[Place]


class CorpusRow(BaseModel):
    """A row of the corpus."""

    row: int
    equation: str
    mathml: str
    label: int
    depth: int
    size: int
    kind: str
    probability: float | None
    is_right: bool | None


class CorpusAnswer(BaseModel):
    """Rows of the corpus, and how far the model has read it."""

    status: Status
    scored: int
    rows: int
    matching: int
    message: str | None = None
    equations: list[CorpusRow]
