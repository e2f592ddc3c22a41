"""What is answered about one text: the fields of each answer, which are the schemas of the OpenAPI document."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

Number = float | None  # None stands for a value that is not finite
Label = Literal["correct", "incorrect", "undecided"]
ModelLabel = Literal["correct", "incorrect"]


class Fault(BaseModel):
    """What is wrong. position and length: the part of the text that should be marked, in characters."""

    message: str
    position: int | None = None
    length: int | None = None
    remedy: str | None = None


class FaultAnswer(BaseModel):
    """The form of every error."""

    error: Fault


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
    problem: None = None


class UnreadAnswer(BaseModel):
    """Why a text cannot be read."""

    problem: Fault


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
