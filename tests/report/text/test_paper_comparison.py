"""Comparison with the paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduced import run_name, study, write_epochs, write_outcome, write_plan, write_run
from sections import summary_paragraphs, trained


def test_our_numbers_are_compared_with_the_papers_with_base_rates_and_epochs(tmp_path: Path) -> None:
    main, deep = run_name("paper", "tree-smu", "paper", 1), run_name("paper", "tree-smu", "paper", 1, "5-13")
    majority = run_name("paper", "majority", "paper", 1)
    studies = {"productivity": study({majority: "", main: ""}), "localism": study({deep: ""})}
    write_plan(tmp_path, studies)
    for name, epochs in ((majority, 1), (main, 4), (deep, 3)):
        write_run(tmp_path, name, epochs=epochs)
    write_outcome(tmp_path, main, dict.fromkeys(range(1, 8), 80) | dict.fromkeys(range(8, 20), 70), 60, 100)
    write_outcome(tmp_path, deep, dict.fromkeys(range(1, 5), 90), 50, 100)
    write_epochs(tmp_path, main, [0.5, 0.7, 0.6, 0.8])
    write_epochs(tmp_path, deep, [0.5, 0.7, 0.7])
    assert summary_paragraphs(tmp_path)["Comparison with the paper"] == (
        "Tree-SMU (paper corpus, paper's recipe): systematicity 80.0% (paper 83.3%), productivity 70.0% (paper 79.6%), "
        "localism 90.0% (paper 98.9%).",
        "Base rate (share of the larger class among the test equations): systematicity 60.0% (paper 60.4%), "
        "productivity 60.0% (paper 51.7%), localism 50.0% (paper 60.9%).",
        "Training: 4 epochs (systematicity, productivity); 3 epochs (localism); in the paper up to 100.",
        "The last epoch has the best validation accuracy in 1 of 2 runs; there, accuracy was still rising when training ended.",
    )


def test_without_tree_smu_the_best_cell_is_compared(tmp_path: Path) -> None:
    models = {("paper", "paper", model): right for model, right in (("lstm", 99), ("tree-rnn", 70), ("tree-lstm", 60))}
    found = summary_paragraphs(trained(tmp_path, models, {"epochs": 1}))["Comparison with the paper"]
    assert found[0].startswith("Tree-RNN (paper corpus, paper's recipe): systematicity 70.0% (paper 72.4%), ")
    assert found[-1] == "The last epoch has the best validation accuracy in 0 of 3 runs."


@pytest.mark.parametrize("condition", [("hard", "paper"), ("paper", "treesmu")])
def test_other_data_and_recipes_are_not_compared(tmp_path: Path, condition: tuple[str, str]) -> None:
    assert "Comparison with the paper" not in summary_paragraphs(trained(tmp_path, {(*condition, "tree-smu"): 70}))
