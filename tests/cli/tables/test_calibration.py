"""A calibration as a table: measures before and after, by depth, and the values at its knots."""

from __future__ import annotations

from typing import Any

from treesmu.cli.tables.calibration import table
from treesmu.models.fitted.calibration import Calibration
from treesmu.tasks.calibrate import FittedCalibration


def measures(accuracy: float, error: float, loss: float) -> dict[str, Any]:
    row = {"equations": 1234, "accuracy": accuracy, "calibration_error": error, "log_loss": loss}
    return {"by_depth": {"3": row, "12": row}, "overall": row}


def test_each_number_ends_below_its_heading() -> None:
    calibration = Calibration((3.0, 7.5, 12.0), (0.5, 1.0, 2.125), (1.0, 0.0, -0.5))
    fitted = FittedCalibration(calibration, 2468, measures(0.75, 0.101, 0.6), measures(0.8, 0.012, 0.5))
    assert table(fitted).splitlines() == [
        "                       accuracy                calibration error                log loss",
        "depth  equations         raw  calibrated         raw  calibrated         raw  calibrated",
        "    3      1,234        75.0        80.0        10.1         1.2       0.600       0.500",
        "   12      1,234        75.0        80.0        10.1         1.2       0.600       0.500",
        "  all      1,234        75.0        80.0        10.1         1.2       0.600       0.500",
        "calibrated: each half of the equations with the calibration that the other half gives",
        "depth             3     7.5      12",
        "temperature    0.50    1.00    2.12",
        "shift          1.00    0.00   -0.50",
    ]
