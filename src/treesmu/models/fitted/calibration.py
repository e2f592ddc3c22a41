"""Calibration: probabilities that mean what they say at every depth, from the logits of a trained model.

How confident a model may be depends on the depth of the equation: typically it is too cautious about shallow ones, too
confident about deep ones, and rejects deep ones too often. Hence

    p = sigmoid((logit - shift(d)) / temperature(d))

where d is the depth of the equation. The shift and the logarithm of the temperature are linear between a few depths, the
knots, and constant below the first and above the last. The temperature is positive, so at one depth a higher logit is a
higher probability; the shift moves the logit at which p is 1/2, so it changes verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from treesmu.errors import DataError

Floats = NDArray[np.float64]

LARGEST = 1e300  # number in a file; a whole number of JSON can be too large for a float


@dataclass(frozen=True)
class Calibration:
    """The temperature and the shift at each knot."""

    depths: tuple[float, ...]  # the knots, ascending
    temperature: tuple[float, ...]
    shift: tuple[float, ...]

    def logits(self, logits: ArrayLike, depth: ArrayLike) -> Floats:
        """Return the calibrated logits of equations of these depths: (rows,), (rows,) -> (rows,)."""
        weights = interpolation(depth, self.depths)
        temperature = np.exp(weights @ np.log(self.temperature))
        calibrated: Floats = (np.asarray(logits, float) - weights @ np.array(self.shift)) / temperature
        return calibrated

    def probabilities(self, logits: ArrayLike, depth: ArrayLike) -> Floats:
        """Return the calibrated probabilities of equations of these depths: (rows,), (rows,) -> (rows,)."""
        return sigmoid(self.logits(logits, depth))

    def to_dict(self) -> dict[str, Any]:
        return {"depths": list(self.depths), "temperature": list(self.temperature), "shift": list(self.shift)}

    @classmethod
    def from_dict(cls, data: Any) -> Calibration:
        """Return the calibration of a file; raise a DataError if it is damaged."""
        columns: list[Any] = [data.get(name) for name in ("depths", "temperature", "shift")] if isinstance(data, dict) else []
        if fault := _fault(columns):
            raise DataError(f"the calibration: {fault}; fit it again with treesmu calibrate")
        depths, temperature, shift = (tuple(map(float, column)) for column in columns)
        return cls(depths, temperature, shift)


def _fault(columns: list[Any]) -> str:
    """Return what is wrong with the depths, the temperature and the shift of a file; "" if nothing is."""
    if not columns or not all(isinstance(column, list) and column and all(map(_is_number, column)) for column in columns):
        return "depths, temperature and shift must be lists of numbers"
    depths, temperature, _ = columns
    if len(set(map(len, columns))) > 1:
        return "depths, temperature and shift must have the same length"
    if any(a >= b for a, b in pairwise(depths)):
        return "its depths must ascend"
    return "" if min(temperature) > 0 else "its temperature must be above 0"


def interpolation(depth: ArrayLike, knots: Sequence[float]) -> Floats:
    """Return how much each knot counts at each depth, (rows, knots): linear between knots, constant beyond them."""
    columns = [np.interp(np.asarray(depth, float), knots, values) for values in np.eye(len(knots))]
    return np.stack(columns, axis=-1)


def sigmoid(logits: Floats) -> Floats:
    """Return the logistic function."""
    found: Floats = torch.from_numpy(logits).sigmoid().numpy()  # which never overflows
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST
