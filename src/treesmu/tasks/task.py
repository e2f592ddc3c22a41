"""Task: what differs between the things that a model can be asked; the trainer knows no more of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from treesmu.task_names import ACCURACY, Measure

Array = NDArray[Any]
Measures = dict[str, Any]
Columns = dict[str, Any]  # of predictions.parquet, all of the same length


class Task(ABC):
    """A task of a model, which is a Model for equations and a TreeModel for all other trees."""

    measure: ClassVar[Measure] = ACCURACY  # what the score is

    @abstractmethod
    def loss(self, outputs: Tensor, answers: Any) -> Tensor:
        """Return the loss of a batch, summed over its answers. outputs: those of ``model(batch)``."""

    @abstractmethod
    def score(self, model: Any, rows: Any, plan: Any) -> float:
        """Return what chooses the best epoch on validation, the larger the better. plan: of the rows."""

    @abstractmethod
    def evaluate(self, model: Any, rows: Any, plan: Any = None) -> tuple[Measures, Columns]:
        """Return the measures of rows, ``overall`` and ``by_depth``, and the columns of predictions.parquet.

        plan: of the rows, if it is known already.
        """


def measured_by_depth(depth: Array, measure: Any) -> dict[str, Measures]:
    """Return the measures of each depth; keys are strings, as in JSON. measure: a function of a mask of rows."""
    return {str(d): measure(depth == d) for d in np.unique(depth).tolist()}
