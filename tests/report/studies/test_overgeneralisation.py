"""The section of overgeneralisation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from every_study import ANALYSES
from reproduced import run_name
from sections import section_of, table_of
from treesmu.report.formats import markdown


def exceptions(overridden: int | None, **changes: Any) -> dict[str, Any]:
    rows = [{"epoch": k + 1, "overgeneralisation": s, "others_right": r} for k, (s, r) in enumerate(((0.5, 0.6), (0.7, 0.8)))]
    outcome = {"overridden_epoch": overridden, "peak": 0.7, "peak_epoch": 2, "epochs": rows}
    return ANALYSES["overgeneralisation"] | outcome | changes


@pytest.mark.parametrize(("epochs", "text"), [((3, 5), "4 ± 1"), ((3, None), "in 1 of 2 seeds"), ((None, None), "–")])
def test_an_epoch_of_overriding_is_given_only_if_all_seeds_have_one(
    tmp_path: Path, epochs: tuple[int | None, ...], text: str
) -> None:
    names = [run_name("hard+Pow-in-Pow-0.1", "tree-smu", "paper", seed) for seed in (1, 2)]
    analyses = {name: exceptions(epoch) for name, epoch in zip(names, epochs, strict=True)}
    found = section_of(tmp_path, "overgeneralisation", dict.fromkeys(names, 60), dict.fromkeys(names, "0.1"), analyses)
    row = markdown(table_of(found, "overgeneralisation")).splitlines()[4]
    assert row == f"| hard | paper | 10% | Tree-SMU | 12 | 70.0 ± 0.0 | 2 ± 0 | 70.0 ± 0.0 | {text} | 80.0 ± 0.0 |"


def test_the_conclusion_has_the_peak_the_end_and_the_other_equations(tmp_path: Path) -> None:
    """The peak alone would flatter: the best of many epochs is above one half even for random verdicts."""
    name = run_name("hard+Pow-in-Pow-0.1", "tree-smu", "paper", 1)
    end = exceptions(None)["epochs"] + [{"epoch": 3, "overgeneralisation": 0.25, "others_right": 0.9}]
    analyses = {name: exceptions(None, exceptions=1200, epochs=end)}
    found = section_of(tmp_path, "overgeneralisation", {name: 60}, {name: "0.1"}, analyses)
    where = "(hard corpus, paper's recipe)"
    assert found.conclusions == (
        f"With the fewest exceptions in the training set (1,200), Tree-SMU follows the rule for 70.0% {where} of them after "
        f"its best epoch, and for 25.0% {where} after the last. It is then right on 90.0% {where} of the other equations "
        "of this kind.",
    )
