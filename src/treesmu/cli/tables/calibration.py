"""The measures of a model before and after a calibration, by depth, and the calibration itself, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .verification import percent

if TYPE_CHECKING:
    from treesmu.models.fitted.calibration import Calibration
    from treesmu.tasks.calibrate import FittedCalibration

WIDTH = 12  # of a column


def table(fitted: FittedCalibration) -> str:
    """Return one line per depth and one for all equations, then the temperature and the shift at each knot."""
    lines = [
        "                       accuracy                calibration error                log loss",
        "depth  equations         raw  calibrated         raw  calibrated         raw  calibrated",
    ]
    names = [*fitted.raw["by_depth"], "all"]
    for name in names:
        raw, calibrated = (
            measures["overall"] if name == "all" else measures["by_depth"][name] for measures in (fitted.raw, fitted.calibrated)
        )
        cells = [percent(row[measure]) for measure in ("accuracy", "calibration_error") for row in (raw, calibrated)]
        cells += [f"{row['log_loss']:.3f}" for row in (raw, calibrated)]
        lines.append(f"{name:>5} {raw['equations']:>10,}" + "".join(f"{cell:>{WIDTH}}" for cell in cells))
    note = "calibrated: each half of the equations with the calibration that the other half gives"
    return "\n".join([*lines, note, *_knots(fitted.calibration)])


def _knots(calibration: Calibration) -> list[str]:
    """Return the calibration as three lines with one column per knot."""
    rows = {"depth": calibration.depths, "temperature": calibration.temperature, "shift": calibration.shift}
    return [
        f"{name:<11}" + "".join(f"{f'{value:g}' if name == 'depth' else f'{value:.2f}':>8}" for value in values)
        for name, values in rows.items()
    ]
