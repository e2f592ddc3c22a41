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


def test_remarks_say_what_was_left_out_and_how_blanks_did() -> None:
    row = measures(7, 0.8)
    blanks = {"gold": 4, "wrong_fillers": 3, "recall": 0.5, "specificity": 1.0, "mean": 0.75}
    facts = {"blanks": blanks, "not_confirmed": 1234, "unseen": "corpora/quick", "left_out": 1}
    found = table({"by_depth": {"3": row}, "overall": row, **facts})
    assert found.splitlines()[3:] == [
        "recall 50.0% of 4 equations of blanks; specificity 100.0% of 3 wrong fillers; mean 75.0%",
        "left out, since the numeric check does not confirm the label: 1,234 equations",
        "left out, since they are in corpora/quick too: 1 equation",
    ]
    calibrated = table({"by_depth": {}, "overall": row, "calibrated": True})
    assert calibrated.splitlines()[2:] == ["probabilities are calibrated by depth; --raw: those of the network itself"]
    assert len(table({"by_depth": {}, "overall": row, "calibrated": False}).splitlines()) == 2
    alone = table({"by_depth": {}, "overall": row, "blanks": {**blanks, "wrong_fillers": 0, "mean": None}})
    assert alone.splitlines()[2:] == ["recall 50.0% of 4 equations of blanks"]


def test_each_number_ends_below_its_heading() -> None:
    found = table({"by_depth": {"3": measures(12, None), "10": measures(34567, 0.8)}, "overall": measures(34579, 0.8)})
    assert found.splitlines() == [
        "depth  equations  accuracy  precision   recall  specificity     f1  log loss  calibration error",
        "    3         12      75.0          -     50.0        100.0   66.7     0.693                1.2",
        "   10     34,567      75.0       80.0     50.0        100.0   66.7     0.693                1.2",
        "  all     34,579      75.0       80.0     50.0        100.0   66.7     0.693                1.2",
    ]
