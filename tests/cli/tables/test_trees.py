"""The table of measures has one line per depth and one for all."""

from __future__ import annotations

from treesmu.cli.tables.trees import table


def test_shares_are_in_per_cent_and_what_is_not_defined_is_a_dash() -> None:
    row = {"trees": 1200, "accuracy": 0.5, "log_loss": 0.25, "majority": 0.125}
    empty = {"trees": 0, "accuracy": None, "log_loss": None, "majority": None}
    lines = table({"overall": row, "by_depth": {"1": row, "2": empty}}).splitlines()
    assert lines[0].split() == "depth trees accuracy most common class log loss".split()
    assert [line.split() for line in lines[1:]] == [
        ["1", "1,200", "50.0", "12.5", "0.250"],
        ["2", "0", "-", "-", "-"],
        ["all", "1,200", "50.0", "12.5", "0.250"],
    ]


def test_numbers_have_their_errors() -> None:
    row = {"trees": 3, "r2": 0.5, "rmse": 2.0, "mae": 1.5}
    assert table({"overall": row, "by_depth": {}}).split() == "depth trees R² RMSE MAE all 3 0.500 2.000 1.500".split()
