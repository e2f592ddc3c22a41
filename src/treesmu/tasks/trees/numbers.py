"""Numbers: the task regress, with a number for each tree."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from treesmu.data.tree_files.table import TreeTable
from treesmu.models.trees.answer_kind import r_squared, spread
from treesmu.models.trees.tree_model import TreeModel
from treesmu.task_names import R2

from ..task import Columns, Measures, Task, measured_by_depth

Array = NDArray[Any]


class RowNumbers(Task):
    """A number for each tree. kind: the loss, ``squared`` or ``huber``, both of standardised numbers."""

    measure = R2

    def __init__(self, kind: Literal["squared", "huber"] = "squared") -> None:
        self.kind = kind

    def loss(self, outputs: Tensor, answers: Tensor) -> Tensor:
        """Return the loss, summed. outputs: (rows, 1); answers: (rows,) standardised."""
        given = outputs[:, 0], answers.to(outputs)
        return F.mse_loss(*given, reduction="sum") if self.kind == "squared" else F.huber_loss(*given, reduction="sum")

    def score(self, model: TreeModel, rows: TreeTable, plan: Any) -> float:
        """Return R²; if all numbers are the same, for which it is not defined, the negative error."""
        overall = self.evaluate(model, rows, plan)[0]["overall"]
        return float(-overall["rmse"] if overall["r2"] is None else overall["r2"])

    def evaluate(self, model: TreeModel, rows: TreeTable, plan: Any = None) -> tuple[Measures, Columns]:
        answer = np.array([np.nan if value is None else value for value in rows.answer], np.float64)
        prediction = model.outputs(rows, plan)[:, 0] * model.answer_kind.scale + model.answer_kind.mean
        has_answer = ~np.isnan(answer)

        def measure(chosen: Array) -> Measures:
            return _measures(answer[chosen & has_answer], prediction[chosen & has_answer])

        measures = {"overall": measure(np.ones(len(rows), bool)), "by_depth": measured_by_depth(rows.depth, measure)}
        return measures, {"row": rows.row, "depth": rows.depth, "label": answer, "prediction": prediction}


def _measures(answer: Array, prediction: Array) -> Measures:
    if not len(answer):
        return {"trees": 0, "r2": None, "rmse": None, "mae": None, "label_mean": None, "label_sd": None}
    error = prediction - answer
    measures = {"rmse": float((error**2).mean()) ** 0.5, "mae": float(np.abs(error).mean())}
    labels = {"label_mean": float(answer.mean()), "label_sd": spread(answer)}  # by which R² of several depths is computed
    return {"trees": len(answer), "r2": r_squared(answer, prediction), **measures, **labels}
