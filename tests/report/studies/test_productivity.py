"""The section of productivity and systematicity."""

from __future__ import annotations

from pathlib import Path

from reproduced import run_name, write_outcome
from sections import figure_of, section_of, table_of
from treesmu.report.folder import Folder
from treesmu.report.formats import markdown
from treesmu.report.studies import section


def title(path: Path, right: dict[str, tuple[int, ...]]) -> str:
    """Return the title of the figure beside the paper. right: by model, for each seed."""
    runs = {run_name("paper", m, "paper", seed): n for m, some in right.items() for seed, n in enumerate(some, 1)}
    return figure_of(section_of(path, "productivity", runs), "beside-the-paper").title


def test_the_majority_is_ignored_when_the_order_of_models_is_compared(tmp_path: Path) -> None:
    right = {"majority": (99, 99, 99), "tree-rnn": (60, 61, 60), "tree-lstm": (75, 76, 74), "tree-smu": (70, 70, 71)}
    assert title(tmp_path, right) == (
        "The paper's recipe on data like the paper's: productivity (compared with the paper's) is higher in 0 and lower in 3 "
        "of 3 cases; 2 of 3 pairs of models are ordered as in the paper, 1 the other way round"
    )


def test_one_seed_is_not_compared_with_the_paper_in_a_title(tmp_path: Path) -> None:
    right = {"tree-rnn": (60,), "tree-lstm": (70,), "tree-smu": (80,)}
    assert title(tmp_path, right) == "The paper's recipe on data like the paper's"


def test_the_paper_is_shown_if_corpus_and_recipe_are_like_its(tmp_path: Path) -> None:
    found = section_of(tmp_path, "productivity", {run_name("paper", "tree-smu", "paper", 1): 60})
    assert "if corpus and recipe are like the paper's." in markdown(table_of(found, "productivity"))


def test_that_accuracy_falls_with_depth_is_tested(tmp_path: Path) -> None:
    runs = [run_name("hard", "tree-smu", "paper", seed) for seed in (1, 2, 3)]
    section_of(tmp_path / "all", "productivity", dict.fromkeys(runs, 60))
    for name, (first, last) in zip(runs, ((800, 700), (810, 720), (805, 702)), strict=True):
        write_outcome(tmp_path / "all", name, {8: first, 12: 750, 19: last}, 500, 1000)
    found = section(Folder(tmp_path / "all").studies[0], tmp_path)
    assert figure_of(found, "accuracy-by-depth").title == (
        "Accuracy by depth: accuracy at depth 19 (compared with depth 8) is higher in 0 and lower in 1 of 1 case"
    )
