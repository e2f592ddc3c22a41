"""Limitations of a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduced import main_runs, run_name, study, write_plan, write_run
from treesmu.report.write import write_report


@pytest.mark.usefixtures("no_drawings")
def test_everything_that_is_missing_or_restricts_the_results_is_named(tmp_path: Path) -> None:
    runs = main_runs(seeds=(1, 2))
    done = list(runs)[:4]
    analysed = {run_name("hard", "tree-smu", "treesmu", 1): ""}
    studies = {
        "productivity": study(runs, title="First"),
        "localism": study({run_name("paper", "tree-smu", "paper", 1, "5-13"): ""}, title="Second"),
        "completion": study(analysed, analysed, title="Third"),
    }
    write_plan(tmp_path, studies)
    for name in [*done, *analysed]:
        write_run(tmp_path, name)
    written = write_report(tmp_path)
    assert written.missing == [
        f"First: {len(runs) - 5} of {len(runs)} runs not finished, the first: {list(runs)[4]}.",
        f"Third: 1 trained model not analysed yet, the first: {next(iter(analysed))}.",
        "Not run yet: Second.",
        "One seed only, so that differences may be due to chance: every study.",
        "At most 40 test equations per depth with one seed: no trend is claimed.",
        "Fewer epochs than the paper's 100: 3 (recipe paper), 3 (recipe treesmu) in First; 3 (recipe treesmu) in Third.",
        "Few training equations, so that models differ less than they could: 80 (paper), 80 (hard); the paper has 27,207.",
    ]
    assert written.report is not None
    page = written.report.read_text()
    assert "Not run yet: none of the 1 planned runs is finished." in page
    assert "The models are trained, but not analysed yet." in page
