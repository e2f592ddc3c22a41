"""Fit the calibration of a model: at every depth, probabilities that agree with the share of correct equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treesmu.data import DataError, Dataset
from treesmu.models.fitted.calibration import Calibration, interpolation, sigmoid
from treesmu.models.model import Model

from .verify import logits_of, measures_of

Floats = NDArray[np.float64]

KNOTS = 3  # the first depth, the middle and the last; a fourth knot does not raise the likelihood of other equations
MOST_STEPS, MOST_HALVINGS = 100, 40
TOLERANCE = 1e-9  # of the penalised log-likelihood
DIGITS = 7  # that are stored


@dataclass(frozen=True)
class FittedCalibration:
    """A calibration, and the measures of each half of the equations with the calibration that the other half gives.

    ``raw`` and ``calibrated`` are as ``evaluate_verification`` returns them: overall and by depth.
    """

    calibration: Calibration
    equations: int
    raw: dict[str, Any]
    calibrated: dict[str, Any]


def calibrate(model: Model, dataset: Dataset) -> FittedCalibration:
    """Return the calibration with the highest likelihood for labelled equations. The model does not change.

    dataset: validation equations, of all depths at which the model will be used, correct and incorrect as often as there; not
    those that will be used to measure. Assign the result: ``model.calibration = calibrate(model, dataset).calibration``.
    """
    dataset = dataset.select(labels=(0, 1))
    is_correct = dataset.label == 1
    if not is_correct.any() or is_correct.all():
        found = "no labelled equations" if not len(dataset) else f"all equations are {'in' * (not is_correct.any())}correct"
        raise DataError(f"{dataset.source}: {found}; a calibration needs correct and incorrect ones")
    logits = logits_of(model, dataset)
    if wrong := int(np.isinf(logits).sum()):
        count = f"{wrong:,} of {len(logits):,} equations"
        raise DataError(f"the model is infinitely sure of {count}, which no calibration changes; train it again")
    held_out, half = np.empty(len(logits)), _halves(dataset)
    for fitted, measured in ((half, ~half), (~half, half)):
        of_half = fit_calibration(logits[fitted], is_correct[fitted], dataset.depth[fitted])
        held_out[measured] = of_half.probabilities(logits[measured], dataset.depth[measured])
    return FittedCalibration(
        calibration=fit_calibration(logits, is_correct, dataset.depth),
        equations=len(dataset),
        raw=measures_of(sigmoid(logits), dataset),
        calibrated=measures_of(held_out, dataset),
    )


def fit_calibration(logits: ArrayLike, is_correct: ArrayLike, depth: ArrayLike, knots: int = KNOTS) -> Calibration:
    """Return the calibration of these logits that maximises the likelihood, less a penalty.

    The penalty is half the squares of log temperatures and of shifts, these in units of the logits' root mean square. It
    counts less than a few equations, and keeps both finite where a model makes no mistake, or always says the same.
    """
    z, y, depths = np.asarray(logits, float), np.asarray(is_correct, float), np.asarray(depth, float)
    places = tuple(sorted(set(np.linspace(depths.min(), depths.max(), knots).tolist())))
    unit = max(1.0, float(np.sqrt(np.square(z).mean())))
    likelihood = _Likelihood(z / unit, y, interpolation(depths, places), unit)
    log_temperature, shift = np.split(likelihood.maximise(np.zeros(2 * len(places))), 2)
    return Calibration(places, _rounded(np.exp(log_temperature)), _rounded(unit * shift))


@dataclass(frozen=True, eq=False)
class _Likelihood:
    """The penalised likelihood of parameters: the log temperatures at all knots, then the shifts in units of the logits."""

    logits: Floats  # (rows,) in these units
    is_correct: Floats  # (rows,)
    weights: Floats  # (rows, knots)
    unit: float

    def maximise(self, parameters: Floats) -> Floats:
        """Return the best parameters, found by Fisher scoring; a step is halved until it gains."""
        loss = self.loss(parameters)
        for _ in range(MOST_STEPS):
            step = self._step(parameters)
            tried = [parameters - step / 2**k for k in range(MOST_HALVINGS)]
            better = next((other for other in tried if self.loss(other) < loss), parameters)
            gain = loss - self.loss(better)
            parameters, loss = better, loss - gain
            if gain <= TOLERANCE:
                break
        return parameters

    def loss(self, parameters: Floats) -> float:
        """Return the negative logarithm of the likelihood, plus the penalty."""
        q, _ = self._calibrated(parameters)
        return float((np.logaddexp(0.0, q) - self.is_correct * q).sum() + parameters @ parameters / 2)

    def _calibrated(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return the calibrated logits, and their derivatives by the logits, (rows,) each."""
        log_temperature, shift = np.split(parameters, 2)
        slope = self.unit * np.exp(-(self.weights @ log_temperature))
        return (self.logits - self.weights @ shift) * slope, slope

    def _step(self, parameters: Floats) -> Floats:
        """Return the gradient of the loss, divided by the expected information."""
        q, slope = self._calibrated(parameters)
        p = sigmoid(q)
        jacobian = np.hstack([-q[:, None] * self.weights, -slope[:, None] * self.weights])  # (rows, parameters)
        information = (jacobian * (p * (1 - p))[:, None]).T @ jacobian + np.eye(len(parameters))
        return np.asarray(np.linalg.solve(information, jacobian.T @ (p - self.is_correct) + parameters), float)


def _halves(dataset: Dataset) -> NDArray[np.bool_]:
    """Return which rows are in the first half; both halves have the same depths and labels, up to one row of each."""
    order = np.lexsort((dataset.label, dataset.depth))
    is_first = np.empty(len(dataset), bool)
    is_first[order] = np.arange(len(dataset)) % 2 == 0
    return is_first


def _rounded(values: Floats) -> tuple[float, ...]:
    return tuple(float(f"{value:.{DIGITS}g}") for value in values)
