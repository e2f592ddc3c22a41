"""The section of localism."""

from __future__ import annotations

from pathlib import Path

from reproduced import run_name
from sections import section_of


def test_the_lead_of_tree_smu_is_compared_with_the_papers(tmp_path: Path) -> None:
    right = {run_name("hard", model, "paper", 1, "5-13"): n for model, n in (("tree-lstm", 70), ("tree-smu", 68))}
    assert section_of(tmp_path, "localism", right).conclusions == (
        "Trained on deep equations (5-13), Tree-SMU has an accuracy on shallow ones (1-4) of 68.0% (hard corpus, paper's "
        "recipe). The paper has 98.9%.",
        "Tree-SMU compared with Tree-LSTM, localism: −2.0 (hard corpus, paper's recipe) points; one seed, so this may be due "
        "to chance. In the paper: +7.3.",
    )
