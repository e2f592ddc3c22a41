"""The measures of a model on labelled equations, by depth, as a table."""

from __future__ import annotations

from typing import Any

COLUMNS = {"accuracy": 10, "precision": 11, "recall": 9, "specificity": 13, "f1": 7}  # measure: width


def table(measures: dict[str, Any]) -> str:
    """Return one line per depth and one for all equations, with shares in per cent, then remarks."""
    lines = ["depth  equations  accuracy  precision   recall  specificity     f1  log loss  calibration error"]
    for name, row in [*measures["by_depth"].items(), ("all", measures["overall"])]:
        shares = "".join(f"{percent(row[measure]):>{width}}" for measure, width in COLUMNS.items())
        lines.append(
            f"{name:>5} {row['equations']:>10,}{shares}{row['log_loss']:>10.3f}{percent(row['calibration_error']):>19}"
        )
    return "\n".join(lines + _remarks(measures))


def _remarks(measures: dict[str, Any]) -> list[str]:
    from treesmu.importing.report import count_of  # loads NumPy

    remarks = []
    if measures.get("calibrated"):
        remarks.append("probabilities are calibrated by depth; --raw: those of the network itself")
    if gold := measures.get("blanks"):
        of_wrong = f"; specificity {percent(gold['specificity'])}% of {gold['wrong_fillers']:,} wrong fillers"
        mean = f"; mean {percent(gold['mean'])}%"
        both = of_wrong + mean if gold["wrong_fillers"] else ""
        remarks.append(f"recall {percent(gold['recall'])}% of {gold['gold']:,} equations of blanks{both}")
    if "not_confirmed" in measures:
        number = count_of(measures["not_confirmed"], "equation")
        remarks.append(f"left out, since the numeric check does not confirm the label: {number}")
    if "left_out" in measures:
        remarks.append(f"left out, since they are in {measures['unseen']} too: {count_of(measures['left_out'], 'equation')}")
    return remarks


def percent(share: float | None) -> str:
    """Return a share in per cent, without the sign; - if it is not defined."""
    return "-" if share is None else f"{100 * share:.1f}"
