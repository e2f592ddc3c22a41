"""The measures of a model by depth, as a table."""

from __future__ import annotations

from typing import Any

import pytest

from treesmu.cli.tables.verification import percent, table


def measures(equations: int, precision: float | None) -> dict[str, Any]:
    shares = {"accuracy": 0.75, "precision": precision, "recall": 0.5, "specificity": 1.0, "f1": 0.6666}
    return {"equations": equations, **shares, "log_loss": 0.6931, "calibration_error": 0.0123}


@pytest.mark.parametrize(("share", "text"), [(None, "-"), (0.0, "0.0"), (0.12345, "12.3"), (1.0, "100.0")])
def test_shares_are_in_per_cent(share: float | None, text: str) -> None:
    assert percent(share) == text


def test_each_number_ends_below_its_heading() -> None:
    found = table({"by_depth": {"3": measures(12, None), "10": measures(34567, 0.8)}, "overall": measures(34579, 0.8)})
    assert found.splitlines() == [
        "depth  equations  accuracy  precision   recall  specificity     f1  log loss  calibration error",
        "    3         12      75.0          -     50.0        100.0   66.7     0.693                1.2",
        "   10     34,567      75.0       80.0     50.0        100.0   66.7     0.693                1.2",
        "  all     34,579      75.0       80.0     50.0        100.0   66.7     0.693                1.2",
    ]
