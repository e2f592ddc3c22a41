"""What the files of a reproduction contain, checked before anything is computed: a wrong type names its file and its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from treesmu.errors import DataError
from treesmu.task_names import ACCURACY, R2, Measure

Facts = dict[str, Any]


class _Content(BaseModel):
    """JSON as it was written, so that no text is taken for a number. Other fields are not used here."""

    model_config = ConfigDict(strict=True)


class _Study(_Content):
    title: str
    asks: str
    runs: dict[str, str]  # the variant of each run, by name
    analyses: list[str]
    settings: Facts = {}
    left_out: list[str] = []


class _Preset(_Content):
    corpora: dict[str, Facts]


class Plan(_Content):
    """plan.json."""

    preset: _Preset
    studies: dict[str, _Study]
    machines: list[Facts] = []
    missing: dict[str, str] = {}


class _Training(_Content):
    model: str
    recipe: str
    seed: int
    epochs: int
    task: str = "verify"


class RunSettings(_Content):
    """settings.json of a run."""

    settings: _Training
    corpus: dict[str, Facts]
    cell: Facts
    parameters: int
    rows: int


class _Accuracy(_Content):
    accuracy: float | None


class _R2(_Content):
    r2: float | None


class _Test(_Content):
    overall: Facts
    by_depth: dict[str, Facts]


class RunTest(_Test):
    """test.json of a run whose task is measured by accuracy."""

    train: _Accuracy
    validation: _Accuracy


class NumbersTest(_Test):
    """test.json of a run whose task is measured by R²."""

    train: _R2
    validation: _R2


class _Epoch(_Content):
    seconds: float
    validation_accuracy: float


class _NumbersEpoch(_Content):
    seconds: float
    validation_r2: float


class Metrics(_Content):
    """The lines of metrics.jsonl."""

    epochs: list[_Epoch]


class NumbersMetrics(_Content):
    """The lines of metrics.jsonl of a run whose task is measured by R²."""

    epochs: list[_NumbersEpoch]


TEST: dict[Measure, type[BaseModel]] = {ACCURACY: RunTest, R2: NumbersTest}
METRICS: dict[Measure, type[BaseModel]] = {ACCURACY: Metrics, R2: NumbersMetrics}


def check_content(content: Any, kind: type[BaseModel], file: Path, remedy: str) -> None:
    """Raise a DataError that names the file, the place and the remedy unless the content of a JSON file is of this kind."""
    try:
        kind.model_validate(content if isinstance(content, dict) else {})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        what = f"{where!r} is missing" if first["type"] == "missing" else f"{where}: {first['msg']}"
        raise DataError(f"{file}: {what}; {remedy}") from error
