"""Generalisation of the models with the highest means."""

from __future__ import annotations

from pathlib import Path

from reproduced import run_name, write_outcome
from sections import summary_paragraphs, trained


def test_accuracy_at_depth_is_measured_from_the_base_rate(tmp_path: Path) -> None:
    """On the hard corpus 75% of the test equations are correct."""
    trained(tmp_path, {(c, "paper", "tree-smu"): 50 for c in ("paper", "hard")})
    write_outcome(tmp_path, run_name("paper", "tree-smu", "paper", 1), {8: 800, 19: 630}, 500, 1000)
    write_outcome(tmp_path, run_name("hard", "tree-smu", "paper", 1), {8: 900, 19: 700}, 750, 1000)
    found = summary_paragraphs(tmp_path)
    assert found["What does not generalise"] == (
        "Depth: relative to the base rate, the model with the highest mean has +30.0 points at depth 8 and +13.0 at depth 19 "
        "(paper corpus, paper's recipe); where this is lowest, +15.0 points at depth 8 and −5.0 at depth 19 (hard corpus, "
        "paper's recipe).",
    )
    assert found["What generalises"][0].endswith("(Tree-SMU, hard corpus, paper's recipe); the base rate is 75.0%.")


def test_few_test_equations_and_one_seed_show_no_change_with_depth(tmp_path: Path) -> None:
    trained(tmp_path, {("hard", "paper", "tree-smu"): 50}, equations=100)
    write_outcome(tmp_path, run_name("hard", "tree-smu", "paper", 1), {8: 90, 19: 50}, 50, 100)
    (sentence,) = summary_paragraphs(tmp_path)["What does not generalise"]
    assert sentence == "Depth: one seed and few test equations per depth do not show how accuracy changes with depth."
