"""The names of the tasks, their measures, their readouts, and the nodes that are tagged: the only place that lists them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

TreeTask = Literal["classify", "regress", "compare", "tag"]  # of trees that are no equations
Task = Literal["verify", TreeTask]
Readout = Literal["linear", "network", "dot", "distance"]  # from states to answers
NodeKind = Literal["inner", "all"]  # which nodes have classes

TREE_TASKS: tuple[str, ...] = get_args(TreeTask)
TASKS: tuple[str, ...] = get_args(Task)
READOUTS: tuple[str, ...] = get_args(Readout)
NODE_KINDS: tuple[str, ...] = get_args(NodeKind)


@dataclass(frozen=True)
class Measure:
    """What the models of a task are compared by; larger is better. ``key``: its name in files.

    scale and digits: how it is shown, 91.3% or 0.913.
    """

    key: str
    name: str
    unit: str = ""
    scale: float = 1.0
    digits: int = 3

    @property
    def validation(self) -> str:
        """Its name in files, of the validation rows."""
        return f"validation_{self.key}"

    @property
    def test(self) -> str:
        """Its name in files, of the test rows."""
        return f"test_{self.key}"

    @property
    def is_share(self) -> bool:
        """Whether it is a share, from 0 to 1, which is shown in per cent."""
        return self.unit == "%"

    @property
    def axis(self) -> str:
        """Its name at an axis: accuracy (%), or R²."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    def column(self, rows: str) -> str:
        """Return the heading of a column with the measure of some rows: validation %, or validation R²."""
        return f"{rows} {self.unit or self.name}"

    def text(self, value: float) -> str:
        """Return a value as it is shown."""
        return f"{self.scale * value:.{self.digits}f}{self.unit}"


ACCURACY = Measure("accuracy", "accuracy", "%", 100.0, 1)
R2 = Measure("r2", "R²")


def measure_of(task: str) -> Measure:
    """Return the measure of a task."""
    return R2 if task == "regress" else ACCURACY
