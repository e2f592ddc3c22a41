"""What is answered: the fields of each answer, which are the schemas of the OpenAPI document."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Number = float | None  # None stands for a value that is not finite
Label = Literal["correct", "incorrect", "undecided"]
ModelLabel = Literal["correct", "incorrect"]
Status = Literal["computing", "ready", "failed"]


class Fault(BaseModel):
    """What is wrong. position and length: the part of the text that should be marked, in characters."""

    message: str
    position: int | None = None
    length: int | None = None
    remedy: str | None = None


class FaultAnswer(BaseModel):
    """The form of every error."""

    error: Fault


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


class Formula(BaseModel):
    """An expression as text and as MathML."""

    expression: str
    mathml: str


class ReadAnswer(Formula):
    """What was read."""

    latex: str
    prefix: list[str]
    depth: int
    size: int
    is_equation: bool
    has_blank: bool
    variables: list[str]


class CheckFacts(BaseModel):
    """The numeric check."""

    label: Label
    points: int
    counterexample: dict[str, float] | None
    sides: tuple[float | str, float | str] | None
    reason: str
    explanation: str


class CurveFacts(BaseModel):
    """Both sides over the only variable."""

    variable: str
    x: list[float]
    left: list[Number]
    right: list[Number]
    low: float
    high: float


class VerifyAnswer(BaseModel):
    """What the model and the numeric check say about an equation."""

    expression: str
    model: str
    probability: float | None
    verdict: ModelLabel | None
    no_verdict: str | None
    untrained: list[str] | None
    check: CheckFacts
    agrees: bool | None
    curve: CurveFacts | None


class TraceNode(BaseModel):
    """One node of a trace."""

    path: list[int]
    parent: int | None
    children: list[int]
    function: str
    symbol: str
    expression: str
    depth: int
    height: int
    norm: Number
    other_side: Number
    means: dict[str, Number]
    forget: list[Number]
    row_norms: list[Number]
    rows_in_use: int
    state: list[Number]
    stack: list[list[Number]]
    gates: dict[str, Number | list[Number] | list[list[Number]]]


class TraceAnswer(BaseModel):
    """What the model computes at every node."""

    format: Literal["treesmu trace"]
    version: int
    expression: str
    is_equation: bool
    model: str
    probability: Number
    distance: Number
    normalised: str
    untrained: list[str] | None
    note: str | None
    memory_name: str
    actions: list[str]
    other_gates: list[str]
    largest_row: Number
    nodes: list[TraceNode]


class NeighbourFacts(Formula):
    """A similar expression."""

    distance: float
    is_equal: bool | None


class NeighboursAnswer(BaseModel):
    """The stored expressions with the nearest states."""

    expression: str
    stored: int
    neighbours: list[NeighbourFacts]


class ExplainAnswer(BaseModel):
    """Why the model is wrong."""

    disagrees: bool
    found: bool
    tried: int
    probability: float
    verdict: ModelLabel
    check: Label
    side: Literal["left", "right"] | None = None
    path: list[int] | None = None
    before: Formula | None = None
    after: Formula | None = None
    identity: str | None = None
    equation: Formula | None = None
    new_probability: float | None = None
    sentence: str


class Filler(BaseModel):
    """A ranked filler of a blank."""

    rank: int
    filler: str
    filler_mathml: str
    equation: str
    equation_mathml: str
    probability: float
    verdict: ModelLabel
    check: Label
    explanation: str
    found_by: Literal["model", "search"]
    equal: list[str]


class CompleteAnswer(BaseModel):
    """The fillers of a blank."""

    question: str
    model: str
    answers: list[Filler]


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
