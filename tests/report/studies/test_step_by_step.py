"""The section of step by step."""

from __future__ import annotations

from pathlib import Path

from every_study import ANALYSES
from reproduced import run_name
from sections import section_of


def test_accuracy_is_given_with_agreement(tmp_path: Path) -> None:
    name, where = run_name("hard", "tree-smu", "paper", 1), "(hard corpus, paper's recipe)"
    assert section_of(tmp_path, "step_by_step", {name: 60}, analyses={name: ANALYSES["step_by_step"]}).conclusions == (
        f"When all inner parts are simplified first, the prediction of Tree-SMU stays the same for 62.5% {where}.",
        f"It is right for 75.0% {where} before and for 50.0% {where} after.",
    )
