"""What a sweep tries: settings of training, each with values to choose from or with a range."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from treesmu.data import DataError
from treesmu.training.settings import merge_settings

if TYPE_CHECKING:
    from optuna.trial import Trial

Value = bool | int | float | str
Values = dict[str, Value]  # a point of the space: the settings' names with a value each

# The paper's (Section 5): the state's size n, dropout, and for models with a stack its size p.
PAPER_GRID: dict[str, tuple[Value, ...]] = {
    "cell.hidden": (50, 55, 60, 80, 100, 120),
    "cell.dropout": (0.0, 0.1, 0.15, 0.2, 0.25),
    "cell.stack": (1, 2, 3, 4, 5, 7, 14),
}
LONGEST = 200  # letters, of a name
MOST = 1e300  # of a number
WITH_STACK = ("tree-smu", "stack-tree-rnn")


@dataclass(frozen=True)
class Parameter:
    """A setting and its values, or the ends of its range: whole numbers if both are."""

    name: str  # of training, or cell.NAME
    values: tuple[Value, ...] = ()
    ends: tuple[float, float] | None = None

    @classmethod
    def read(cls, text: str) -> Parameter:
        """NAME=A,B,C or NAME=LOW..HIGH."""
        name, _, rest = text.partition("=")
        expected = f"{text!r}: expected NAME=A,B,C or NAME=LOW..HIGH, such as cell.hidden=50,100 or learning_rate=1e-4..1e-2"
        values = tuple(_value(part) for part in rest.split(".." if ".." in rest else ","))
        if not name.strip() or any(value == "" or not _is_one(value) for value in values):
            raise DataError(expected)
        if ".." in rest:
            if len(values) != 2 or any(isinstance(end, bool | str) for end in values):
                raise DataError(expected)
            low, high = values
            if low >= high:
                raise DataError(f"{text!r}: the first number must be below the second")
            return cls(name.strip(), ends=(low, high))
        if len(set(values)) < len(values):
            raise DataError(f"{text!r}: each value once")
        return cls(name.strip(), values)

    @property
    def is_log(self) -> bool:
        """A range over powers of ten is searched on a logarithmic scale."""
        return self.ends is not None and self.ends[0] > 0 and self.ends[1] / self.ends[0] >= 10

    @property
    def examples(self) -> tuple[Value, ...]:
        """What can be checked beforehand: all values; or those at the ends, and one between them that is no whole number."""
        if self.ends is None:
            return self.values
        low, high = self.ends
        return self.ends if self.is_whole else (low, low + (high - low) / math.pi, high)

    @property
    def is_whole(self) -> bool:
        """A range of whole numbers."""
        return self.ends is not None and all(isinstance(end, int) for end in self.ends)

    def suggest(self, trial: Trial) -> Value:
        if self.ends is None:
            return trial.suggest_categorical(self.name, self.values)  # type: ignore[return-value]  # one of ours
        low, high = self.ends
        if self.is_whole:
            return trial.suggest_int(self.name, int(low), int(high), log=self.is_log)
        return trial.suggest_float(self.name, low, high, log=self.is_log)

    def to_json(self) -> dict[str, Any]:
        return json.loads(json.dumps({**asdict(self), "is_log": self.is_log}))  # type: ignore[no-any-return]


def paper_space(model: str) -> list[Parameter]:
    """The paper's grid, as far as the model has these settings."""
    if model == "majority":
        raise DataError("majority has no settings to search")
    has_stack = model in WITH_STACK
    return [Parameter(name, values) for name, values in PAPER_GRID.items() if has_stack or name != "cell.stack"]


def grid(space: list[Parameter]) -> list[Values]:
    """Every combination, the last parameter changing fastest."""
    if ranges := [parameter.name for parameter in space if parameter.ends]:
        raise DataError(f"{ranges[0]}: a grid needs values, A,B,C; a range is for --sampler tpe")
    names = [parameter.name for parameter in space]
    return [dict(zip(names, values, strict=True)) for values in product(*(parameter.values for parameter in space))]


def applied(base: dict[str, Any], values: Values) -> dict[str, Any]:
    """Settings with these values in them."""
    cell = {name.removeprefix("cell."): value for name, value in values.items() if name.startswith("cell.")}
    own = {name: value for name, value in values.items() if not name.startswith("cell.")}
    return merge_settings(base, own, {"cell": cell})


def name_of(values: Values) -> str:
    """As hidden=50,dropout=0.1: the name of a run folder; cut and made unique where no file system would take it."""
    name = ",".join(f"{short(name)}={_text(value)}" for name, value in values.items())
    if len(name) <= LONGEST:
        return name
    return f"{name[: LONGEST - 13]}-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def short(name: str) -> str:
    """A setting's name without the cell before it."""
    return name.removeprefix("cell.")


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).replace("/", "_")


def _is_one(value: Any) -> bool:
    """Of the kind that a setting has, and finite."""
    return isinstance(value, str) or (isinstance(value, int | float) and abs(value) <= MOST)  # also not if it is no number


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.strip()
