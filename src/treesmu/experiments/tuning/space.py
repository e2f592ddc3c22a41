"""The search space of a sweep: settings of training, each with a list of values or a range."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from treesmu.data import DataError
from treesmu.json_files import json_or_text
from treesmu.training.settings import merge_settings

from ..default_cell import default_cell_settings

if TYPE_CHECKING:
    from optuna.trial import Trial

Value = bool | int | float | str
Values = dict[str, Value]  # a point of the space: a value for each setting's name

# The paper's grid (Section 5): the size n of the state, dropout, and the size p of the stack for models that have one.
PAPER_GRID: dict[str, tuple[Value, ...]] = {
    "cell.hidden": (50, 55, 60, 80, 100, 120),
    "cell.dropout": (0.0, 0.1, 0.15, 0.2, 0.25),
    "cell.stack": (1, 2, 3, 4, 5, 7, 14),
}
LONGEST_NAME = 200  # characters of a run folder's name
LARGEST_NUMBER = 1e300


@dataclass(frozen=True)
class Parameter:
    """A setting with its values, or with the ends of its range, which is of integers if both ends are."""

    name: str  # a setting of training, or cell.NAME
    values: tuple[Value, ...] = ()
    ends: tuple[float, float] | None = None

    @classmethod
    def read(cls, text: str) -> Parameter:
        """Parse ``NAME=A,B,C`` or ``NAME=LOW..HIGH``."""
        name, _, rest = text.partition("=")
        expected = f"{text!r}: expected NAME=A,B,C or NAME=LOW..HIGH, such as cell.hidden=50,100 or learning_rate=1e-4..1e-2"
        values = tuple(json_or_text(part) for part in rest.split(".." if ".." in rest else ","))
        if not name.strip() or any(value == "" or not _is_setting(value) for value in values):
            raise DataError(expected)
        if ".." in rest:
            if len(values) != 2 or any(isinstance(end, bool | str) for end in values):
                raise DataError(expected)
            low, high = values
            if low >= high:
                raise DataError(f"{text!r}: the first number must be below the second")
            return cls(name.strip(), ends=(low, high))
        if len(set(values)) < len(values):
            raise DataError(f"{text!r}: a value is given more than once")
        return cls(name.strip(), values)

    @property
    def is_log(self) -> bool:
        """Whether the range is searched on a logarithmic scale: if it spans a factor of ten or more."""
        return self.ends is not None and self.ends[0] > 0 and self.ends[1] / self.ends[0] >= 10

    @property
    def examples(self) -> tuple[Value, ...]:
        """The values to check beforehand: all of them; or the ends of the range and one between them, not an integer."""
        if self.ends is None:
            return self.values
        low, high = self.ends
        return self.ends if self.is_integer else (low, low + (high - low) / math.pi, high)

    @property
    def is_integer(self) -> bool:
        """Whether it is a range of integers."""
        return self.ends is not None and all(isinstance(end, int) for end in self.ends)

    def suggest(self, trial: Trial) -> Value:
        """Let Optuna choose a value."""
        if self.ends is None:
            return trial.suggest_categorical(self.name, self.values)  # type: ignore[return-value]  # one of self.values
        low, high = self.ends
        if self.is_integer:
            return trial.suggest_int(self.name, int(low), int(high), log=self.is_log)
        return trial.suggest_float(self.name, low, high, log=self.is_log)

    def to_json(self) -> dict[str, Any]:
        """Return the fields for JSON, and whether the range is logarithmic."""
        return json.loads(json.dumps({**asdict(self), "is_log": self.is_log}))  # type: ignore[no-any-return]


def paper_space(model: str) -> list[Parameter]:
    """Return the paper's grid, restricted to the settings that the model has."""
    known = default_cell_settings(model)
    if not known:
        raise DataError(f"{model} has no settings to search")
    space = [Parameter(name, values) for name, values in PAPER_GRID.items() if cell_setting(name) in known]
    if not space:
        raise DataError(f"{model} has no settings of the paper's grid; give the settings to search with --over")
    return space


def grid(space: list[Parameter]) -> list[Values]:
    """Return every combination of values; the last parameter changes fastest."""
    if ranges := [parameter.name for parameter in space if parameter.ends]:
        raise DataError(f"{ranges[0]}: a grid needs values, A,B,C; a range is for --sampler tpe")
    names = [parameter.name for parameter in space]
    return [dict(zip(names, values, strict=True)) for values in product(*(parameter.values for parameter in space))]


def apply_values(base: dict[str, Any], values: Values) -> dict[str, Any]:
    """Return settings with these values in them."""
    cell = {cell_setting(name): value for name, value in values.items() if name.startswith("cell.")}
    others = {name: value for name, value in values.items() if not name.startswith("cell.")}
    return merge_settings(base, others, {"cell": cell})


def values_name(values: Values) -> str:
    """Return the name of a run folder, such as ``hidden=50,dropout=0.1``; if it is too long, it ends with a hash instead."""
    name = ",".join(f"{cell_setting(name)}={_text(value)}" for name, value in values.items())
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[: LONGEST_NAME - 13]}-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def cell_setting(name: str) -> str:
    """Return a setting's name without ``cell.`` in front."""
    return name.removeprefix("cell.")


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).replace("/", "_")


def _is_setting(value: Any) -> bool:
    """Return whether a value has a type that settings have and, if it is a number, is finite."""
    return isinstance(value, str) or (isinstance(value, int | float) and abs(value) <= LARGEST_NUMBER)  # False for NaN
